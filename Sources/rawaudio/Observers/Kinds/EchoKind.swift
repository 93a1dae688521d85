// SPDX-License-Identifier: Apache-2.0
internal import AudioCore
internal import AudioEcho

/// `echo`: the microphone without the loudspeaker.
struct EchoKind: ObserverKind {
  static let form = ObserverForm(
    "echo",
    help: """
      Removes the echo of the playback device from record, in 16 bits, with libspeexdsp. Both ends are devices, or both \
      are files.
      """)
  static let syntax = ValueSyntax<NoArgument>.none
  static let keys: [ObserverKey<Self>] = [
    ObserverKey(
      "tail", .duration, \.tail, help: "the longest time from the loudspeaker to its echo (200ms)."),
    ObserverKey(
      "residual", .choice(name: "residual", Residual.allCases), \.residual,
      help: "on attenuates the rest of the echo, too, for one channel (off)."),
  ]
  let argument: NoArgument
  var tail: Duration?
  var residual: Residual?

  init(argument: NoArgument) { self.argument = argument }

  func check(_ observer: ObserverRequest) throws(InvalidValue) {
    if observer.mode == .writeOnly {
      throw InvalidValue(
        "echo is removed from the microphone's samples, which write-only does not give")
    }
    if let tail, !EchoObserver.tails.contains(tail) {
      throw InvalidValue("a tail is 20ms to 1s")
    }
  }

  /// Returns no outputs, but finds out early whether something is played and captured.
  func outputs(
    of observer: ObserverRequest, in scene: ObservationScene
  ) throws(AudioError) -> [SinkEndpoint] {
    func refusal(_ reason: String, _ advice: String) -> AudioError {
      AudioError(
        .invalidParameter, cannot: "observe", "echo", because: reason, advice: advice)
    }
    let captures = scene.positions.contains(.record)
    guard captures, scene.hasPlaybackSink else {
      throw refusal(
        "\(scene.name) \(captures ? "plays" : "captures") nothing",
        "'rawaudio session' plays to '--playback' and captures from '--local'")
    }
    guard observer.position == .record else {
      throw refusal("echo is heard by the microphone", "give it the position record")
    }
    return []
  }

  func install(by installation: ObserverInstallation) throws(AudioError) -> InstalledObserver {
    let echo = try EchoObserver(
      tail: tail ?? .milliseconds(200), suppressesResidual: residual == .on,
      parameters: installation.parameters)
    let news = EchoNews()
    let clock = installation.clock
    echo.onChange = { attenuation in
      news.changes.append(
        EchoChange(
          attenuation: attenuation,
          time: attenuation.convergedAt.flatMap { clock.text(of: $0, at: attenuation.sampleRate) }))
    }
    var installed = try installation.register(echo)
    installed.losses = { echo.attenuation?.losses ?? [] }
    installed.details = { echo.attenuation?.details ?? [] }
    installed.takeEvents = { news.take() }
    return installed
  }
}

enum Residual: String, CaseIterable, Sendable {
  case on
  case off
}

/// The changes that were not told yet. Main thread only.
private final class EchoNews {
  var changes: [EchoChange] = []

  func take() -> [RunEvent] {
    defer { changes = [] }
    return changes.map { .echo($0) }
  }
}

extension EchoAttenuation {
  /// The time in which a canceller usually converges, in seconds, and more.
  private static let patience: Int64 = 20

  fileprivate var losses: [String] {
    guard playedSamplesPerChannel > Self.patience * Int64(sampleRate) else { return [] }
    guard let decibels, let best else {
      return ["the microphone gave only zeros while the loudspeaker was heard: is it muted?"]
    }
    if convergedAt == nil {
      return [
        isRemoved
          ? "the echo was attenuated by \(best.decimal(1)) dB at most: a voice at the microphone hides the rest, or the tail"
            + " is too short"
          : "the echo was never attenuated by \(Self.convergence.decimal(0)) dB: does the microphone hear the"
            + " loudspeaker, and is the tail long enough?"
      ]
    }
    guard !isRemoved, decibels < Self.convergence else { return [] }
    return [
      "the echo came back: it was attenuated by \(best.decimal(1)) dB, and at the end by \(decibels.decimal(1)) dB; did a"
        + " device stand still, or does the microphone no longer hear the loudspeaker?"
    ]
  }

  fileprivate var details: [String] {
    guard let decibels else {
      return [
        playedSamplesPerChannel < Int64(sampleRate)
          ? "nothing was played for a second" : "the microphone gave only zeros"
      ]
    }
    let seconds = convergedAt.map { Double($0) / Double(sampleRate) }
    return [
      "echo attenuated by \(decibels.decimal(1)) dB in the last second of the loudspeaker's sound; "
        + (seconds.map { "converged at \($0.decimal(1)) s" } ?? "not converged")
    ]
  }
}
