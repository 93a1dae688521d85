// SPDX-License-Identifier: Apache-2.0
import AudioCore
import TestProcess
import Testing

@testable import AudioNetwork

/// Units of AAC as ffmpeg encodes them, and the samples that it decodes of them.
struct RecordedUnits {
  let units: [[UInt8]]
  /// Interleaved.
  let samples: [Float]

  /// A tone that rises, so that no two places sound alike. Without noise of the decoder (PNS), a unit's samples depend on
  /// nothing but it and the one before.
  init(sampleRate: Int, channelCount: Int, seconds: Double) throws {
    let tone = "aevalsrc=0.3*sin(2*PI*(200*t+150*t*t)):s=\(sampleRate):d=\(seconds)"
    let stream = try Self.run(
      [
        "-f", "lavfi", "-i", tone, "-ac", "\(channelCount)", "-c:a", "aac", "-aac_pns", "0", "-b:a",
        "96k", "-f", "adts", "pipe:1",
      ], [])
    units = Self.units(of: stream)
    let decoded = try Self.run(
      ["-f", "aac", "-i", "pipe:0", "-c:a", "pcm_f32le", "-f", "f32le", "pipe:1"], stream)
    samples = stride(from: 0, to: decoded.count, by: 4).map { start in
      Float(bitPattern: (0..<4).reduce(UInt32(0)) { $0 | UInt32(decoded[start + $1]) << ($1 * 8) })
    }
  }

  private static func run(_ words: [String], _ input: [UInt8]) throws -> [UInt8] {
    let process = try TestProcess(
      ["/usr/bin/env", "ffmpeg", "-nostdin", "-loglevel", "error"] + words,
      input: input.isEmpty ? .nothing : .bytes(input))
    let outcome = process.wait(atMost: 60)
    try #require(outcome.status == 0, "\(String(decoding: outcome.standardError, as: UTF8.self))")
    return outcome.standardOutput
  }

  /// ISO/IEC 13818-7, section 6.2: the length stands in 13 bits from the 31st on; the header has seven bytes.
  private static func units(of stream: [UInt8]) -> [[UInt8]] {
    var units: [[UInt8]] = []
    var start = 0
    while start + 7 <= stream.count {
      let length =
        Int(stream[start + 3] & 3) << 11 | Int(stream[start + 4]) << 3 | Int(stream[start + 5]) >> 5
      units.append(Array(stream[start + 7..<start + length]))
      start += length
    }
    return units
  }
}

/// A source behind a scripted network, read to its end.
final class RecordedStream {
  let source: NetworkSource
  let transport: ScriptedTransport
  let latency: Duration?
  private let wakeup = Wakeup()
  private let channelCount: Int
  private let clockRate: Int
  private var firstTimestamp: Int?
  private(set) var samples: [Float] = []
  private(set) var gaps: [DeviceGap] = []

  init(_ payload: PayloadFormat, ring: Int = 480_000) throws {
    var options = NetworkOptions()
    options.jitter = .milliseconds(1)
    options.ring = .samplesPerChannel(ring)
    let transport = try ScriptedTransport(payload)
    self.transport = transport
    channelCount = payload.format.channelCount
    clockRate = payload.clockRate
    source = NetworkSource(device: "rtp:test", options: options) { _ in
      OpenedStream(payload: payload, transport: transport)
    }
    let description = try source.initialize(proposing: nil, wakeup: wakeup)
    latency = description.latency
    source.onGap = { [unowned self] in gaps.append($0) }
    try source.start()
  }

  /// Packets of one sender, each with the payload, its timestamp and the marker.
  func send(_ packets: [(index: Int, timestamp: Int, isMarked: Bool, payload: [UInt8])]) {
    let first = firstTimestamp ?? packets.first?.timestamp ?? 0
    firstTimestamp = first
    transport.add(
      .packets(
        packets.map { packet in
          let header = RTPPacket(
            payloadType: 96, isMarked: packet.isMarked,
            sequence: UInt16(truncatingIfNeeded: packet.index),
            timestamp: UInt32(truncatingIfNeeded: packet.timestamp), source: 0xCAFE,
            byteCount: packet.payload.count)
          let seconds = 1 + Double(packet.timestamp - first) / Double(clockRate)
          return Sender.Packet(
            header: header, payload: packet.payload,
            arrival: MonotonicTime(nanoseconds: Int(seconds * 1e9)), position: packet.timestamp)
        }))
  }

  /// Says goodbye, and reads to the end.
  func finish() throws {
    transport.add(.control([0x81, 203, 0, 1] + UInt32(0xCAFE).networkBytes))
    var block = [Float](repeating: 0, count: 8_192 * channelCount)
    while true {
      var given = 0
      do {
        try unsafe block.withUnsafeMutableBufferPointer { buffer throws(AudioError) in
          var output = unsafe OutputSpan(buffer: buffer, initializedCount: 0)
          _ = try source.read(into: &output)
          given = unsafe output.finalize(for: buffer)
        }
      } catch {
        try #require(error.kind == .deviceLost, "\(error)")
        source.dispose()
        return
      }
      samples += block.prefix(given)
      if given == 0 { wakeup.wait(atMost: .milliseconds(20)) }
    }
  }
}
