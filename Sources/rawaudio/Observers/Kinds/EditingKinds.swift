// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

// The kinds that change the stream and need only its frames.

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
    help: "Puts other channels in the place of these.")
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
