// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import rawaudio

/// Fields that are read by creating their struct.
@Suite struct OptionReaderTests {
  private struct Inner {
    @Option("pan", .pan, default: "0.5", help: "") var pan: Double
    @Flag("mute", help: "") var isMuted: Bool
  }

  private struct Outer {
    @Option("rate", .sampleRate, default: "the device's", help: "") var rate: Int?
    let inner = Inner()
    @Option("gain", .decibels, help: "") var gains: [Double]
    let isDerived = true
    @Argument(.path(name: "file"), help: "") var file: String = "none"

    func gainOfEach(_ count: Int) throws(UsageError) -> [Double?] { try _gains.each(of: count) }
  }

  private func read(_ words: String...) throws(UsageError) -> Outer {
    let parsed = try ArgumentParser.parse(words, by: OptionReader.declarations { Outer() })
    return try OptionReader.read(parsed) { Outer() }
  }

  @Test func declarationsHaveTheOrderOfTheFields() {
    #expect(
      OptionReader.declarations { Outer() }.map(\.name)
        == ["rate", "pan", "mute", "gain", "file"])
    // Each creation counts once.
    #expect(OptionReader.declarations { (Inner(), Inner()) }.count == 4)
    #expect(OptionReader.declarations { 1 }.isEmpty)
  }

  @Test func fieldsHoldWhatWasGiven() throws {
    let line = try read("a.wav", "--gain", "1", "--pan", "-1", "--gain=-2", "--mute")
    #expect(line.rate == nil)
    #expect(line.inner.pan == -1)
    #expect(line.inner.isMuted)
    #expect(line.gains == [1, -2])
    #expect(line.file == "a.wav")
    #expect(line.$gains.isGiven)
    #expect(!line.$rate.isGiven)
    #expect(line.$gains.overrides(line.inner.$pan))
    #expect(line.inner.$isMuted.overrides(line.$gains))
    #expect(!line.$rate.overrides(line.$gains))
    #expect(line.$gains.label == "--gain <db>")
  }

  @Test func theFirstFieldThatIsWrongIsTold() {
    let message = usageMessage { () throws(UsageError) in
      _ = try read("a.wav", "--gain", "x", "--pan", "y", "--gain", "z")
    }
    #expect(message?.hasPrefix("The value 'y' is invalid for '--pan <") == true)
  }

  @Test func whatIsMadeElsewhereIsEmpty() throws {
    #expect(Outer().inner.pan == 0.5)
    #expect(Outer().gains.isEmpty)
    #expect(Outer().file == "none")
    _ = try read("a.wav", "--pan", "1")
    #expect(Inner().pan == 0.5)
    #expect(!Inner().$pan.isGiven)
  }

  @Test func valuesForEachInput() throws {
    #expect(try read("a").gainOfEach(3) == [nil, nil, nil])
    #expect(try read("a", "--gain", "1").gainOfEach(3) == [1, 1, 1])
    #expect(try read("a", "--gain", "1", "--gain", "2").gainOfEach(2) == [1, 2])
    #expect(
      usageMessage { () throws(UsageError) in
        _ = try read("a", "--gain", "1", "--gain", "2").gainOfEach(3)
      }
        == "'--gain <db>' is given 2 times for 3 inputs; give it once for all or once for each")
  }

  /// The defaults of every command can be read.
  @Test func commandsCanBeMadeOfNothing() {
    for command in RawAudio.program.commands {
      #expect(OptionReader.declarations { command.init() }.count < command.declarations.count)
    }
  }
}
