// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import rawaudio

@Suite struct ArgumentParserTests {
  private struct Line {
    @Option("rate", short: "r", .sampleRate, help: "") var rates: [Int]
    @Option("gain", short: "g", .decibels, help: "") var gain: Double?
    @Option("output", short: "o", .sink, help: "") var output: SinkEndpoint?
    @Flag("quiet", short: "q", help: "") var isQuiet: Bool
    @Flag("verbose", short: "v", help: "") var isVerbose: Bool
    @Argument(.path(name: "file"), isRequired: false, help: "") var files: [String]
  }

  private func read(_ words: [String]) throws(UsageError) -> Line {
    let parsed = try ArgumentParser.parse(words, by: OptionReader.declarations { Line() })
    return try OptionReader.read(parsed) { Line() }
  }

  private func parse(_ words: String...) throws(UsageError) -> Line { try read(words) }

  private func message(_ words: String...) -> String? {
    usageMessage { () throws(UsageError) in _ = try read(words) }
  }

  @Test(arguments: [
    ["--rate", "44100"], ["--rate=44100"], ["-r", "44100"], ["-r44100"], ["-r=44100"],
    ["-qr", "44100"], ["-qvr44100"],
  ])
  func everyWayToGiveAValue(_ words: [String]) throws {
    #expect(try read(words).rates == [44_100])
  }

  @Test func combinedFlags() throws {
    let parsed = try parse("-qv")
    #expect(parsed.isQuiet)
    #expect(parsed.isVerbose)
    #expect(parsed.$isVerbose.overrides(parsed.$isQuiet))
    let reversed = try parse("-v", "-q", "-v", "-q")
    #expect(reversed.$isQuiet.overrides(reversed.$isVerbose))
    #expect(try parse("-v").isQuiet == false)
  }

  @Test func numericValuesMayStartWithADash() throws {
    #expect(try parse("--gain", "-6").gain == -6)
    #expect(try parse("--gain", "-.5").gain == -0.5)
    #expect(try parse("--gain=-6").gain == -6)
    #expect(try parse("-g", "-6").gain == -6)
    #expect(try parse("-g-6").gain == -6)
    #expect(message("--gain", "-q") == "Missing value for '--gain <db>'")
    #expect(message("--output", "-6") == "Missing value for '--output <sink>'")
  }

  /// A setting may override one of an alias; two devices are an error, not a silent drop.
  @Test func whatIsGivenTwice() throws {
    #expect(try parse("-g", "-3", "--gain", "-6").gain == -6)
    let device = DeviceOptions(.recordingDevice).$end
    for words in [["-D", "a", "-D", "b"], ["-Da", "--device=b"], ["--device=a", "-D=b"]] {
      #expect(
        usageMessage { () throws(UsageError) in
          _ = try ArgumentParser.parse(words, by: [device])
        } == "'--device <name>' is given twice, with 'a' and 'b'; it takes one value")
    }
  }

  @Test func aLoneDashIsAValue() throws {
    #expect(try parse("-o", "-").output == .standardOutput)
    #expect(try parse("-", "a").files == ["-", "a"])
  }

  @Test func aDoubleDashEndsTheOptions() throws {
    let parsed = try parse("a", "--", "-q", "--rate", "--")
    #expect(parsed.files == ["a", "-q", "--rate", "--"])
    #expect(!parsed.isQuiet)
  }

  @Test func theLastValueCountsAndAllAreKept() throws {
    let parsed = try parse("-r", "8000", "--rate", "16000", "-g", "1", "-g", "2")
    #expect(parsed.rates == [8_000, 16_000])
    #expect(parsed.gain == 2)
    #expect(try parse().rates.isEmpty)
    #expect(try parse().gain == nil)
  }

  @Test func valuesKeepWhatIsBehindTheFirstEqualsSign() throws {
    #expect(try parse("--output=a=b").output == .file("a=b"))
    #expect(message("--rate=") != nil)
  }

  @Test func mistakes() {
    #expect(message("--rat", "1") == "Unknown option '--rat'. Did you mean '--rate'?")
    #expect(message("-rate", "1") == "Unknown option '-rate'. Did you mean '--rate'?")
    #expect(message("-x") == "Unknown option '-x'")
    #expect(message("-qx") == "Unknown option '-x'")
    #expect(message("--bogus") == "Unknown option '--bogus'")
    #expect(message("--file") == "Unknown option '--file'")
    #expect(message("--rate") == "Missing value for '--rate <hertz>'")
    #expect(message("-r") == "Missing value for '--rate <hertz>'")
    #expect(
      message("--quiet=yes") == "The flag '--quiet' takes no value, but 'yes' was given")
  }

  @Test func arguments() {
    func declaration(_ name: String, isRequired: Bool) -> Declaration {
      Declaration(
        kind: .argument(isRequired: isRequired, isRepeatable: false), name: name, makeHelp: { "" },
        group: .main)
    }
    let declarations = [
      declaration("one", isRequired: true), declaration("two", isRequired: false),
    ]
    func message(_ words: String...) -> String? {
      usageMessage { () throws(UsageError) in
        _ = try ArgumentParser.parse(words, by: declarations)
      }
    }
    #expect(message() == "Missing expected argument '<one>'")
    #expect(message("a") == nil)
    #expect(message("a", "b") == nil)
    #expect(message("a", "b", "c") == "Unexpected argument 'c'")
    #expect(message("a", "b", "c", "d", "e") == "Unexpected argument 'c' and 2 more")
  }
}
