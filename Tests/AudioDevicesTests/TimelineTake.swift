// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import AudioDevices

/// A capture from a card that runs in real time at 768 kHz, so that a thousand overruns take seconds.
///
/// Every sample of the card is its own position on the card's clock.
struct TimelineTake {
  static let sampleRate = 768_000

  private(set) var gaps = DeviceGaps()
  private(set) var statistics = DeviceStatistics()
  private(set) var drift: ClockDrift?
  private(set) var length = 0
  /// The largest distance of a sample from its position on the card's clock.
  private(set) var largestError = 0
  private(set) var zeros: Int64 = 0
  /// The card's log.
  private(set) var log: [String] = []

  /// The zeros for lost samples; the card's first sample is a zero as well.
  var silence: Int64 { zeros - (gaps.list.first?.position == 0 ? 0 : 1) }

  /// The number of overruns in the card's log.
  var overruns: Int { log.count { $0.hasSuffix(" overrun") } }

  /// The card's position at its close, from its log.
  var cardPosition: Int {
    log.last.flatMap { $0.split(separator: " ").dropFirst(2).first }.flatMap { Int($0) } ?? -1
  }

  /// Captures until all events have happened, and for 0.1 s more.
  ///
  /// - Parameters:
  ///   - events: the card's events, in order.
  ///   - speed: 1.0001 = a clock 100 ppm fast.
  ///   - pause: called before each reading with the length so far and the current statistics.
  init(
    _ events: [String], _ settings: String = "", speed: Double = 1, buffer: Int = 76_800,
    period: Int, ring: Int? = nil,
    pause: (Int, () -> DeviceStatistics) -> Void = { _, _ in }
  ) throws {
    var options = AlsaOptions()
    options.sampleRate = Self.sampleRate
    options.channelCount = 1
    options.encoding = .s32
    options.period = .samplesPerChannel(period)
    options.buffer = .samplesPerChannel(buffer)
    options.ring = ring.map { .samplesPerChannel($0) }
    let path = AlsaConfiguration.path("timeline-\(UUID().uuidString)")
    let script = (events + ["+76800:touch:\(path).done"]).joined(separator: " ")
    let more = settings.isEmpty ? "" : ",\(settings)"
    let source = AlsaSource(
      device: "card:SPEED=\(speed),RATES=0,LOG=\(path).log,EVENTS='\(script)'\(more)",
      options: options)
    let wakeup = Wakeup()
    _ = try source.initialize(proposing: nil, wakeup: wakeup)
    try source.start()
    var isStopped = false
    let queue = SampleQueue<Double>()
    while true {
      pause(length) { source.statistics }
      let status = try queue.append(atMost: 65_536) { output throws(AudioError) in
        try source.read(into: &output)
      }
      if status == .ended { break }
      if status == .pending { wakeup.wait(atMost: .milliseconds(100)) }
      look(at: queue.readable)
      queue.removeAll()
      if !isStopped, FileManager.default.fileExists(atPath: path + ".done") {
        isStopped = true
        source.stop()
      }
    }
    gaps = source.gaps
    statistics = source.statistics
    drift = source.clockDrift
    source.dispose()
    log = try String(contentsOfFile: path + ".log", encoding: .utf8).split(separator: "\n").map(
      String.init)
  }

  private mutating func look(at samples: borrowing Span<Double>) {
    for index in samples.indices {
      let number = Int(samples[index] * 0x1p31)
      if number == 0 { zeros += 1 } else { largestError = max(largestError, abs(number - length)) }
      length += 1
    }
  }
}
