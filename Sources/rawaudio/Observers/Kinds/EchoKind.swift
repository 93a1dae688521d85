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
    guard observer.position == .record else {
      throw InvalidValue("echo is heard by the microphone: give it the position record")
    }
    if let tail, !EchoObserver.tails.contains(tail) {
      throw InvalidValue("a tail is 20ms to 1s")
    }
  }

  /// Returns no outputs, but finds out early whether something is played.
  func outputs(
    of _: ObserverRequest, in scene: ObservationScene
  ) throws(AudioError) -> [SinkEndpoint] {
    guard scene.hasPlaybackSink else {
      throw AudioError(
        .invalidParameter, cannot: "observe", "echo", because: "\(scene.name) plays nothing",
        advice: "'rawaudio session' plays to '--playback' and captures from '--local'")
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
    guard convergedAt == nil, playedSamplesPerChannel > Self.patience * Int64(sampleRate) else {
      return []
    }
    return [
      "the echo was never attenuated by \(Self.convergence.decimal(0)) dB: does the microphone hear the loudspeaker, and"
        + " is the tail long enough?"
    ]
  }

  fileprivate var details: [String] {
    guard let decibels else { return ["nothing was played for a second"] }
    let seconds = convergedAt.map { Double($0) / Double(sampleRate) }
    return [
      "echo attenuated by \(decibels.decimal(1)) dB in the last second of the loudspeaker's sound; "
        + (seconds.map { "converged at \($0.decimal(1)) s" } ?? "not converged")
    ]
  }
}
