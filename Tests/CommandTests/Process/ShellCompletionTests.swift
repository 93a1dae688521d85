// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestProcess
import Testing

@testable import rawaudio

/// Lines typed into bash, zsh and fish, and their completion with Tab.
@Suite struct ShellCompletionTests {
  /// The typed text, and the whole line after Tab; `|` is the cursor.
  private static let lines: KeyValuePairs = [
    "rawaudio conv": "rawaudio convert |",
    "rawaudio con": "rawaudio con|",
    "true | rawaudio help enc": "true | rawaudio help encodings |",
    "rawaudio --generate-c": "rawaudio --generate-completion-script |",
    // Options, and values that can be listed.
    "rawaudio convert --form": "rawaudio convert --format |",
    "rawaudio convert --format s1": "rawaudio convert --format s16 |",
    "rawaudio convert --format=s1": "rawaudio convert --format=s16 |",
    "rawaudio convert -fs1": "rawaudio convert -fs16 |",
    "rawaudio convert -t fla": "rawaudio convert -t flac |",
    "rawaudio convert -t m4b": "rawaudio convert -t m4b |",
    "rawaudio mix -t ea": "rawaudio mix -t eac3 |",
    "rawaudio convert a.wav --resampler-quality b":
      "rawaudio convert a.wav --resampler-quality best |",
    "rawaudio convert --fail-on clip,tr": "rawaudio convert --fail-on clip,truncated |",
    "rawaudio convert --fade-curve ra": "rawaudio convert --fade-curve raised-cosine |",
    // Files.
    "rawaudio convert tak": "rawaudio convert take.wav |",
    "rawaudio convert my": #"rawaudio convert my\ sound.wav |"#,
    #"rawaudio convert my\ s"#: #"rawaudio convert my\ sound.wav |"#,
    "rawaudio convert 'my": "rawaudio convert 'my sound.wav' |",
    "rawaudio convert fol": "rawaudio convert folder/|",
    "rawaudio convert --output=tak": "rawaudio convert --output=take.wav |",
    "rawaudio convert -- tak": "rawaudio convert -- take.wav |",
    "rawaudio convert zzz": "rawaudio convert zzz|",
    // Sources.
    "rawaudio mix a.wav ton": "rawaudio mix a.wav tone:|",
    "rawaudio mix noise:w": "rawaudio mix noise:white |",
    "rawaudio session --remote room/a=tak": "rawaudio session --remote room/a=take.wav |",
    // Observers.
    "rawaudio mix --observe bef": "rawaudio mix --observe before-mixing:|",
    "rawaudio convert --observe rec": "rawaudio convert --observe record:|",
    "rawaudio convert --observe record,mo": "rawaudio convert --observe record,mode=|",
    "rawaudio convert --observe record,rate=8000,samp":
      "rawaudio convert --observe record,rate=8000,samples-per-call=|",
    "rawaudio convert --observe record,mode=read-w":
      "rawaudio convert --observe record,mode=read-write:|",
    "rawaudio convert --observe record:res": "rawaudio convert --observe record:resample=|",
    "rawaudio convert --observe record:me": "rawaudio convert --observe record:meter |",
    "rawaudio convert --observe 'record:me": "rawaudio convert --observe 'record:meter' |",
    "rawaudio convert --observe record:tap=tak":
      "rawaudio convert --observe record:tap=take.wav |",
    "rawaudio convert --observe 'record:tap=tak":
      "rawaudio convert --observe 'record:tap=take.wav' |",
  ]

  private static let devices: KeyValuePairs = [
    "rawaudio capture -D stu": "rawaudio capture -D studio |",
    "rawaudio capture --device=stu": "rawaudio capture --device=studio |",
    "rawaudio convert alsa:stu": "rawaudio convert alsa:studio |",
    "rawaudio session --local alsa:stu": "rawaudio session --local alsa:studio |",
    "rawaudio convert tone:440 -o alsa:stu": "rawaudio convert tone:440 -o alsa:studio |",
  ]

  @Test(arguments: [Shell.bash, .zsh]) func tabCompletes(_ shell: Shell) throws {
    try expect(Self.lines, in: shell)
  }

  @Test(.needsVirtualCard, arguments: [Shell.bash, .zsh]) func tabCompletesDevices(
    _ shell: Shell
  ) throws {
    try expect(Self.devices, in: shell, VirtualCard.configuration.path)
  }

  @Test func fishOffersTheSame() throws {
    for (line, whole) in Self.lines {
      let offers = try fish(line)
      let words = offers.map { $0.split(separator: "\t").first.map(String.init) ?? "" }
      switch line {
      case "rawaudio con": #expect(words == ["concat", "convert"])
      case "rawaudio convert zzz": #expect(words == [])
      default:
        let last = whole.filter { !#"'\|"#.contains($0) }.replacing("my sound", with: "my_sound")
          .split(separator: " ").last
        #expect(words.map { $0.replacing(" ", with: "_") } == [last.map(String.init)], "\(line)")
      }
    }
    #expect(
      try fish("rawaudio con").first == "concat\tJoin sources, one after another, in one output.")
  }

