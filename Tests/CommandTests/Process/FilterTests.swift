// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// Filters and the limiter, as options and as observers.
@Suite struct FilterTests {
  private let directory = TemporaryDirectory()
  private let samples: [Int16]

  init() throws {
    var noise = Noise(48)
    samples = noise.samples(2 * 24_000, peak: 12_000)
    try directory.write(WaveBytes.file(samples, channelCount: 2), "a.wav")
  }

  private func run(_ line: String) throws -> ProcessRun {
    try directory.pipeline("rawaudio \(line)")
  }

  private func samples(_ line: String) throws -> [Int16] {
    let run = try run("\(line) -t raw -o -")
    #expect(run.standardError == "")
    return WaveBytes.int16s(run.standardOutput)
  }

  @Test(arguments: [
    ("--highpass 80", "highpass -2 80"), ("--lowpass 3k,order=2", "lowpass -2 3000"),
    ("--eq peak=3000,gain=-3,q=1.4", "equalizer 3000 1.4q -3"),
    ("--eq notch=1000,q=2", "bandreject 1000 2q"), ("--eq bandpass=1kHz,q=2", "bandpass 1000 2q"),
    ("--eq lowshelf=200,gain=4", "bass 4 200 0.7071q"),
    ("--eq highshelf=5000,gain=-4dB", "treble -4 5000 0.7071q"),
  ])
  func asSoxHasThem(_ option: String, _ effect: String) throws {
    let own = try samples("convert a.wav \(option)")
    let other = try directory.pipeline("sox -D a.wav -t raw - \(effect)")
    let expected = WaveBytes.int16s(other.standardOutput)
    #expect(own.count == samples.count)
    // Both round, sox at 32 bits first.
    #expect(zip(own, expected).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
  }

