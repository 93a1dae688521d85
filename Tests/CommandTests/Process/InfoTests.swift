import Foundation
import Testing

/// `rawaudio info` on files made here byte by byte.
@Suite struct InfoTests {
  /// A WAV file of silence, two channels of 16 bits, whose header claims `claimed` samples per channel.
  private func wave(_ samplesPerChannel: Int, claimed: Int? = nil) -> [UInt8] {
    WaveBytes.file(
      [UInt8](repeating: 0, count: 4 * samplesPerChannel), channelCount: 2, sampleRate: 44_100,
      claimed: claimed.map { 4 * $0 })
  }

  @Test func forPeople() throws {
    let directory = try TemporaryDirectory()
    try directory.write(wave(66_150), "a.wav")
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
    try directory.write(wave(441, claimed: 882), name)
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
    try directory.write(wave(1), "a.wav")
    let run = try runCommand("info", "no.wav", "a.wav", in: directory.url)
    #expect(run.ending == .exit(1))
    #expect(run.standardError == "rawaudio: cannot open 'no.wav': no such file\n")
    #expect(run.outputText.hasPrefix("file:         a.wav\n"))
  }
}
