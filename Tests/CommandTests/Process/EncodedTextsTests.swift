// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Texts of any kind reach a file that ffmpeg writes, or are named as lost.
@Suite struct EncodedTextsTests {
  private func directory() throws -> TemporaryDirectory {
    let directory = TemporaryDirectory()
    try directory.mustRun("rawaudio convert noise:white -d 0.1 -r 48000 -c 1 -f s16 -o in.wav")
    return directory
  }

  /// Returns the texts of a file, by names in capitals, as ffprobe reads them.
  private func texts(_ name: String, in directory: TemporaryDirectory) throws -> [String: String] {
    let run = try directory.pipeline(
      "ffprobe -v error -show_entries format_tags:stream_tags=language -of json \(name)")
    let json = try JSONSerialization.jsonObject(with: Data(run.outputText.utf8))
    var texts: [String: String] = [:]
    func visit(_ value: Any) {
      if let object = value as? [String: Any] {
        for (key, value) in object {
          if let text = value as? String { texts[key.uppercased()] = text } else { visit(value) }
        }
      } else if let list = value as? [Any] {
        list.forEach(visit)
      }
    }
    visit(json)
    return texts
  }

  /// Names and values of signs that mean something in ffmpeg's format, or join with the sign before.
  @Test(arguments: ["mka", "wma", "aac", "m4a"], 0..<4)
  func everyTextArrivesOrIsNamed(_ kind: String, _ seed: Int) throws {
    let directory = try directory()
    var noise = Noise(UInt64(seed))
    // The names of --tag are those of Vorbis comments: printable ASCII.
    let inNames = ["[", "]", ";", "#", "\\", "A", "/", "CHAPTER]"]
    let inValues =
      inNames + [
        " ", "\u{301}", "Ü", "🎧", "=", "\n", "\r", "\r\n", "\t", "\u{1}", "\u{2028}", "x",
        "\n[STREAM]\n",
      ]
    func text(of signs: [String]) -> String {
      (0..<Int.random(in: 1...6, using: &noise)).map { _ in
        signs[Int.random(in: signs.indices, using: &noise)]
      }.joined()
    }
    var wanted = ["[STREAM]": text(of: inValues), "[CHAPTER]": text(of: inValues)]
    wanted["TITLE"] = text(of: inValues)
    for number in 0..<2 { wanted["N\(number)" + text(of: inNames)] = text(of: inValues) }
    var arguments = ["convert", "in.wav", "-o", "out.\(kind)"]
    for (key, value) in wanted { arguments += ["--tag", "\(key)=\(value)"] }
    let run = try directory.run(arguments)
    #expect(run.ending == .exit(0), "\(run.standardError)")
    let found = try texts("out.\(kind)", in: directory)
    let lost = run.standardError.uppercased()
    for (key, value) in wanted {
      let arrived = found[key.uppercased()] == value
      #expect(
        arrived != lost.contains(key.uppercased()), "\(key): \(value.debugDescription), \(lost)")
    }
    #expect(try directory.run("convert", "-q", "out.\(kind)", "-o", "back.wav").ending == .exit(0))
  }

  /// A zero byte would end the line, so that the rest and all further texts were lost.
  @Test func aZeroByteIsNamed() throws {
    let directory = try directory()
    try directory.mustRun(
      "rawaudio convert in.wav --tag AAA=1 --tag BBB=xyz --tag CCC=3 -o in.flac && rawaudio convert in.wav -o plain.flac"
    )
    var bytes = try directory.bytes("in.flac")
    let old = Array("BBB=xyz".utf8)
    let place = try #require(bytes.indices.first { bytes[$0...].starts(with: old) })
    bytes[place + 5] = 0
    try directory.write(bytes, "zero.flac")
    let run = try directory.run("convert", "zero.flac", "-o", "out.mka", "--fail-on", "metadata")
    let found = try texts("out.mka", in: directory)
    #expect(found["AAA"] == "1" && found["CCC"] == "3")
    #expect(found["BBB"] != nil || run.ending == .exit(2), "\(run.standardError)")
    #expect(found["BBB"] != nil || run.standardError.contains("BBB"))
  }

  /// MPEG-4 has the language in the head of a track, and the time in that of the movie.
  @Test(arguments: [
    ("m4a", "deu", "2008-05-11T18:20:15Z", []), ("m4b", "eng", "2026-01-02T03:04:05.000000Z", []),
    ("m4a", "German", "2008-05-11T18:20:15Z", ["LANGUAGE"]),
    ("m4a", "deu", "soon", ["CREATION_TIME"]),
    ("m4a", "de", "1803-05-11T18:20:15Z", ["CREATION_TIME", "LANGUAGE"]),
  ])
  func languageAndTimeHaveAPlaceInMPEG4(
    _ kind: String, _ language: String, _ time: String, _ lost: [String]
  ) throws {
    let directory = try directory()
    let run = try directory.run(
      "convert", "in.wav", "--tag", "CREATION_TIME=\(time)", "--tag", "LANGUAGE=\(language)", "-o",
      "out.\(kind)", "--fail-on", "metadata")
    #expect(run.ending == .exit(lost.isEmpty ? 0 : 2))
    let noun = lost.count == 1 ? "tag" : "tags"
    #expect(
      run.standardError
        == (lost.isEmpty
          ? ""
          : "rawaudio: 'out.\(kind)' does not carry \(noun) \(lost.joined(separator: ", ")) (\(kind) has no place for it)\n")
    )
    let found = try texts("out.\(kind)", in: directory)
    #expect(found["LANGUAGE"] == (lost.contains("LANGUAGE") ? "und" : language))
    #expect(
      found["CREATION_TIME"]?.prefix(19) == (lost.contains("CREATION_TIME") ? nil : time.prefix(19))
    )
    // They come back, and go on.
    let back = try directory.run(
      "convert", "-q", "out.\(kind)", "-o", "again.\(kind)", "--fail-on", "metadata")
    #expect(back.ending == .exit(0), "\(back.standardError)")
  }
}
