// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Files of infinities and NaN are reported as such, and not as silence.
@Suite struct NotFiniteTests {
  private let directory = TemporaryDirectory()

  /// A second each of infinities, of NaN, and of a tone with three infinities in its middle.
  init() throws {
    let infinity: [UInt8] = [0, 0, 0x80, 0x7F]
    let half: [UInt8] = [0, 0, 0, 0x3F]
    func write(_ samples: [[UInt8]], _ name: String) throws {
      try directory.write(Array(samples.joined()), "\(name).raw")
      try directory.mustRun(
        """
        rawaudio convert \(name).raw --input-type raw --input-rate 8000 --input-channels 1 --input-format f32 \
          -q -f f32 -o \(name).wav
        """)
    }
    try write(Array(repeating: infinity, count: 8_000), "infinite")
    try write(Array(repeating: [0, 0, 0xC0, 0x7F], count: 8_000), "nan")
    var some = Array(repeating: half, count: 8_000)
    for index in 4_000..<4_003 { some[index] = infinity }
    try write(some, "some")
  }

  private func measured(_ name: String) throws -> [String: Any] {
    let run = try directory.run("measure", "--json-lines", "\(name).wav")
    #expect(run.ending == .exit(0))
    return try #require(
      try JSONSerialization.jsonObject(with: Data(run.standardOutput)) as? [String: Any])
  }

  @Test(arguments: [("infinite", 8_000, 1), ("nan", 8_000, 0), ("some", 3, 1)])
  func programsAreTold(_ name: String, _ count: Int, _ runs: Int) throws {
    let found = try measured(name)
    #expect(found["notFinite"] as? Int == count)
    #expect(found["clippedRuns"] as? Int == runs)
    for key in ["longestSilence", "silenceAtStart", "silenceAtEnd"] {
      #expect(found[key] as? Double == 0, "\(key)")
    }
    for key in [
      "loudness", "truePeak", "samplePeak", "rms", "dcOffset", "effectiveBits", "bandwidth",
    ] {
      #expect(found[key] is NSNull, "\(key)")
    }
    let channels = try #require(found["channels"] as? [[String: Any]])
    #expect(channels.map { $0["dead"] as? Bool } == [false])
    #expect(channels.map { $0["notFinite"] as? Int } == [count])
  }

  /// The page and the notes beside the table agree with the JSON.
  @Test(arguments: [
    ("infinite", "8000 samples that are not finite numbers"),
    ("nan", "8000 samples that are not finite numbers"),
    ("some", "3 samples that are not finite numbers"),
  ])
  func peopleAreTold(_ name: String, _ what: String) throws {
    let note = "rawaudio: '\(name).wav' holds \(what), and so has no level\n"
    let page = try directory.run("measure", "\(name).wav")
    let number = what.split(separator: " ")[0]
    let row = "  not finite" + String(repeating: " ", count: 30 - number.count) + number + "\n"
    #expect(page.outputText.components(separatedBy: row).count == 3, "\(page.outputText)")
    #expect(page.outputText.contains("  silence (s)                        0.000\n"))
    #expect(!page.outputText.contains("dead\n"))
    #expect(page.standardError == note)
    let table = try directory.run("measure", "\(name).wav", "\(name).wav")
    #expect(table.standardError == note + note)
    let limit = try directory.run("measure", "-q", "--expect", "not-finite=0", "\(name).wav")
    #expect(limit.ending == .exit(2))
    #expect(
      limit.standardError.contains("'\(name).wav': not-finite is \(number), expected not-finite=0"))
  }

  @Test(arguments: [
    ("infinite", "8000 samples that are not finite numbers; its level stays as it is"),
    ("nan", "8000 samples that are not finite numbers; its level stays as it is"),
    ("some", "3 samples that are not finite numbers; they have no part in its peak"),
  ])
  func normalizing(_ name: String, _ note: String) throws {
    let run = try directory.run(
      "convert", "\(name).wav", "--normalize", "-1", "-f", "f32", "-o", "out.wav")
    #expect(run.ending == .exit(0))
    #expect(run.standardError.hasPrefix("rawaudio: '\(name).wav' holds \(note)\n"))
    #expect(!run.standardError.contains("silent"))
  }

  @Test func levellingByLoudness() throws {
    let run = try directory.run(
      "convert", "some.wav", "--loudness", "-16", "-f", "f32", "-o", "out.wav")
    #expect(run.ending == .exit(0))
    #expect(
      run.standardError.contains(
        "rawaudio: 'some.wav' holds 3 samples that are not finite numbers; its level stays as it is\n"
      ))
  }
}
