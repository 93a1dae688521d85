// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import AudioFiles

/// A recording of a device, whose samples are their own positions, with clocks moved by the test.
///
/// A block arrives at the time of its last sample.
final class ClockedRecording {
  /// The bits of a position that a sample holds.
  private static let mask: Int64 = 0x7FFF_FFFF
  let clock: FakeWallClock
  let sink: SplittingSink
  let rate: Int
  /// The speed of the device above the clock.
  var partsPerMillion = 0.0
  private(set) var parts: [SplittingSink.Part] = []
  private(set) var steps: [ClockStep] = []
  /// The position of the next sample in the stream.
  private(set) var position: Int64 = 0
  /// The samples not yet in a checked part.
  private var taken: [Range<Int64>] = []
  private var checked = 0
  private let control: SplittingSink.Control
  /// The fraction of a nanosecond left over.
  private var remainder = 0.0

  private final class Told {
    var parts: [SplittingSink.Part] = []
    var steps: [ClockStep] = []
  }
  private let told = Told()

  init(
    _ pattern: String, _ limits: [SplittingSink.Limit], at time: Int, rate: Int = 8_000,
    in civilTime: CivilTime = .berlin, clock: FakeWallClock? = nil, overwrite: Bool = false
  ) throws {
    let clock = clock ?? FakeWallClock(at: time)
    self.clock = clock
    self.rate = rate
    let control = SplittingSink.Control()
    self.control = control
    let file = try FileFormat(.raw, .s32)
    let told = told
    sink = SplittingSink(
      try PartNames(pattern, in: civilTime), limits: limits, control: control
    ) {
      SoundFileSink(path: $0, format: file, overwrite: overwrite, replacement: .inPlace)
    } onPart: {
      told.parts.append($0)
    }
    sink.clock = clock.clock
    sink.goesOn = !overwrite
    sink.onClockStep = { told.steps.append($0) }
  }

  func begin() throws {
    try sink.begin(StreamFormat(sampleRate: rate, channelCount: 1))
  }

  /// Records `count` samples, which come in one block.
  ///
  /// - Parameters:
  ///   - lateness: the delay of the block in nanoseconds; the next one is on time again.
  ///   - isTold: `true` if the sink gets the delay, as from a ``BackgroundSink``.
  func take(_ count: Int, late lateness: Int64 = 0, isTold: Bool = false) throws {
    let exact = Double(count) * 1e9 / Double(rate) / (1 + partsPerMillion * 1e-6) + remainder
    let nanoseconds = Int64(exact)
    remainder = exact - Double(nanoseconds)
    clock.pass(nanoseconds: nanoseconds + lateness)
    let samples = (0..<count).map { Double((position + Int64($0)) & Self.mask) / 0x1p31 }
    let start = position
    position += Int64(count)
    if let last = taken.last, last.upperBound == start {
      taken[taken.count - 1] = last.lowerBound..<position
    } else {
      taken.append(start..<position)
    }
    if isTold { try sink.receive(.waited(.nanoseconds(lateness))) }
    _ = try sink.write(samples.span)
    clock.pass(nanoseconds: -lateness)
    collect()
  }

  /// Records for `seconds`.
  func take(seconds: Int, block: Int = 800) throws {
    var left = seconds * rate
    while left > 0 {
      try take(min(block, left))
      left -= block
    }
  }

  /// Skips `count` samples of the device.
  func leaveOut(_ count: Int64) throws {
    let exact = Double(count) * 1e9 / Double(rate) / (1 + partsPerMillion * 1e-6) + remainder
    let nanoseconds = Int64(exact)
    remainder = exact - Double(nanoseconds)
    clock.pass(nanoseconds: nanoseconds)
    position += count
    try sink.receive(.leftOut(upTo: position))
  }

  func requestPart() { control.requestPart() }

  func end() throws {
    try sink.complete()
    collect()
  }

  private func collect() {
    parts += told.parts
    steps += told.steps
    (told.parts, told.steps) = ([], [])
  }

  /// Returns whether the parts completed since the last call hold exactly the next recorded samples.
  func areWhole() throws -> Bool {
    for part in parts[checked...] {
      let bytes = try contents(part.path)
      guard bytes.count == Int(part.samplesPerChannel) * 4, taken.first?.lowerBound == part.position
      else { return false }
      let isRight = unsafe bytes.withUnsafeBytes { raw in
        let numbers = unsafe raw.bindMemory(to: Int32.self)
        var index = 0
        while index < numbers.count {
          guard let next = taken.first else { return false }
          let count = min(numbers.count - index, next.count)
          for offset in 0..<count
          where unsafe Int64(numbers[index + offset]) != (next.lowerBound + Int64(offset))
            & Self.mask
          {
            return false
          }
          taken[0] = next.lowerBound + Int64(count)..<next.upperBound
          if taken[0].isEmpty { taken.removeFirst() }
          index += count
        }
        return true
      }
      guard isRight else { return false }
    }
    checked = parts.count
    return true
  }

  /// `true` if all recorded samples are in parts.
  var isComplete: Bool { taken.isEmpty }
}
