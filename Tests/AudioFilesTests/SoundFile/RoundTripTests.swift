// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import AudioFiles

/// A writable pair of container and encoding.
struct WritableFormat: Sendable, CustomTestStringConvertible {
  var container: Container
  var encoding: SampleEncoding
  var testDescription: String { "\(container.rawValue) \(encoding.rawValue)" }

  static let all = Container.allCases.flatMap { container in
    container.writableEncodings.map { WritableFormat(container: container, encoding: $0) }
  }

  /// The bits of the grid on which samples survive; nil for lossy codecs.
  var exactBits: Int? { encoding.isLossy && !isDPCM ? nil : encoding.significantBits }
  /// libsndfile's DPCM stores the differences of whole samples: it is lossless.
  private var isDPCM: Bool { encoding == .dpcm8 || encoding == .dpcm16 }

  var rate: Int { container == .htk ? 8_000 : 48_000 }

  func format() throws -> StreamFormat {
    let most = container.largestChannelCount(for: encoding)
    return try StreamFormat(sampleRate: rate, channelCount: min(2, most))
  }
}

@Suite struct RoundTripTests {
  let scratch = ScratchDirectory()

  @Test(arguments: WritableFormat.all)
  func everyWritableFormatComesBack(_ file: WritableFormat) throws {
    let format = try file.format()
    var samples = material(
      2_500, channels: format.channelCount, bits: min(file.exactBits ?? 16, 24),
      rate: Double(file.rate))
    if file.encoding == .ulaw || file.encoding == .alaw { samples = try companded(samples, file) }
    let path = scratch.file("out")
    let sink = SoundFileSink(path: path, format: try FileFormat(file.container, file.encoding))
    try store(samples, sink, format)

    let container: Container? = file.container == .raw ? .raw : nil
    let source = SoundFileSource(
      path: path, container: container,
      headerless: HeaderlessFormat(format, file.encoding))
    let back = try record(source)
    #expect(back.description.encoding == file.encoding)
    #expect(back.description.format.channelCount == format.channelCount)
    #expect(back.truncation == nil)
    if file.encoding.bytesPerSample != nil {
      #expect(back.samples.count == samples.count)
    }
    if file.exactBits != nil {
      // Block codecs deliver whole blocks, padded with silence.
      #expect(back.samples.count >= samples.count)
      #expect(back.samples.prefix(samples.count).elementsEqual(samples))
    } else {
      try expectSimilar(samples, back.samples, file.encoding)
    }
  }

  /// Returns the samples rounded to the values of G.711 bytes.
  private func companded(_ samples: [Double], _ file: WritableFormat) throws -> [Double] {
    guard let layout = SampleLayout(file.encoding) else { return samples }
    var bytes = [UInt8](repeating: 0, count: samples.count)
    var span = bytes.mutableSpan
    var raw = unsafe span.mutableBytes
    _ = Double.encode(samples.span, as: layout, into: &raw)
    return [Double](capacity: samples.count) { output in
      unsafe Double.decode(bytes.span.bytes, as: layout, into: &output)
    }
  }

  private func expectSimilar(
    _ samples: [Double], _ back: [Double], _ encoding: SampleEncoding
  ) throws {
    let floor: Double =
      switch encoding {
      case .gsm610, .voxADPCM, .nmsADPCM16, .g723At24: 3
      case .nmsADPCM24, .nmsADPCM32, .g721, .g723At40: 6
      default: 15
      }
    // A codec may delay its signal: the best match counts. The loud first samples are excluded.
    let reference = samples[1_000..<2_000]
    var best = -Double.infinity
    for lag in stride(from: 0, through: min(1_200, max(0, back.count - 2_000)), by: 1) {
      best = max(best, signalToNoise(reference, back[(1_000 + lag)..<(2_000 + lag)]))
    }
    #expect(best > floor, "best match \(best) dB")
  }
}
