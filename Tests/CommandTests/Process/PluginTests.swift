// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// `--observe …:ladspa=…` and `…:lv2=…`: correct plug-ins keep every sample in place, and faulty ones fail alone.
@Suite struct PluginTests {
  private let directory = TemporaryDirectory()
  private let samples: [Int16]

  init() throws {
    var noise = Noise(48)
    samples = noise.samples(30_000, peak: 12_000)
    try directory.write(WaveBytes.file(samples, sampleRate: 48_000), "a.wav")
  }

  private func convert(_ observer: String, _ more: String = "") throws -> ProcessRun {
    try directory.pipeline(
      "rawaudio convert a.wav -o b.wav --observe 'record\(observer)' \(more)",
      environment: FaultyPlugins.environment())
  }

  private func result() throws -> [Int16] { try WaveBytes.samples(directory.bytes("b.wav")) }

  @Test(arguments: [
    ":ladspa=faulty:gain", ":ladspa=faulty:late", ",block=64:ladspa=faulty:late",
    ",block=8192:ladspa=faulty:late", ":ladspa=faulty:print", ":ladspa=faulty:fork",
    ":lv2=urn:rawaudio:test:gain", ",block=16:lv2=Test Gain",
    ":lv2=test gain,preset=Double,gain=1",
  ])
  func nothingMoves(_ observer: String) throws {
    try convert(observer).expectExit(0)
    #expect(try result() == samples)
  }

  @Test(arguments: [
    (":ladspa=faulty:gain,amount_x=2", 2.0), (":ladspa=faulty:late,amount_x=0.5", 0.5),
    (":lv2=test gain,gain=half", 0.5), (":lv2=test gain,preset=double", 2),
    (":lv2=test gain,preset=double,gain=0.25", 0.25),
    (":ladspa=faulty:late,Amount (x)=-6.0206dB", 0.5),
  ])
  func settings(_ observer: String, _ factor: Double) throws {
    let run = try convert(observer)
    #expect(run.standardError == "")
    let result = try result()
    #expect(result.count == samples.count)
    #expect(zip(result, samples).allSatisfy { abs(Double($0) - Double($1) * factor) <= 0.51 })
  }

  /// A plug-in of one channel has an instance per channel; one of two channels takes both.
  @Test func channels() throws {
    try directory.write(WaveBytes.file(samples, channelCount: 2, sampleRate: 48_000), "a.wav")
    #expect(try convert(":ladspa=faulty:late").standardError == "")
    #expect(try result() == samples)
    let swapped = stride(from: 0, to: samples.count, by: 2).flatMap {
      [samples[$0 + 1], samples[$0]]
    }
    #expect(try convert(":ladspa=faulty:swap", "--force").standardError == "")
    #expect(try result() == swapped)
  }

