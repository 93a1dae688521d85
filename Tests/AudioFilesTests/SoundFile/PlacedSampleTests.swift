// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import AudioStreams
@testable import AudioFiles

/// Samples that are not simply in a row: blocks with headers, planes, incomplete last blocks, and frames without sound.
@Suite struct PlacedSampleTests {
  let scratch = ScratchDirectory()

  private static func big(_ value: Int, _ size: Int) -> [UInt8] {
    WaveBytes.little(UInt64(value), size).reversed()
  }

  /// Two channels: left 1, 2, 3, right -1, -2, -3.
  private static func planar(claiming size: Int = 6) -> [UInt8] {
    var head = big(3, 4) + big(0, 4) + big(0, 4)
    head += big(8_000, 2) + [1, 0] + big(0x10000, 4)
    var body = Array("8SVXVHDR".utf8) + big(head.count, 4) + head
    body += Array("CHAN".utf8) + big(4, 4) + big(6, 4)
    body += Array("BODY".utf8) + big(size, 4)
    body += [1, 2, 3, 0xFF, 0xFE, 0xFD]
    return Array("FORM".utf8) + big(body.count, 4) + body
  }

  @Test func planesOf8SVX() throws {
    let path = try scratch.write(Self.planar())
    let expected = [1, -1, 2, -2, 3, -3].map { Double($0) / 128 }
    #expect(try record(SoundFileSource(path: path)).samples == expected)
    #expect(try record(SoundFileSource(path: path), block: 2).samples == expected)
    #expect(try record(SoundFileSource(path: path), skipping: 1).samples == Array(expected[2...]))
    // A cut right channel.
    let cut = try record(
      SoundFileSource(path: scratch.write(Array(Self.planar().dropLast()))))
    #expect(cut.samples == Array(expected[..<4]))
    #expect(cut.truncation?.claimedSamplesPerChannel == 3)
    #expect(cut.truncation?.actualSamplesPerChannel == 2)
  }

  /// A block of 8-bit sound at 8 kHz, more of it, silence, and a second block.
  private static func voice(secondRate: UInt64 = 8_000) -> [UInt8] {
    var bytes = Array("Creative Voice File\u{1A}".utf8) + [26, 0, 0x0A, 1, 0x29, 0x11]
    bytes += [9, 15, 0, 0] + WaveBytes.little(8_000, 4) + [8, 1] + [0, 0, 0, 0, 0, 0]
    bytes += [0x90, 0xA0, 0xB0]
    bytes += [2, 2, 0, 0, 0xC0, 0xD0]
    bytes += [5, 3, 0, 0, 0x68, 0x69, 0]
    bytes += [3, 3, 0, 0, 3, 0, 131]
    bytes += [9, 14, 0, 0] + WaveBytes.little(secondRate, 4) + [8, 1] + [0, 0, 0, 0, 0, 0]
    return bytes + [0x10, 0x20, 0]
  }

  @Test func blocksOfVOC() throws {
    let path = try scratch.write(Self.voice())
    let codes: [Int] = [0x90, 0xA0, 0xB0, 0xC0, 0xD0, 0x80, 0x80, 0x80, 0x80, 0x10, 0x20]
    let expected = codes.map { Double($0 - 128) / 128 }
    let back = try record(SoundFileSource(path: path))
    #expect(back.samples == expected)
    #expect(back.description.samplesPerChannel == 11)
    #expect(back.truncation == nil)
    for skipped in 1...10 {
      let rest = try record(SoundFileSource(path: path), skipping: Int64(skipped), block: 3)
      #expect(rest.samples == Array(expected[skipped...]))
    }
    let cut = try record(SoundFileSource(path: scratch.write(Array(Self.voice().dropLast(2)))))
    #expect(cut.samples == Array(expected.dropLast()))
    #expect(cut.truncation?.claimedSamplesPerChannel == 11)
  }

  /// A block of another rate ends the sound.
  @Test func aVOCFileOfTwoRates() throws {
    let back = try record(SoundFileSource(path: scratch.write(Self.voice(secondRate: 16_000))))
    #expect(back.samples.count == 9)
    #expect(back.truncation?.statesLength == false)
  }

