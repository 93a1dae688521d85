// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Glibc
import Testing

@testable import AudioNetwork

@Suite struct OpusTests {
  /// libopus's encoder: packets of 20 ms of a rising tone in two channels.
  private func packets(_ count: Int) throws -> [[UInt8]] {
    typealias Create =
      @convention(c) (Int32, Int32, Int32, UnsafeMutablePointer<Int32>?) -> OpaquePointer?
    typealias Encode =
      @convention(c) (
        OpaquePointer, UnsafePointer<Float>, Int32, UnsafeMutablePointer<UInt8>, Int32
      ) -> Int32
    typealias Destroy = @convention(c) (OpaquePointer) -> Void
    let library = unsafe dlopen("libopus.so.0", RTLD_NOW)
    let create = unsafe unsafeBitCast(dlsym(library, "opus_encoder_create"), to: Create.self)
    let encode = unsafe unsafeBitCast(dlsym(library, "opus_encode_float"), to: Encode.self)
    let destroy = unsafe unsafeBitCast(dlsym(library, "opus_encoder_destroy"), to: Destroy.self)
    // OPUS_APPLICATION_AUDIO
    guard let encoder = unsafe create(48_000, 2, 2_049, nil) else {
      Issue.record("libopus gives no encoder")
      return []
    }
    defer { unsafe destroy(encoder) }
    return (0..<count).map { packet in
      let samples = (0..<1_920).map { index in
        let time = Float(packet * 960 + index / 2) / 48_000
        return 0.3 * sin(2 * Float.pi * (200 * time + 150 * time * time))
      }
      var bytes = [UInt8](repeating: 0, count: 4_000)
      let size = unsafe encode(encoder, samples, 960, &bytes, 4_000)
      return Array(bytes.prefix(Int(size)))
    }
  }

  /// The samples of packets that follow each other, by a decoder of their own.
  private func decoded(_ packets: ArraySlice<[UInt8]>) throws -> [Float] {
    let decoder = try OpusDecoder(channelCount: 2, "test")
    var samples: [Float] = []
    for packet in packets {
      let isDecoded = unsafe decoder.decode(packet.span.bytes, count: 960, known: 0) { bytes in
        unsafe bytes.withUnsafeBytes { unsafe samples += $0.bindMemory(to: Float.self) }
      }
      #expect(isDecoded)
    }
    return samples
  }

  @Test func lostPacketsAreSilenceAndTheDecoderBeginsAnew() throws {
    let packets = try packets(60)
    let payload = try #require(PayloadFormat(name: "opus/48000/2"))
    let stream = try RecordedStream(payload)
    let lost = [10, 30, 31, 32]
    stream.send(
      packets.enumerated().filter { !lost.contains($0.offset) }.map {
        ($0.offset, 4_294_960_000 + $0.offset * 960, false, $0.element)
      })
    try stream.finish()
    #expect(
      stream.gaps == [
        DeviceGap(cause: .network, position: 9_600, lostSamplesPerChannel: 960),
        DeviceGap(cause: .network, position: 28_800, lostSamplesPerChannel: 2_880),
      ])
    let silence = [Float](repeating: 0, count: 1_920)
    let expected =
      try decoded(packets[..<10]) + silence + decoded(packets[11..<30]) + silence + silence
      + silence
      + decoded(packets[33...])
    #expect(stream.samples == expected)
    #expect(stream.latency == .milliseconds(1))
  }

  /// A packet without sound, and timestamps that leap, are silence that was meant; bytes that are no packet are a gap.
  @Test func silenceThatWasMeantIsNoGap() throws {
    let packets = try packets(20)
    let stream = try RecordedStream(try #require(PayloadFormat(name: "opus/48000/2")))
    var sent = packets.enumerated().map {
      (index: $0.offset, timestamp: $0.offset * 960, isMarked: false, payload: $0.element)
    }
    // The first byte alone: its length, and no sound.
    sent[5].payload = [packets[5][0]]
    for index in 10..<20 { sent[index].timestamp += 9_600 }
    // Two frames of unlike lengths whose first is longer than the packet.
    sent[15].payload = [packets[15][0] & 0xFC | 2, 0xFB, 1, 2]
    stream.send(sent)
    try stream.finish()
    #expect(
      stream.gaps == [DeviceGap(cause: .network, position: 24_000, lostSamplesPerChannel: 1_920)])
    // A packet is as long as its first byte says, and the next one follows it.
    #expect(stream.samples.count == (19_200 + 9_600 + 960) * 2)
    #expect(stream.samples[5 * 1_920..<6 * 1_920].allSatisfy { $0 == 0 })
    #expect(stream.samples[10 * 1_920..<20 * 1_920].allSatisfy { $0 == 0 })
    #expect(stream.samples[..<(5 * 1_920)].elementsEqual(try decoded(packets[..<5])))
  }
}
