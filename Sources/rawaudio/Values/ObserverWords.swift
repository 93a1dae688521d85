// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// The keys of an observer, in front of the colon.
enum ObserverKey: String, Sendable, CaseIterable {
  case rate
  case channels
  case samplesPerCall = "samples-per-call"
  case mode
  case encoding
  case align
  case latency
  case timeout
}

/// What stands behind the colon: the kind of an observer.
enum ObserverWord: String, Sendable, CaseIterable {
  case gain
  case invert
  case fadeIn = "fade-in"
  case fadeOut = "fade-out"
  case channelMap = "channel-map"
  case resample
  case mix
  case tap
  case meter
  case loudness
  case events
  case exec
}

extension ObserverRequest {
  /// How an observer that was begun may go on.
  ///
  /// - Parameter positions: those that the command has.
  static func offers(_ text: String, at positions: [ObservationPosition]) -> [Offer] {
    guard let colon = text.firstIndex(of: ":") else {
      return settingOffers(text, at: positions)
    }
    let kind = text.index(after: colon)
    return ObserverWord.offers(String(text[kind...])).map { $0.behind(String(text[..<kind])) }
  }

  /// In front of the colon.
  private static func settingOffers(
    _ text: String, at positions: [ObservationPosition]
  ) -> [Offer] {
    let settings = text.split(separator: ",", omittingEmptySubsequences: false)
    guard let last = settings.last, settings.count > 1 else {
      if let position = positions.first(where: { $0.rawValue == text }) {
        return [
          .beginning("\(position.rawValue):", about: "a kind of observer follows"),
          .beginning("\(position.rawValue),", about: "keys follow"),
        ]
      }
      return positions.map { .beginning("\($0.rawValue):") }
    }
    let start = String(text.dropLast(last.count))
    let halves = last.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard halves.count == 2 else {
      let used = settings.dropFirst().map { $0.prefix { $0 != "=" } }
      return ObserverKey.allCases.filter { !used.contains(Substring($0.rawValue)) }
        .map { .beginning("\(start)\($0.rawValue)=") }
    }
    let values = ObserverKey(rawValue: String(halves[0]))?.values ?? []
    return values.map { .beginning("\(start)\(halves[0])=\($0):") }
  }
}

extension ObserverKey {
  /// Those that can be listed.
  fileprivate var values: [String] {
    switch self {
    case .mode: ObserverMode.allCases.map(\.rawValue)
    case .align: TapAlignment.allCases.map(\.rawValue)
    case .encoding:
      SampleEncoding.allCases.filter { $0.bytesPerSample != nil }.map(\.rawValue)
    case .channels:
      ValueSyntax<Int>.channelCount.offers(for: "").compactMap(\.completeWord)
    case .rate: ValueSyntax<Int>.sampleRate.offers(for: "").compactMap(\.completeWord)
    case .samplesPerCall, .latency, .timeout: []
    }
  }
}

extension ObserverWord {
  private enum Argument {
    case none, possible, required
  }

  private var argument: Argument {
    switch self {
    case .invert, .meter: .none
    case .loudness, .events: .possible
    default: .required
    }
  }

  /// How a kind that was begun may go on.
  fileprivate static func offers(_ text: String) -> [Offer] {
    guard let equals = text.firstIndex(of: "=") else {
      return allCases.flatMap { word -> [Offer] in
        let whole = Offer.word(word.rawValue)
        let begun = Offer.beginning(word.rawValue + "=")
        return switch word.argument {
        case .none: [whole]
        case .possible: [whole, begun]
        case .required: [begun]
        }
      }
    }
    let value = text.index(after: equals)
    let offers = Self(rawValue: String(text[..<equals]))?.values(String(text[value...])) ?? []
    return offers.map { $0.behind(String(text[..<value])) }
  }

  private func values(_ text: String) -> [Offer] {
    switch self {
    case .gain, .invert, .meter, .exec: []
    case .tap, .loudness, .events: [.path(behind: "")]
    case .mix: SourceEndpoint.offers(text)
    case .resample: ValueSyntax<Int>.sampleRate.offers(for: text)
    case .channelMap: ValueSyntax<ChannelMap>.channelMap.offers(for: text)
    case .fadeIn, .fadeOut: ValueSyntax<FadeRequest>.fade.offers(for: text)
    }
  }
}
