// SPDX-License-Identifier: Apache-2.0
import AudioEcho
import TestSupport
import Testing

/// The canceller in sessions of arrays, which have one clock.
@Suite struct EchoObserverTests {
  private static let rate = 16_000

  /// Noise without much above 4 kHz.
  private static func sound(_ seconds: Int, seed: UInt64) -> [Double] {
    let noise = Noise.integers(seconds * rate + 3, seed: seed)
    return (0..<seconds * rate).map { (first: Int) -> Double in
      noise[first..<first + 4].reduce(0, +) / 16
    }
  }

  /// The sound 50 ms later, with a decaying room behind it.
  private static func echo(of sound: [Double]) -> [Double] {
    let room = Noise.integers(400, seed: 7).enumerated().map {
      (index: Int, value: Double) -> Double in
      let decay = Double(400 - index) / 400
      return value * decay * (index == 0 ? 1 : 0.08)
    }
    var echo = Array(repeating: 0.0, count: sound.count)
    for (index, factor) in room.enumerated() {
      let delay = 800 + index
      for place in delay..<sound.count { echo[place] += factor * sound[place - delay] }
    }
    return echo
  }

  private static func run(
    _ local: [Double], _ remote: [Double], channels: Int = 1, _ observer: EchoObserver
  ) throws -> [Double] {
    let session = Session()
    try session.setLocal(GivenSource(local, rate: rate))
    try session.addRemote(GivenSource(remote, rate: rate, channels: channels))
    try session.register(observer)
    _ = try session.collect(.playback)
    return try session.run(collecting: .publish).samples
  }

  private static func energy(_ samples: ArraySlice<Double>) -> Double {
    samples.reduce(0) { $0 + $1 * $1 }
  }

  @Test(arguments: [false, true]) func anEchoGoesAway(suppressesResidual: Bool) throws {
    let far = Self.sound(8, seed: 1)
    let echo = Self.echo(of: far)
    let observer = try EchoObserver(suppressesResidual: suppressesResidual)
    var told: [EchoAttenuation] = []
    observer.onChange = { told.append($0) }
    let output = try Self.run(echo, far, observer)
    #expect(output.count == echo.count)
    let last = 7 * Self.rate..<8 * Self.rate - 400
    let left = Self.energy(output[last]) / Self.energy(echo[last])
    #expect(left < 0.005)
    let attenuation = try #require(observer.attenuation)
    #expect(try #require(attenuation.decibels) > 23)
    let converged = try #require(attenuation.convergedAt)
    #expect((Int64(Self.rate)...4 * Int64(Self.rate)).contains(converged))
    #expect(told.map(\.convergedAt) == [converged, converged])
  }

  /// The near voice stays in its place, whether the rest of the echo is attenuated or not.
  @Test(arguments: [false, true]) func aVoiceAloneStays(suppressesResidual: Bool) throws {
    let near = Self.sound(4, seed: 2)
    let observer = try EchoObserver(suppressesResidual: suppressesResidual)
    var told = 0
    observer.onChange = { _ in told += 1 }
    let output = try Self.run(near, Array(repeating: 0, count: near.count), observer)
    let part = 2 * Self.rate..<3 * Self.rate
    func likeness(_ lag: Int) -> Double {
      let products = part.reduce(0.0) { $0 + near[$1] * output[$1 + lag] }
      let energies =
        Self.energy(near[part])
        * Self.energy(output[part.lowerBound + lag..<part.upperBound + lag])
      return products / energies.squareRoot()
    }
    #expect(likeness(0) > 0.95)
    #expect(likeness(160) < 0.2 && likeness(-160) < 0.2)
    #expect(observer.attenuation?.playedSamplesPerChannel == 0 && told == 0)
  }

  /// A microphone that gives only zeros is muted, or has lost samples: its echo is as well known behind that.
  @Test(arguments: [0.03, 0.3, 1, 5]) func zerosTeachNothing(_ seconds: Double) throws {
    let far = Self.sound(16, seed: 1)
    var near = Self.echo(of: far)
    let begin = 9 * Self.rate
    let end = begin + Int(seconds * Double(Self.rate))
    for index in begin..<end { near[index] = 0 }
    let output = try Self.run(near, far, EchoObserver())
    #expect(output[begin + 160..<end - 160].allSatisfy { $0 == 0 })
    let next = end..<end + Self.rate
    #expect(Self.energy(output[next]) / Self.energy(near[next]) < 0.1)
  }

  @Test func bothChannelsOfALoudspeakerCount() throws {
    let (left, right) = (Self.sound(8, seed: 1), Self.sound(8, seed: 3))
    let echo = zip(Self.echo(of: left), Self.echo(of: right)).map { $0 - $1 / 2 }
    let observer = try EchoObserver()
    _ = try Self.run(echo, zip(left, right).flatMap { [$0, $1] }, channels: 2, observer)
    #expect(try #require(observer.attenuation?.decibels) > 12)
  }

  @Test func framesHave10Milliseconds() throws {
    let observer = try EchoObserver(
      parameters: FrameParameters(mode: .readWrite, samplesPerCall: 320))
    let error = try #require(throws: AudioError.self) { _ = try Self.run([0.5], [0.5], observer) }
    #expect(
      "\(error)"
        == "cannot use samples per call '320': echo is cancelled in frames of 10 ms; 160 are such a frame"
    )
  }

  @Test func itNeedsTheMicrophonesSamples() {
    #expect(throws: AudioError.self) {
      _ = try EchoObserver(parameters: FrameParameters(mode: .writeOnly))
    }
  }

  @Test(arguments: [Duration.milliseconds(19), .milliseconds(1_001)])
  func aTailIsInRange(_ tail: Duration) {
    #expect(throws: AudioError.self) { _ = try EchoObserver(tail: tail) }
  }
}