  @Test(.needsVirtualCard) func fishOffersDevices() throws {
    for (line, whole) in Self.devices {
      let word = try #require(whole.dropLast(2).split(separator: " ").last)
      let offers = try fish(line, VirtualCard.configuration.path)
      #expect(offers == ["\(word)\tVirtual card (S32, 48000 Hz, 8 channels only)"])
    }
  }

  /// Tab lists every possible word with its description.
  @Test(arguments: [Shell.bash, .zsh]) func tabLists(_ shell: Shell) throws {
    let keys = try press("rawaudio convert --observe record,", in: shell)[0].listed
    for key in ObserverRequest.everyKey { #expect(keys.contains("\(key.name)=")) }
    let kinds = try press("rawaudio convert --observe record:", in: shell)[0].listed
    for kind in ObserverKinds.all { #expect(kinds.contains(kind.form.word)) }
    let options = try press("rawaudio plot --", in: shell)[0].listed
    for option in PlotCommand.declarations where !option.isArgument {
      #expect(options.contains("--\(option.name)"))
    }
    guard shell == .zsh else { return }
    #expect(options.contains("--theme  -- Dark or light"))
  }

  /// If the program cannot run, Tab completes nothing and prints nothing.
  @Test(arguments: [Shell.bash, .zsh]) func withoutTheProgramNothingHappens(
    _ shell: Shell
  ) throws {
    let pressed = try press("./rawaudio conv", in: shell)[0]
    #expect(pressed.line == "./rawaudio conv")
    #expect(!pressed.listed.contains("No such file"))
    let broken = try press("rawaudio capture -D stu", in: shell, "/dev/null/asound.conf")[0]
    #expect(broken.line == "rawaudio capture -D stu")
    #expect(!broken.listed.contains("ALSA"))
  }

  // MARK: -

  private func expect(
    _ lines: KeyValuePairs<String, String>, in shell: Shell, _ alsa: String? = nil
  ) throws {
    let typed = lines.map(\.key).joined(separator: "\n")
    let pressed = try press(typed, in: shell, alsa)
    try #require(pressed.count == lines.count)
    for (expected, pressed) in zip(lines, pressed) {
      #expect("\(pressed.line)|" == expected.value, "\(expected.key)")
    }
  }

  private func press(
    _ lines: String, in shell: Shell, _ alsa: String? = nil
  ) throws -> [(line: String, listed: String)] {
    let directory = try folder(shell)
    let run = try RunningProcess(
      URL(fileURLWithPath: "/usr/bin/python3"),
      [
        "-B", Package.folder.appending(path: "Tests/Shells/press-tab.py").path, shell.rawValue,
        directory.file(shell == .zsh ? "completions/_rawaudio" : "completions/rawaudio").path,
      ], environment: alsa.map { ["ALSA_CONFIG_PATH": $0] } ?? [:],
      input: .bytes(Array(lines.utf8)),
      in: directory.file("work")
    ).wait()
    // After an error the rest is meaningless.
    try #require(run.standardError == "")
    return try run.outputText.split(separator: "\n").map { text in
      let pair = try JSONDecoder().decode([String].self, from: Data(text.utf8))
      return (pair[0], pair[1])
    }
  }

  private func fish(_ line: String, _ alsa: String? = nil) throws -> [String] {
    let directory = try folder(.fish)
    var environment = ["HOME": directory.url.path, "LC_ALL": "C.UTF-8"]
    if let alsa { environment["ALSA_CONFIG_PATH"] = alsa }
    let run = try RunningProcess(
      URL(fileURLWithPath: "/usr/bin/fish"),
      ["--no-config", "-c", "source ../completions/rawaudio; complete -C $argv[1]", "--", line],
      environment: environment, in: directory.file("work")
    ).wait()
    #expect(run.standardError == "")
    return run.outputText.split(separator: "\n").map(String.init)
  }

  /// The script of a shell, and files to complete.
  private func folder(_ shell: Shell) throws -> TemporaryDirectory {
    let directory = TemporaryDirectory()
    for name in ["completions", "work/folder"] {
      try FileManager.default.createDirectory(
        at: directory.file(name), withIntermediateDirectories: true)
    }
    let script = try runCommand("--generate-completion-script", shell.rawValue)
    #expect(script.ending == .exit(0))
    let name = shell == .zsh ? "completions/_rawaudio" : "completions/rawaudio"
    try directory.write(script.standardOutput, name)
    for name in ["work/take.wav", "work/my sound.wav"] { try directory.write([], name) }
    return directory
  }
}
