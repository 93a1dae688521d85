// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import AudioDevices

/// Reads `count` samples, in uneven blocks, or all samples before the end.
func read(_ count: Int, from source: AlsaSource, _ wakeup: Wakeup) throws -> [Float] {
  let channelCount = source.parameters?.format.channelCount ?? 1
  let queue = SampleQueue<Float>()
  while queue.count < count {
    let block = min(777 * channelCount, count - queue.count)
    let status = try queue.append(atMost: block) { output throws(AudioError) in
      try source.read(into: &output)
    }
    if status == .ended { break }
    if status == .pending { wakeup.wait(atMost: .milliseconds(100)) }
  }
  return queue.readable.indices.map { queue.readable[$0] }
}

/// Plays stereo samples at 44100 Hz, in uneven blocks, to the end.
func play(_ samples: [Float], on sink: AlsaSink) throws {
  let wakeup = Wakeup()
  defer { sink.dispose() }
  let stereo = try StreamFormat(sampleRate: 44_100, channelCount: 2)
  #expect(try sink.initialize(proposing: stereo, wakeup: wakeup) == stereo)
  try sink.start()
  var sent = 0
  while sent < samples.count {
    let count = min(2 * 777, samples.count - sent, 2 * sink.room)
    if count == 0 { wakeup.wait(atMost: .milliseconds(100)) }
    _ = try sink.write(samples.span.extracting(sent..<sent + count))
    sent += count
  }
  try sink.stop(.finished)
}

/// Returns 16-bit samples in little-endian order.
func bytes(of samples: [Int16]) -> Data {
  Data(samples.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] })
}

/// Returns deterministic samples over the whole range (a linear congruential generator; Knuth's MMIX).
func noise(_ count: Int) -> [Int16] {
  var state: UInt64 = 2_024
  return (0..<count).map { _ in
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int16(truncatingIfNeeded: state >> 48)
  }
}
