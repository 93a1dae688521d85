// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// The report of `rawaudio convert --results` on many files.
@Suite struct ManyFilesResultsTests: ManyFiles {
  let directory = TemporaryDirectory()

  @Test func aLine() throws {
    _ = try directory.writeSounds(1)
    try directory.write(
      Array(#"{"source":"in/00.wav","id":"u1","offset":0.05,"duration":0.025}"#.utf8), "list")
    let run = try self.run("--list", "list", "--gain", "20", "-o", "o/{id}.wav", "--results", "-")
    #expect(run.ending == .exit(0))
    let clipped = try #require(
      run.outputText.firstMatch(of: /"clippedSamples":(\d+)/).flatMap { Int($0.output.1) })
    #expect(clipped > 0)
    let sum = try directory.pipeline("rawaudio convert o/u1.wav -t raw -o - | md5sum")
    let digest = sum.outputText.prefix(32)
    #expect(
      run.outputText == """
        {"schema":1,"source":"in/00.wav","id":"u1","output":"o/u1.wav","status":"done","error":null,\
        "sampleRate":44100,"channels":1,"encoding":"s16","samplesPerChannel":1103,\
        "duration":0.025011337868480726,"sourceStart":2205,"sourceEnd":3308,"overlap":0,"sourceSampleRate":44100,"clippedSamples":\(clipped),"truncated":false,\
        "short":false,"md5":"\(digest)","decoder":null,"lostMetadata":[]}

        """)
    run.expectMessages("\(clipped) samples clipped in 'o/u1.wav'; lower the gain")
    #expect(
      try self.run(
        "--list", "list", "--gain", "20", "-o", "o/{id}.flac", "--fail-on", "clip", "-q"
      ).ending == .exit(2))
  }

  /// Equal samples have an equal MD5 in every container: the MD5 that a FLAC file states.
  @Test(arguments: [
    ("s16", ["wav", "aiff", "au", "caf", "w64", "flac"]), ("s24", ["wav", "aiff", "rf64", "flac"]),
    ("s8", ["aiff", "flac"]), ("f32", ["wav", "aiff", "au"]), ("ulaw", ["wav", "au"]),
  ])
  func digests(encoding: String, containers: [String]) throws {
    _ = try directory.writeSounds(1)
    var digests: [String] = []
    for container in containers {
      let run = try self.run(
        "in/00.wav", "-c", "2", "-f", encoding, "-o", "x.\(container)", "--results", "-")
      #expect(run.ending == .exit(0), "\(run.standardError)")
      let digest = run.outputText.firstMatch(of: /"md5":"([0-9a-f]{32})"/)
      digests.append(digest.map { String($0.output.1) } ?? "none")
    }
    #expect(Set(digests).count == 1, "\(digests)")
    if containers.last == "flac" {
      // STREAMINFO, after the mark and two headers: the last 16 of its 34 bytes.
      let stated = try directory.bytes("x.flac")[26..<42].map { String(format: "%02x", $0) }
      #expect(stated.joined() == digests[0])
    } else {
      let data = try directory.pipeline("rawaudio convert x.wav -t raw -o - | md5sum")
      #expect(String(data.outputText.prefix(32)) == digests[0])
    }
    // Unsigned eight bits hold equal samples.
    if encoding == "s8" {
      let run = try self.run("x.flac", "-f", "u8", "-o", "y.wav", "--results", "-")
      #expect(run.outputText.contains(digests[0]))
    }
    let lossy = try self.run("in/00.wav", "-o", "x.ogg", "--results", "-")
    #expect(lossy.outputText.contains(#""md5":null"#))
  }

  /// `null:` has the MD5, the clipped samples and the encoding of a WAV file.
  @Test(arguments: [
    [], ["-r", "8000", "-c", "2"], ["-f", "s24", "--dither", "tpdf"], ["-f", "f32"],
    ["-f", "ulaw"],
    ["--gain", "20"],
  ])
  func droppedSamplesHaveADigest(_ options: [String]) throws {
    _ = try directory.writeSounds(3)
    func facts(_ output: String) throws -> [[String: String]] {
      let line = ["convert", "in/00.wav", "in/01.wav", "in/02.wav", "-o", output, "--results", "-"]
      let run = try directory.run(line + ["--jobs", "1"] + options)
      #expect(run.ending == .exit(0), "\(run.standardError)")
      return try run.outputText.split(separator: "\n").map { line in
        let read = try JSONSerialization.jsonObject(with: Data(line.utf8))
        let object = try #require(read as? [String: Any])
        return object.filter { $0.key != "output" }.mapValues { "\($0)" }
      }
    }
    let dropped = try facts("null:")
    #expect(dropped.count == 3 && dropped[0]["md5"]?.count == 32)
    #expect(dropped == (try facts("o/{stem}.wav")))
  }
}