  @Test(arguments: [
    ("liar", "", 0),
    (
      "changing",
      "its latency changed from 100 to 300 samples at sample 11264; the sound was cut there to stay in place",
      0
    ),
    ("none", "it gave 100 samples that are not finite numbers; silence stands in for them", 0),
  ])
  func whatIsTold(_ label: String, _ text: String, _ code: Int32) throws {
    let run = try convert(":ladspa=faulty:\(label)")
    #expect(
      run.standardError
        == (text.isEmpty ? "" : "rawaudio: observer 'record:ladspa=faulty:\(label)': \(text)\n"))
    #expect(run.ending == .exit(code))
    let result = try result()
    #expect(result.count == samples.count)
    switch label {
    case "liar":
      #expect(result.prefix(50).allSatisfy { $0 == 0 })
      #expect(Array(result.dropFirst(50)) == Array(samples.dropLast(50)))
    case "none":
      #expect(result == samples.enumerated().map { 5_000..<5_100 ~= $0 ? 0 : $1 })
    default:
      // A block of 1024 was done before the plug-in reported its new latency: its last samples are 200 late.
      #expect(result.prefix(10_100) == samples.prefix(10_100))
      #expect(Array(result.dropFirst(10_964)) == Array(samples.dropFirst(10_964)))
    }
  }

  @Test(arguments: [
    "crash": "it was killed by signal 11 (segmentation fault) (",
    "refuse": "it cannot be made for 48000 Hz",
    "unborn": "it was killed by signal 11 (segmentation fault)",
    "exit": "it ended the process that it lives in (",
    "hungry": "it was killed by signal 11 (segmentation fault) (",
    "hang": "neither its input nor its output moved for 0.5 seconds (",
    "swap": "it has 2→2 channels, and the stream has 1; put channels=2 in front of the colon",
  ])
  func offlineAFaultEndsTheRun(_ label: String, _ reason: String) throws {
    let run = try convert("\(label == "hang" ? ",timeout=0.5s" : "")\(":ladspa=faulty:")\(label)")
    // The number of samples it received by then depends on timing.
    #expect(run.standardError.hasPrefix("rawaudio: cannot run 'faulty:\(label)': \(reason)"))
    #expect(run.standardError.split(separator: "\n").count == 1)
    #expect(run.ending == .exit(1))
    #expect(directory.names == ["a.wav"])
  }

  @Test(arguments: [
    "ladspa=nothing": "no LADSPA plug-in has that name; 'rawaudio plugins' lists all of them",
    "ladspa=faulty:gain,level=3": "gain has no setting level; it has amount_x",
    "ladspa=faulty:gain,amount_x=11": "11 is out of range for Amount (x); it takes 0 to 10",
    "ladspa=faulty:gain,amount_x=much": "'much' is no value of Amount (x); it takes 0 to 10",
    "lv2=test gain,preset=Triple": "Test Gain has no such preset; there are Double",
    "ladspa=faulty:gain,amount_x": "'amount_x' is no key=value",
  ])
  func wrongWords(_ kind: String, _ reason: String) throws {
    let run = try convert(":\(kind)")
    #expect(
      run.standardError.hasPrefix(
        "Error: The value 'record:\(kind)' is invalid for '--observe <observer>': \(reason)\n"))
    #expect(run.ending == .exit(64))
    #expect(directory.names == ["a.wav"])
  }

  @Test func severalMatch() throws {
    let run = try convert(":ladspa=faulty")
    #expect(
      run.standardError.contains("14 plug-ins match: faulty:gain, faulty:late, faulty:liar, "))
    #expect(run.ending == .exit(64))
  }

  @Test func aFeatureThatThereIsNot() throws {
    let run = try convert(":lv2=urn:rawaudio:test:strange")
    run.expectExit(
      1,
      "cannot run 'urn:rawaudio:test:strange': it needs the feature "
        + "urn:rawaudio:test:no-such-feature, which is missing here")
  }

  @Test func whatThePluginLogs() throws {
    let run = try convert(":lv2=test gain", "-r 8000")
    #expect(run.standardError == "")
    let refused = try convert(",rate=8000:lv2=test gain", "--force")
    refused.expectMessages("cannot run 'urn:rawaudio:test:gain': 8000 Hz are too few")
  }

  /// Descriptions are kept until a file in the folders changes; a file that is not whole, or that others may write, is
  /// ignored. A changed name shows which ones are told.
  @Test func keptDescriptions() throws {
    let folder = try FaultyPlugins.directory.get().url.path
    try directory.pipeline("mkdir p l && cp -r '\(folder)/test.lv2' p").requireSuccess()
    let here = directory.url.path
    func list(after line: String) throws -> String? {
      try directory.pipeline(line).requireSuccess()
      let run = try runCommand(
        "plugins",
        environment: [
          "LV2_PATH": "\(here)/p", "LADSPA_PATH": "\(here)/l", "XDG_CACHE_HOME": "\(here)/c/d",
        ])
      #expect(run.standardError == "" && run.ending == .exit(0))
      return ["Test Gain", "Kept Gain"].first { run.text.contains($0) }
    }
    let rename = "sed -i '/interface/s/Test Gain/Kept Gain/' c/d/rawaudio/plugins.jsonl"
    #expect(try list(after: "true") == "Test Gain")
    #expect(try list(after: rename) == "Kept Gain")
    for change in [
      "touch -d 2001-02-03 p/test.lv2/manifest.ttl", "mkdir p/new.lv2",
      "echo '#' > p/new.lv2/a.ttl",
      "touch l/x.so", "sed -i '$d' c/d/rawaudio/plugins.jsonl",
      "echo '{' > c/d/rawaudio/plugins.jsonl",
      "chmod o+w c/d/rawaudio/plugins.jsonl", "rm -r c", "rm -r c && ln -s /dev/null c",
    ] {
      #expect(try list(after: change) == "Test Gain", "\(change)")
      if !change.hasSuffix(" c") { #expect(try list(after: rename) == "Kept Gain", "\(change)") }
    }
    #expect(try list(after: "rm c") == "Test Gain")
  }

  @Test func theList() throws {
    let environment = try FaultyPlugins.environment()
    let list = try runCommand("plugins", "ga", environment: environment)
    #expect(
      list.text == """
        gain       1→1  latency    ladspa=faulty:gain
        Test Gain  1→1             lv2=urn:rawaudio:test:gain

        """)
    let page = try runCommand("plugins", "test gain", environment: environment)
    #expect(
      page.text == """
        Test Gain
          lv2=urn:rawaudio:test:gain
          1→1 channels
          gain  0 to 4 (1)  Gain
                  0.5 half
          presets: Double

        """)
    for (label, text, code) in [
      ("late", "latency 100, the click stays in place", Int32(0)),
      ("liar", "latency 50, the click moves by +50 samples", 0),
      ("refuse", "fails: it cannot be made for 48000 Hz", 1),
    ] {
      let check = try runCommand("plugins", "--check", "faulty:\(label)", environment: environment)
      #expect(check.text == "\(label) (faulty:\(label)): \(text)\n")
      #expect(check.ending == .exit(code))
    }
  }
}

extension ProcessRun {
  fileprivate var text: String { String(decoding: standardOutput, as: UTF8.self) }
}
