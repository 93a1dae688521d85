import Foundation
import Testing

/// `rawaudio info` on files made here byte by byte.
@Suite struct InfoTests {
  /// A WAV file of `frames` × 4 bytes of silence whose header claims `claimed` × 4.
  private func wave(frames: Int, claimed: Int? = nil) -> Data {
    func bytes(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let size = 4 * (claimed ?? frames)
    var file = Array("RIFF".utf8) + bytes(36 + size, 4) + Array("WAVEfmt ".utf8) + bytes(16, 4)
    file += bytes(1, 2) + bytes(2, 2) + bytes(44_100, 4) + bytes(176_400, 4) + bytes(4, 2)
    file += bytes(16, 2) + Array("data".utf8) + bytes(size, 4)
    return Data(file + [UInt8](repeating: 0, count: 4 * frames))
  }

  @Test func forPeople() throws {
    let directory = try TemporaryDirectory()
    try wave(frames: 66_150).write(to: directory.file("a.wav"))
    let run = try runCommand("info", "a.wav", in: directory.url)
    #expect(
      run.outputText == """
        file:         a.wav
        container:    wav
        encoding:     s16, little-endian
        sample rate:  44100 Hz
        channels:     2
        duration:     0:00:01.500 (66150 samples per channel)

        """)
    #expect(run.standardError == "")
    #expect(run.ending == .exit(0))
  }

  @Test func forPrograms() throws {
    let directory = try TemporaryDirectory()
    let name = "a\u{1B}\"ü.wav"
    try wave(frames: 441, claimed: 882).write(to: directory.file(name))
    let run = try runCommand("info", "--json", name, in: directory.url)
    let read = try JSONSerialization.jsonObject(with: Data(run.standardOutput))
    let objects = try #require(read as? [[String: Any]])
    let object = try #require(objects.first)
    #expect(objects.count == 1)
    #expect(object["path"] as? String == name)
    #expect(object["container"] as? String == "wav")
    #expect(object["encoding"] as? String == "s16")
    #expect(object["byteOrder"] as? String == "little")
    #expect(object["sampleRate"] as? Int == 44_100)
    #expect(object["channelCount"] as? Int == 2)
    #expect(object["samplesPerChannel"] as? Int == 441)
    #expect(object["duration"] as? Double == 0.01)
    #expect(object["claimedSamplesPerChannel"] as? Int == 882)
  }

  @Test func aMissingFileFailsAndTheOthersAreShown() throws {
    let directory = try TemporaryDirectory()
    try wave(frames: 1).write(to: directory.file("a.wav"))
    let run = try runCommand("info", "no.wav", "a.wav", in: directory.url)
    #expect(run.ending == .exit(1))
    #expect(run.standardError == "rawaudio: cannot open 'no.wav': no such file\n")
    #expect(run.outputText.hasPrefix("file:         a.wav\n"))
  }
}