  @Test func anOptionIsAnObserverInFrontOfTheOthers() throws {
    let option = try samples("convert a.wav --highpass 300 --eq peak=1000,gain=6 --eq notch=50,q=3")
    let observers = try samples(
      "convert a.wav --observe record:highpass=300,order=2 --observe record:peak=1000,gain=6,q=1"
        + " --observe record:notch=50,q=3")
    #expect(option == observers)
    #expect(
      try samples("concat a.wav --highpass 300 --eq peak=1000,gain=6 --eq notch=50,q=3") == option)
    #expect(
      try samples("mix a.wav -f s16 --highpass 300 --eq peak=1000,gain=6 --eq notch=50,q=3")
        == option)
  }

  /// One stream has one of each, so a second one is not dropped.
  @Test(arguments: [
    ("capture --highpass 80 --highpass 200", "--highpass <hz>"),
    ("play a.wav --lowpass 8k --lowpass 4k", "--lowpass <hz>"),
    ("concat a.wav a.wav --highpass 80 --highpass 200 -o b.wav", "--highpass <hz>"),
    ("concat a.wav a.wav --fade-in 1 --fade-in 2 -o b.wav", "--fade-in <time>"),
  ])
  func aSecondOneForTheWholeIsAnError(_ line: String, _ option: String) throws {
    try run(line).expectUsageError(
      "'\(option)' is given 2 times; give it once",
      of: line.split(separator: " ").first.map(String.init))
  }

  /// A filter given once per source applies to that source alone.
  @Test func eachSourceOfAMix() throws {
    let mixed = try samples("mix a.wav a.wav -f s16 --highpass 300 --highpass 3000 --gain -6.0206")
    let first = try samples("convert a.wav --highpass 300 --gain -6.0206")
    let second = try samples("convert a.wav --highpass 3000 --gain -6.0206")
    #expect(mixed.count == first.count)
    let isSum = mixed.indices.allSatisfy { index in
      abs(Int(mixed[index]) - Int(first[index]) - Int(second[index])) <= 2
    }
    #expect(isSum)
  }

  @Test(arguments: [
    ("--highpass 0", "'0' is not a frequency; give one above 0, for example 80, 80Hz or 2.5kHz"),
    ("--highpass -5", "'-5' is not a frequency; give one above 0, for example 80, 80Hz or 2.5kHz"),
    ("--lowpass -2k", "'-2k' is not a frequency; give one above 0, for example 80, 80Hz or 2.5kHz"),
    (
      "--eq -5",
      "'-5' is no band; there are bandpass=HZ[,q=Q], notch=HZ[,q=Q], peak=HZ,gain=DB[,q=Q],"
        + " lowshelf=HZ,gain=DB[,q=Q] and highshelf=HZ,gain=DB[,q=Q]"
    ),
    ("--eq notch=80,q=x", "'x' is not a q; give a number, for example 0.7"),
    ("--highpass 80,q=1", "'q=1' is no setting of highpass; there is order"),
    ("--highpass 80,order=9", "it must be 1 to 8"),
    ("--eq peak=80", "peak needs a gain: peak=HZ,gain=DB[,q=Q]"),
    ("--eq peak=80,gain=1,gain=2", "'gain' is given twice"),
    ("--limit 30", "a true peak is a number from -70 to 20, for example -1"),
    ("--limit -1,release=0.1ms", "a release is 1 ms to 10 s long"),
  ])
  func mistakes(_ option: String, _ reason: String) throws {
    let run = try run("convert a.wav \(option) -o b.wav")
    #expect(run.standardError.split(separator: "\n").first?.hasSuffix(": \(reason)") == true)
    #expect(run.ending == .exit(64))
  }

  @Test func aFrequencyThatTheStreamLacks() throws {
    let run = try run("convert a.wav --lowpass 24000 -o b.wav")
    run.expectExit(
      1,
      "cannot filter at '24000 Hz': the frequency must be below 24000 Hz, half the sample rate")
    #expect(directory.names == ["a.wav"])
    let odd = try self.run(
      "convert a.wav -r 11025 --observe record,rate=11025:lowpass=5512.5 -o b.wav")
    odd.expectExit(
      1,
      "cannot filter at '5512.5 Hz': the frequency must be below 5512.5 Hz, half the sample rate")
  }

  private func measured(_ name: String) throws -> (loudness: Double, truePeak: Double) {
    let run = try run("measure --json \(name)")
    let object = try JSONSerialization.jsonObject(with: Data(run.standardOutput))
    let file = try #require((object as? [[String: Any]])?.first)
    return (
      try #require(file["loudness"] as? Double), try #require(file["truePeak"] as? Double)
    )
  }

  @Test func aLimit() throws {
    #expect(try run("convert a.wav --gain 12 --limit -1 -f f32 -o b.wav").standardError == "")
    let limited = try measured("b.wav")
    #expect(limited.truePeak <= -1 && limited.truePeak > -1.3)
    #expect(try samples("convert a.wav --limit 0") == samples)
  }

  /// Quiet noise with a loud burst twice per second, which one gain could only bring to about −23 LUFS.
  @Test func loudBehindALimiter() throws {
    let loud = samples.enumerated().map { $0 % 48_000 < 80 ? $1 : $1 / 8 }
    try directory.write(WaveBytes.file(loud, channelCount: 2), "a.wav")
    for (limit, goal) in [(-3, -16), (-6, -18), (-1, -16)] {
      let run = try run(
        "convert a.wav --loudness \(goal) --limit \(limit) -f f32 --force --fail-on loudness -o b.wav"
      )
      #expect(run.standardError.hasPrefix("rawaudio: 'a.wav': the limiter takes up to "))
      #expect(run.standardError.split(separator: "\n").count == 1)
      #expect(run.ending == .exit(0))
      let own = try measured("b.wav")
      #expect(abs(own.loudness - Double(goal)) <= 0.05)
      #expect(own.truePeak <= Double(limit))
    }
    let short = try run(
      "convert a.wav --loudness 0 --limit -1 -f f32 --force --fail-on loudness -o c.wav")
    #expect(short.ending == .exit(2))
    let reached = try measured("c.wav").loudness
    let text = String(format: "%.2f", reached)
    #expect(
      short.standardError.hasSuffix(
        "rawaudio: 'a.wav' reaches \(text) LUFS, not 0.0: behind the limit of -1.0 dBTP more gain changes nothing\n"
      ), "\(text), \(short.standardError)")
    for command in ["mix a.wav", "concat a.wav"] {
      _ = try self.run("\(command) --loudness -16 --limit -1 -f f32 -o c.wav --force")
      #expect(
        try directory.bytes("c.wav").suffix(100_000) == directory.bytes("b.wav").suffix(100_000))
    }
  }

  @Test func aMixThatIsLoudEnough() throws {
    let run = try run("mix a.wav a.wav --loudness -20 -f f32 -o b.wav")
    #expect(run.standardError == "")
    #expect(abs(try measured("b.wav").loudness + 20) < 0.01)
    let short = try self.run("mix a.wav --loudness 0 -f f32 -o c.wav --fail-on loudness")
    #expect(short.standardError.contains("'a.wav' stops "))
    #expect(short.ending == .exit(2))
  }
}
