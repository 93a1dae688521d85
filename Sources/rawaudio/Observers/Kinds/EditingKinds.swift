// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

// The kinds that change the stream by the library's own means.

struct GainKind: FrameKind {
  static let form = ObserverForm(
    "gain", .required("DB", "decibels"), help: "Changes the level by so many decibels.")
  static let syntax = ValueSyntax<Double>.decibels
  let argument: Double

  func observer(by installation: ObserverInstallation) -> any AudioObserver {
    GainObserver(installation.positions, decibels: argument, parameters: installation.parameters)
  }
}

struct InvertKind: FrameKind {
  static let form = ObserverForm("invert", help: "Inverts the polarity.")
  static let syntax = ValueSyntax<NoArgument>.none
  let argument: NoArgument

  func observer(by installation: ObserverInstallation) -> any AudioObserver {
    GainObserver(installation.positions, factor: -1, parameters: installation.parameters)
  }
}

struct FadeInKind: FrameKind {
  static let form = ObserverForm(
    "fade-in", .required("TIME[,CURVE]", "a time"),
    help: """
      Fades in from where it begins; CURVE is linear, equal-power, raised-cosine or logarithmic.
      """)
  static let syntax = ValueSyntax<Fade>.fade
  let argument: Fade

  func observer(by installation: ObserverInstallation) -> any AudioObserver {
    FadeObserver(
      installation.positions, in: argument.length, curve: argument.curve,
      parameters: installation.parameters)
  }
}

struct FadeOutKind: FrameKind {
  static let form = ObserverForm(
    "fade-out", .required("TIME[,CURVE]", "a time"),
    help: "Fades out before the end of the audio, which it delays by TIME.")
  static let syntax = ValueSyntax<Fade>.fade
  let argument: Fade

  func observer(by installation: ObserverInstallation) -> any AudioObserver {
    FadeObserver(
      installation.positions, out: argument.length, curve: argument.curve,
      parameters: installation.parameters)
  }
}

struct ChannelMapKind: FrameKind {
  static let form = ObserverForm(
    "channel-map", .required("LIST", "channels"),
    help: "Puts other channels, or sums of them, in the place of these.")
  static let syntax = ValueSyntax<ChannelMap>.channelMap
  let argument: ChannelMap

  func check(_ observer: ObserverRequest) throws(InvalidValue) {
    guard observer.channelCount != nil else { return }
    throw InvalidValue("channel-map gives the channel count itself; leave out the key channels")
  }

  func observer(by installation: ObserverInstallation) -> any AudioObserver {
    ChannelMapObserver(installation.positions, argument, parameters: installation.parameters)
  }
}

struct DelayKind: FrameKind {
  static let form = ObserverForm(
    "delay", .required("TIMES", "times"),
    help: """
      Delays all channels, 120ms, or each in order, 0,3ms,12S. The stream becomes longer by the longest.
      """)
  static let syntax = ValueSyntax<ChannelDelays>.channelDelays
  let argument: ChannelDelays

  func observer(by installation: ObserverInstallation) -> any AudioObserver {
    argument.observer(at: installation.positions, installation.parameters)
  }
}

struct ResampleKind: FrameKind {
  static let form = ObserverForm(
    "resample", .required("HERTZ", "a rate"),
    help: "Converts the rate; the stream goes on at that rate.")
  static let syntax = ValueSyntax<Int>.sampleRate
  let argument: Int

  var sampleRate: Int? { argument }

  func check(_ observer: ObserverRequest) throws(InvalidValue) {
    guard observer.sampleRate != nil else { return }
    throw InvalidValue("resample names the rate itself; leave out the key rate")
  }

  func observer(by installation: ObserverInstallation) -> any AudioObserver {
    ResampleObserver(
      installation.positions, sampleRate: argument, parameters: installation.parameters)
  }
}

/// `limit=-1`, `limit=-1,release=50ms,lookahead=2ms`
struct LimitKind: ObserverKind {
  static let form = ObserverForm(
    "limit", .required("DBTP[,release=TIME][,lookahead=TIME]", "a true peak"),
    help: """
      Keeps the true peak at or below a limit, by one smooth gain for all channels, which begins to fall 5 ms ahead \
      (lookahead) and goes back in 100 ms (release). Nothing moves in time.
      """)
  static let syntax = ValueSyntax<LimitRequest>.limit
  let argument: LimitRequest

  func install(by installation: ObserverInstallation) throws(AudioError) -> InstalledObserver {
    let limiter = try argument.observer(at: installation.positions, installation.parameters)
    var installed = try installation.register(limiter)
    installed.details = {
      guard limiter.limitedSamples > 0 else { return ["nothing was above the limit"] }
      return [
        "up to \(limiter.largestReduction.rounded(toDigits: 2)) dB softer, \(limiter.limitedSamples) samples per"
          + " channel in all"
      ]
    }
    return installed
  }
}

/// `mix=SOURCE`: adds another source.
struct MixKind: ObserverKind {
  static let form = ObserverForm(
    "mix", .required("SOURCE", "a source"), help: "Adds a file or a generated source.")
  static let syntax = ValueSyntax<SourceEndpoint>.mixedIn
  let argument: SourceEndpoint

  var filesRead: [String] {
    if case .file(let path) = argument { [path] } else { [] }
  }

  func install(by installation: ObserverInstallation) throws(AudioError) -> InstalledObserver {
    var inputs: [SessionInput] = []
    let source = argument
    let duration = installation.duration
    let description = InputDescription(decoder: installation.list.decoder)
    var installed = try installation.register(
      MixObserver(installation.positions, parameters: installation.parameters) {
        (_) throws(AudioError) in
        let input = try source.input(description, duration: duration)
        inputs.append(input)
        return input.source
      })
    installed.inputs = { inputs }
    return installed
  }
}

/// The argument of a kind without one.
struct NoArgument: Sendable, Equatable {}

extension ValueSyntax<NoArgument> {
  static let none = ValueSyntax(name: "") { _ in NoArgument() }
}

/// The argument of a fade: `2`, `0:02,equal-power`.
struct Fade: Sendable, Equatable {
  var length: TimePosition
  var curve = FadeCurve.linear
}

extension ValueSyntax<Fade> {
  fileprivate static let fade = ValueSyntax(name: "fade") { (text: String) throws(InvalidValue) in
    let parts = text.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
    var fade = Fade(length: try ValueSyntax<TimePosition>.length.parse(String(parts[0])))
    if parts.count == 2 {
      fade.curve = try ValueSyntax<FadeCurve>.choice(name: "curve", FadeCurve.allCases)
        .parse(String(parts[1]))
    }
    return fade
  }.offering { text in
    guard let comma = text.firstIndex(of: ",") else { return [] }
    return FadeCurve.allCases.map { .word("\(text[...comma])\($0.rawValue)") }
  }
}

extension ValueSyntax<SourceEndpoint> {
  /// A file or a generated source: each stream opens its own.
  fileprivate static let mixedIn = ValueSyntax(name: "source") {
    (text: String) throws(InvalidValue) in
    let source = try source(name: "source").parse(text)
    if source == .standardInput || source.isLive {
      throw InvalidValue("an observer mixes in a file or a generated source")
    }
    return source
  }.offering { SourceEndpoint.offers($0) }
}
