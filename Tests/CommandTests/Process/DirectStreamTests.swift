// SPDX-License-Identifier: Apache-2.0
import Testing

/// Direct Stream Digital, which ffmpeg decodes.
@Suite struct DirectStreamTests {
  /// One bit at 2.8 MHz is no lossy codec: what ffmpeg gives in floating point stays so, or has 24 bits.
  @Test func directStreamDigitalIsNotLossy() throws {
    let directory = TemporaryDirectory()
    var bytes = Noise(1)
    let sound = bytes.bytes(4_096 * 8)
    func numbers(_ values: [(Int, Int)]) -> [UInt8] {
      values.flatMap { value, size in
        (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
      }
    }
    // Source: "DSF File Format Specification" 1.01.
    let format = numbers([
      (52, 8), (1, 4), (0, 4), (1, 4), (1, 4), (2_822_400, 4), (1, 4), (sound.count * 8, 8),
      (4_096, 4), (0, 4),
    ])
    let file =
      Array("DSD ".utf8) + numbers([(28, 8), (92 + sound.count, 8), (0, 8)]) + Array("fmt ".utf8)
      + format + Array("data".utf8) + numbers([(12 + sound.count, 8)]) + sound
    try directory.write(file, "x.dsf")
    let run = try directory.pipeline(
      """
      rawaudio convert -q x.dsf -o x.wav && rawaudio convert -q x.dsf -r 88200 --gain -6 -o x.flac
      rawaudio info x.wav x.flac | grep encoding; rawaudio convert -q x.wav -t raw -o mine
      ffmpeg -nostdin -v error -i x.dsf -f f32le their && cmp mine their
      """)
    #expect(run.outputText == "encoding:     f32, little-endian\nencoding:     s24\n")
    #expect(run.standardError == "")
  }
}
