// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import rawaudio

@Suite struct ArgumentParserTests {
  private static let rate = Option("rate", short: "r", .sampleRate, help: "")
  private static let gain = Option("gain", short: "g", .decibels, help: "")
  private static let output = Option("output", short: "o", .sink, help: "")
  private static let quiet = Flag("quiet", short: "q", help: "")
  private static let verbose = Flag("verbose", short: "v", help: "")
  private static let file = Argument(
    .path(name: "file"), isRequired: false, isRepeatable: true, help: "")
  private static let declared: [any Declared] = [rate, gain, output, quiet, verbose, file]

  private func parse(_ words: String...) throws(UsageError) -> ParsedArguments {
    try ArgumentParser.parse(words, by: Self.declared.map(\.declaration))
  }

  private func message(_ words: String...) -> String? {
    usageMessage { () throws(UsageError) in
      _ = try ArgumentParser.parse(words, by: Self.declared.map(\.declaration))
    }
  }

  @Test(arguments: [
    ["--rate", "44100"], ["--rate=44100"], ["-r", "44100"], ["-r44100"], ["-r=44100"],
    ["-qr", "44100"], ["-qvr44100"],
  ])
  func everyWayToGiveAValue(_ words: [String]) throws {
    let parsed = try ArgumentParser.parse(words, by: Self.declared.map(\.declaration))
    #expect(try parsed.value(of: Self.rate) == 44_100)
  }

  @Test func combinedFlags() throws {
    let parsed = try parse("-qv")
    #expect(parsed.has(Self.quiet))
    #expect(parsed.has(Self.verbose))
    #expect(parsed.last(of: Self.quiet, Self.verbose) == "verbose")
    #expect(try parse("-v", "-q").last(of: Self.quiet, Self.verbose) == "quiet")
    #expect(try parse("-v").has(Self.quiet) == false)
  }

  @Test func numericValuesMayStartWithADash() throws {
    #expect(try parse("--gain", "-6").value(of: Self.gain) == -6)
    #expect(try parse("--gain", "-.5").value(of: Self.gain) == -0.5)
    #expect(try parse("--gain=-6").value(of: Self.gain) == -6)
    #expect(try parse("-g", "-6").value(of: Self.gain) == -6)
    #expect(try parse("-g-6").value(of: Self.gain) == -6)
    #expect(message("--gain", "-q") == "Missing value for '--gain <db>'")
    #expect(message("--output", "-6") == "Missing value for '--output <sink>'")
  }

  /// A setting may override one of an alias; nobody means the other of two devices to be dropped.
  @Test func whatIsGivenTwice() throws {
    #expect(try parse("-r", "8000", "--rate", "16000").value(of: Self.rate) == 16_000)
    let device = DeviceOptions.device.declaration
    for words in [["-D", "a", "-D", "b"], ["-Da", "--device=b"], ["--device=a", "-D=b"]] {
      #expect(
        usageMessage { () throws(UsageError) in
          _ = try ArgumentParser.parse(words, by: [device])
        } == "'--device <name>' is given twice, with 'a' and 'b'; it takes one value")
    }
  }

  @Test func aLoneDashIsAValue() throws {
    #expect(try parse("-o", "-").value(of: Self.output) == .standardOutput)
    #expect(try parse("-", "a").values(of: Self.file) == ["-", "a"])
  }

  @Test func aDoubleDashEndsTheOptions() throws {
    let parsed = try parse("a", "--", "-q", "--rate", "--")
    #expect(try parsed.values(of: Self.file) == ["a", "-q", "--rate", "--"])
    #expect(!parsed.has(Self.quiet))
  }

  @Test func theLastValueCountsAndAllAreKept() throws {
    let parsed = try parse("-r", "8000", "--rate", "16000")
    #expect(try parsed.value(of: Self.rate) == 16_000)
    #expect(try parsed.values(of: Self.rate) == [8_000, 16_000])
    #expect(try parse().value(of: Self.rate) == nil)
  }

  @Test func valuesKeepWhatIsBehindTheFirstEqualsSign() throws {
    #expect(try parse("--output=a=b").value(of: Self.output) == .file("a=b"))
    #expect(
      usageMessage { () throws(UsageError) in _ = try parse("--rate=").value(of: Self.rate) } != nil
    )
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
    let one = Argument(.path(name: "one"), help: "").declaration
    let two = Argument(.path(name: "two"), isRequired: false, help: "").declaration
    func message(_ words: String...) -> String? {
      usageMessage { () throws(UsageError) in
        _ = try ArgumentParser.parse(words, by: [one, two])
      }
    }
    #expect(message() == "Missing expected argument '<one>'")
    #expect(message("a") == nil)
    #expect(message("a", "b") == nil)
    #expect(message("a", "b", "c") == "Unexpected argument 'c'")
    #expect(message("a", "b", "c", "d", "e") == "Unexpected argument 'c' and 2 more")
  }
}
