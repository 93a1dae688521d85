// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

// The kinds that change the stream and need nothing but its frames.

struct GainKind: FrameKind {
  static let form = ObserverForm(
    "gain", "DB", .decibels, needs: "decibels", help: "Changes the level by so many decibels.")
  let argument: Double

  func observer(
    at positions: ObservationPositions, _ parameters: FrameParameters
  ) -> any AudioObserver {
    GainObserver(decibels: argument, positions: positions, parameters: parameters)
  }
}

struct InvertKind: FrameKind {
  static let form = ObserverForm<NoArgument>("invert", help: "Inverts the polarity.")
  let argument: NoArgument

  func observer(
    at positions: ObservationPositions, _ parameters: FrameParameters
  ) -> any AudioObserver {
    GainObserver(factor: -1, positions: positions, parameters: parameters)
  }
}

struct FadeInKind: FrameKind {
  static let form = ObserverForm(
    "fade-in", "TIME[,CURVE]", .fade, needs: "a time",
    help: """
      Fades in from where it begins; CURVE is linear, equal-power, raised-cosine or logarithmic.
      """)
  let argument: Fade

  func observer(
    at positions: ObservationPositions, _ parameters: FrameParameters
  ) -> any AudioObserver {
    FadeObserver(
      in: argument.length, curve: argument.curve, positions: positions, parameters: parameters)
  }
}

struct FadeOutKind: FrameKind {
  static let form = ObserverForm(
    "fade-out", "TIME[,CURVE]", .fade, needs: "a time",
    help: "Fades out before the end of what it sees, and holds it back by as much.")
  let argument: Fade

  func observer(
    at positions: ObservationPositions, _ parameters: FrameParameters
  ) -> any AudioObserver {
    FadeObserver(
      out: argument.length, curve: argument.curve, positions: positions, parameters: parameters)
  }
}

struct ChannelMapKind: FrameKind {
  static let form = ObserverForm(
    "channel-map", "LIST", .channelMap, needs: "channels",
    help: "Puts other channels in the place of these.")
  let argument: ChannelMap

  func check(_ observer: ObserverRequest) throws(InvalidValue) {
    guard observer.channelCount != nil else { return }
    throw InvalidValue("channel-map gives the channel count itself; leave out the key channels")
  }

  func observer(
    at positions: ObservationPositions, _ parameters: FrameParameters
  ) -> any AudioObserver {
    ChannelMapObserver(argument, positions: positions, parameters: parameters)
  }
}

struct ResampleKind: FrameKind {
  static let form = ObserverForm(
    "resample", "HERTZ", .sampleRate, needs: "a rate",
    help: "Converts the rate; the stream goes on at that rate.")
  let argument: Int

  var sampleRate: Int? { argument }

  func check(_ observer: ObserverRequest) throws(InvalidValue) {
    guard observer.sampleRate != nil else { return }
    throw InvalidValue("resample names the rate itself; leave out the key rate")
  }

  func observer(
    at positions: ObservationPositions, _ parameters: FrameParameters
  ) -> any AudioObserver {
    ResampleObserver(sampleRate: argument, positions: positions, parameters: parameters)
  }
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