  /// An incomplete last block is not padded with invented samples.
  @Test(arguments: [
    (SampleEncoding.imaADPCM, 60, 1 + (60 - 4) * 2),
    (.gsm610, 40, 0), (.imaADPCM, 3, 0),
  ])
  func lastBlocks(_ encoding: SampleEncoding, _ rest: Int, _ samplesOfRest: Int) throws {
    let path = scratch.file("whole")
    try storeMaterial(
      8_000, in: path, FileFormat(.wav, encoding), StreamFormat(sampleRate: 8_000, channelCount: 1),
      rate: 8_000)
    let whole = try record(SoundFileSource(path: path)).samples
    let file = WaveBytes(try contents(path))
    let format = try #require(file.body("fmt "))
    let blockSize = Int(format[12]) | Int(format[13]) << 8
    let perBlock = Int(format[18]) | Int(format[19]) << 8
    let data = try #require(file.chunks.first { $0.id == "data" })
    let kept = 3 * blockSize + rest
    var bytes = Array(file.bytes[..<(data.start + kept)])
    bytes.replaceSubrange(data.start - 4..<data.start, with: WaveBytes.little(UInt64(kept), 4))
    let count = 3 * perBlock + samplesOfRest
    // A wrong count for such a file is ignored.
    let source = SoundFileSource(path: try scratch.write(bytes, "cut"))
    let back = try record(source)
    #expect(back.samples == Array(whole.prefix(count)))
    #expect(back.description.samplesPerChannel == Int64(count))
    #expect(back.truncation == nil)
    guard samplesOfRest > 0 else { return }
    let fact = try #require(file.chunks.first { $0.id == "fact" })
    bytes.replaceSubrange(fact.start..<fact.start + 4, with: WaveBytes.little(UInt64(count - 5), 4))
    let stated = try record(SoundFileSource(path: scratch.write(bytes, "stated")))
    #expect(stated.samples == Array(whole.prefix(count - 5)))
  }

  /// Encoders fill their last block up, and `fact` states the samples of the sound.
  @Test(
    arguments: Container.wav.writableEncodings.filter { $0.bytesPerSample == nil },
    [1, 320, 321, 8_001])
  func aRoundTripKeepsTheLength(_ encoding: SampleEncoding, count: Int) throws {
    let path = scratch.file("n")
    try storeMaterial(
      count, in: path, FileFormat(.wav, encoding), StreamFormat(sampleRate: 8_000, channelCount: 1),
      rate: 8_000)
    let fact = try #require(WaveBytes(contents(path)).body("fact"))
    #expect(WaveBytes.word(fact, 0) == count)
    let back = try record(SoundFileSource(path: path))
    #expect(back.samples.count == count)
    #expect(back.description.samplesPerChannel == Int64(count))
    #expect(back.truncation == nil)
    // A length that lies in another block is wrong.
    guard let place = WaveBytes(try contents(path)).chunks.first(where: { $0.id == "fact" }) else {
      return
    }
    var bytes = try contents(path)
    bytes.replaceSubrange(place.start..<place.start + 4, with: WaveBytes.little(99_999, 4))
    let all = try record(SoundFileSource(path: scratch.write(bytes, "wrong"))).samples
    #expect(all.count >= count && all.prefix(count).elementsEqual(back.samples))
  }

  /// Another encoder's header, like LAME's, is no sound.
  @Test func aVBRIFrameIsNoSound() throws {
    let path = scratch.file("a.mp3")
    try storeMaterial(
      20_000, in: path, FileFormat(.mp3, .mpegLayer3),
      StreamFormat(sampleRate: 44_100, channelCount: 2))
    let bytes = try contents(path)
    let header = try #require(MpegFrameHeader(bytes))
    // Without the encoder's own header.
    let frames = Array(bytes[header.byteCount...])
    var frame = [UInt8](repeating: 0, count: header.byteCount)
    frame.replaceSubrange(0..<4, with: bytes[..<4])
    frame.replaceSubrange(36..<46, with: Array("VBRI".utf8) + [0, 1, 0, 0, 0, 75])
    let plain = try record(SoundFileSource(path: scratch.write(frames, "plain.mp3")))
    let back = try record(SoundFileSource(path: scratch.write(frame + frames, "vbri.mp3")))
    #expect(back.samples == plain.samples)
    #expect(back.description.samplesPerChannel == plain.description.samplesPerChannel)
    #expect(back.truncation == nil)
  }

  /// Bytes after the last page of an Ogg stream do not continue it; a page of another stream does.
  @Test func bytesBehindAnOggStream() throws {
    let path = scratch.file("a.ogg")
    try storeMaterial(
      20_000, in: path, FileFormat(.ogg, .vorbis), StreamFormat(sampleRate: 48_000, channelCount: 1)
    )
    let bytes = try contents(path)
    let whole = try record(SoundFileSource(path: path)).samples
    let behind = try record(
      SoundFileSource(path: scratch.write(bytes + (0..<96).map { UInt8($0) }, "behind.ogg")))
    #expect(behind.truncation == nil)
    #expect(behind.samples == whole)
    let next = try record(
      SoundFileSource(path: scratch.write(bytes + bytes.prefix(40), "next.ogg")))
    #expect(next.truncation != nil)
  }
}
