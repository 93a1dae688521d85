// SPDX-License-Identifier: Apache-2.0
import CSndfile
import TestSupport
import Testing

@testable import AudioFiles

/// Containers that are only read. libsndfile makes their files.
@Suite struct OlderContainerTests {
  struct File: Sendable, CustomTestStringConvertible {
    var container: Container
    var encoding: SampleEncoding
    var testDescription: String { "\(container.rawValue) \(encoding.rawValue)" }
    var rate: Int { container == .wve ? 8_000 : 44_100 }

    func information() -> SF_INFO {
      SF_INFO(
        sampleRate: rate, channelCount: 1, format: container.majorFormat | encoding.subtype)
    }
  }

  static let all = Container.allCases.filter {
    $0.row.isReadOnly && $0.majorFormat != 0 && $0 != .sd2
  }.flatMap { container in
    SampleEncoding.allCases.map { File(container: container, encoding: $0) }
  }.filter { $0.information().isWritable }

  let scratch = ScratchDirectory()

  /// Writes numbers on the grid of the encoding, in the upper bits of 32.
  private func write(_ file: File, _ count: Int) throws -> (path: String, samples: [Int32]) {
    let bits = file.encoding.isLossy && file.container == .wve ? 8 : file.encoding.significantBits
    let noise = Noise.integers(count)
    let grid = Int32(-1) << (32 - bits)
    let samples = noise.map { Int32(($0 * 0x1p31).rounded(.down)) & grid }
    let path = scratch.file("whole.\(file.container.rawValue)")
    var information = file.information()
    let handle = try unsafe #require(sf_open(path, Int32(SFM_WRITE), &information))
    #expect(unsafe sf_write_int(handle, samples, Int64(count)) == Int64(count))
    #expect(unsafe sf_close(handle) == 0)
    return (path, samples)
  }

  @Test(arguments: all)
  func theSamplesAreThoseWritten(_ file: File) throws {
    // A Sample Dump has blocks, of which libsndfile drops one that is not full.
    let (path, samples) = try write(file, 2_400)
    let back = try record(SoundFileSource(path: path))
    #expect(back.description.encoding == file.encoding)
    #expect(back.description.format.sampleRate == (try statedRate(path)))
    let numbers = back.samples.map { Int32(($0 * 0x1p31).rounded()) }
    if [.ulaw, .alaw].contains(file.encoding) {
      #expect(numbers.count >= samples.count)
      // A step of G.711 is at most a sixteenth of a value.
      for (number, sample) in zip(numbers, samples) {
        let difference = abs(Int64(number) - Int64(sample))
        #expect(difference <= max(Int64(sample.magnitude) / 16, 1 << 20))
      }
    } else {
      #expect(numbers.prefix(samples.count).elementsEqual(samples))
    }
  }

  private func statedRate(_ path: String) throws -> Int {
    var information = SF_INFO()
    let handle = try unsafe #require(sf_open(path, Int32(SFM_READ), &information))
    unsafe _ = sf_close(handle)
    return Int(information.samplerate)
  }

  /// A file cut anywhere gives an error or fewer samples, never other samples and never a crash.
  @Test(arguments: all)
  func aCutFileNeverGivesMore(_ file: File) throws {
    let (path, _) = try write(file, 2_400)
    let whole = try contents(path)
    let all = try record(SoundFileSource(path: path)).samples
    for length in stride(from: 0, to: whole.count, by: max(1, whole.count / 100)) {
      let cut = try scratch.write(Array(whole.prefix(length)), "cut")
      guard let back = try? record(SoundFileSource(path: cut)).samples else { continue }
      #expect(back.count <= all.count)
      if file.container.storesPlainSamples(file.encoding), file.container != .svx {
        #expect(back.elementsEqual(all.prefix(back.count)))
      }
    }
  }

  @Test(arguments: Container.allCases.filter(\.row.isReadOnly))
  func writingIsRefused(_ container: Container) throws {
    let error = #expect(throws: AudioError.self) { try FileFormat(container, .s16) }
    #expect(
      error?.description
        == "cannot store s16 in '\(container.rawValue)': files of that kind are only read;"
        + " write wav, flac or aiff")
  }
}
