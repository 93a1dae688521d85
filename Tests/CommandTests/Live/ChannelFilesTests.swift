// SPDX-License-Identifier: Apache-2.0
import TestProcess
import Testing

/// `capture --split channels`: each channel of a device has its file, in parts that end together.
@Suite(.needsVirtualCard) struct ChannelFilesTests {
  private let bytes: [UInt8] = (0..<60_000).flatMap { (index: Int) in
    DeviceBytes.littleEndian(Int16(truncatingIfNeeded: index &* 7))
  }

  private func channel(_ channel: Int, of width: Int, _ range: Range<Int>) -> [UInt8] {
    range.flatMap { (place: Int) -> ArraySlice<UInt8> in
      let start = 2 * (place * width + channel)
      return bytes[start..<start + 2]
    }
  }

  @Test func eachChannelOfADevice() throws {
    let bench = try CardBench(input: bytes)
    let run = try bench.run(
      "capture", "-D", "card", "-r", "48000", "-c", "2", "-f", "s16", "-d", "30000S", "--split",
      "channels", "--split", "12000S", "-o", "c{channel}-%02d.wav")
    #expect(run.ending == .exit(0), "\(run.standardError)")
    for (part, range) in [0..<12_000, 12_000..<24_000, 24_000..<30_000].enumerated() {
      for index in 0..<2 {
        let data = try bench.wave("c\(index + 1)-0\(part).wav").samples
        #expect(data == channel(index, of: 2, range), "part \(part) of channel \(index + 1)")
      }
    }
  }

  @Test func oneFileForEach() throws {
    let bench = try CardBench(input: bytes)
    let run = try bench.run(
      "capture", "-D", "card", "-r", "48000", "-c", "4", "-f", "s16", "-d", "10000S", "--split",
      "channels", "-o", "m{channel}.wav")
    #expect(run.ending == .exit(0), "\(run.standardError)")
    for index in 0..<4 {
      #expect(try bench.wave("m\(index + 1).wav").samples == channel(index, of: 4, 0..<10_000))
    }
  }
}
