// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import AudioStreams
@testable import AudioFiles

/// A cut file is reported in every container, by its header or by an incomplete last element.
@Suite struct TruncationTests {
  let scratch = ScratchDirectory()

  /// IRCAM states no length, and headerless data states nothing at all.
  static let telling: [WritableFormat] = WritableFormat.all.filter {
    ![.ircam, .raw].contains($0.container)
  }

  @Test(arguments: telling)
  func everyCutIsTold(_ file: WritableFormat) throws {
    let format = try file.format()
    let path = scratch.file("whole")
    try storeMaterial(
      12_345, in: path, FileFormat(file.container, file.encoding), format, rate: Double(file.rate))
    let whole = try record(SoundFileSource(path: path))
    #expect(whole.truncation == nil)
    #expect(try SoundFileInformation(path: path).truncation == nil)

    let bytes = try contents(path)
    var random = SeededRandom(seed: UInt64(bytes.count))
    for turn in 0..<10 {
      // Some cuts near the end, in a last block or page.
      let length =
        turn < 7
        ? Int.random(in: 1..<bytes.count, using: &random)
        : bytes.count - Int.random(in: 1..<min(200, bytes.count), using: &random)
      let cut = try scratch.write(Array(bytes.prefix(length)), "cut")
      guard let back = try? record(SoundFileSource(path: cut)) else { continue }
      let isTold = back.truncation != nil
      #expect(
        isTold || back.samples.count == whole.samples.count,
        "\(length) of \(bytes.count) bytes give \(back.samples.count) samples")
      #expect(back.samples.count <= whole.samples.count)
      if isTold, let truncation = back.truncation {
        #expect(
          truncation.actualSamplesPerChannel
            == Int64(back.samples.count / format.channelCount))
        #expect(truncation.claimedSamplesPerChannel > truncation.actualSamplesPerChannel)
      }
      // The claimed length is delivered, or its lack is reported.
      if let claimed = back.description.samplesPerChannel, !isTold {
        #expect(claimed == Int64(back.samples.count / format.channelCount))
      }
    }
  }

  /// Containers of plain samples. HTK is known by its length only.
  static let plain = telling.filter {
    $0.container.storesPlainSamples($0.encoding) && $0.container != .htk
  }

  /// The present samples are read at every cut.
  @Test(arguments: plain)
  func halfAFileIsRead(_ file: WritableFormat) throws {
    let format = try file.format()
    let path = scratch.file("whole")
    try storeMaterial(
      30_000, in: path, FileFormat(file.container, file.encoding), format, rate: Double(file.rate))
    let whole = try record(SoundFileSource(path: path)).samples
    let bytes = try contents(path)
    for length in [bytes.count / 2, bytes.count / 2 + 1, bytes.count * 9 / 10 + 3] {
      let cut = try scratch.write(Array(bytes.prefix(length)), "cut")
      let back = try record(SoundFileSource(path: cut))
      #expect(back.samples.count > whole.count * (length - 5_000) / bytes.count)
      #expect(back.samples == Array(whole.prefix(back.samples.count)))
      let truncation = try #require(back.truncation)
      #expect(truncation.claimedSamplesPerChannel == 30_000)
      #expect(
        truncation.actualSamplesPerChannel
          == Int64(back.samples.count / format.channelCount))
      #expect(back.description.samplesPerChannel == truncation.actualSamplesPerChannel)
      #expect(try SoundFileInformation(path: cut).truncation == truncation)
      let rest = try record(SoundFileSource(path: cut), skipping: 5_000).samples
      #expect(rest == Array(back.samples.dropFirst(5_000 * format.channelCount)))
    }
  }

  /// A header of CAF may claim any length.
  @Test func aClaimWithoutLimit() throws {
    let format = try StreamFormat(sampleRate: 44_100, channelCount: 6)
    let path = scratch.file("a.caf")
    try storeMaterial(20_000, in: path, FileFormat(.caf, .s16), format)
    let whole = try record(SoundFileSource(path: path)).samples
    var bytes = try contents(path)
    let data = try #require(bytes.indices.first { bytes.has("data", at: $0) })
    bytes.replaceSubrange(data + 4..<data + 12, with: [0, 1] + [UInt8](repeating: 0xFF, count: 6))
    let back = try record(SoundFileSource(path: scratch.write(bytes, "long.caf")))
    // Bytes after the samples are read as samples.
    #expect(back.samples.starts(with: whole))
    #expect(try #require(back.truncation).claimedSamplesPerChannel == ((1 << 49) - 5) / 12)
  }

  /// A stream without a stated length shows a cut in its last frame.
  @Test func framesWithoutAHeaderTellACut() throws {
    let format = try StreamFormat(sampleRate: 44_100, channelCount: 1)
    let path = scratch.file("a.mp3")
    try storeMaterial(20_000, in: path, FileFormat(.mp3, .mpegLayer3), format)
    let bytes = try contents(path)
    let header = try #require(MpegFrameHeader(bytes))
    let frames = Array(bytes[header.byteCount...])
    let whole = try record(SoundFileSource(path: scratch.write(frames, "frames.mp3")))
    #expect(whole.truncation == nil)
    let cut = try record(SoundFileSource(path: scratch.write(Array(frames.dropLast(3)), "cut.mp3")))
    let truncation = try #require(cut.truncation)
    #expect(!truncation.statesLength)
    #expect(cut.samples.count == whole.samples.count - 1_152)
  }

  /// The file of a program killed while it writes.
  @Test func anOggStreamWithoutItsLastPageIsTold() throws {
    let format = try StreamFormat(sampleRate: 48_000, channelCount: 1)
    let path = scratch.file("a.ogg")
    try storeMaterial(200_000, in: path, FileFormat(.ogg, .vorbis), format)
    let bytes = try contents(path)
    let last = try #require(
      bytes.indices.last { bytes.count > $0 + 4 && bytes.has("OggS", at: $0) })
    let cut = try record(SoundFileSource(path: scratch.write(Array(bytes[..<last]), "cut.ogg")))
    let truncation = try #require(cut.truncation)
    #expect(!truncation.statesLength)
    #expect(truncation.actualSamplesPerChannel == Int64(cut.samples.count))
    // Tags after the last page do not hide it.
    let tagged = try scratch.write(bytes + TagBytes.id3v1, "tagged.ogg")
    #expect(try record(SoundFileSource(path: tagged)).truncation == nil)
  }
}
