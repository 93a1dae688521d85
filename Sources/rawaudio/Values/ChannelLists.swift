// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

extension ValueSyntax<ChannelMap> {
  /// `1`, `2,1`, `L,R,mix`, `0.5*L+0.5*R,0.5*L-0.5*R`, `-1,0`.
  static let channelMap = ValueSyntax(name: "list", isNumeric: true) {
    (text: String) throws(InvalidValue) in
    var origins: [ChannelMap.Origin] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      origins.append(try ChannelMap.Origin(part))
    }
    do throws(AudioError) {
      return try ChannelMap(origins)
    } catch {
      throw InvalidValue(error.reasonAndAdvice)
    }
  }.offering { .list(ChannelMap.Speaker.allCases.map(\.rawValue) + ["mix"], in: $0) }
}

extension ChannelMap.Origin {
  /// One channel of the result: `L`, `2`, `mix`, `0` for silence, or a sum such as `L-0.5*R`.
  fileprivate init(_ text: Substring) throws(InvalidValue) {
    switch text.lowercased() {
    case "mix": self = .mix
    case "0": self = .sum([])
    default:
      let terms = try Self.parts(text).map { (part) throws(InvalidValue) in
        try ChannelMap.Term(part)
      }
      guard let only = terms.first, terms.count == 1, only.factor == 1 else {
        self = .sum(terms)
        return
      }
      self =
        switch only.channel {
        case .number(let number): .channel(number)
        case .speaker(let speaker): .speaker(speaker)
        }
    }
  }

  /// The terms of a sum, each with its sign.
  private static func parts(_ text: Substring) -> [Substring] {
    var parts: [Substring] = []
    var start = text.startIndex
    for index in text.indices.dropFirst() where text[index] == "+" || text[index] == "-" {
      parts.append(text[start..<index])
      start = index
    }
    return parts + [text[start...]]
  }
}

extension ChannelMap.Term {
  /// `L`, `-2`, `+0.5*R`.
  fileprivate init(_ text: Substring) throws(InvalidValue) {
    var rest = text
    let sign = rest.first == "-" ? -1.0 : 1
    if rest.first == "-" || rest.first == "+" { rest.removeFirst() }
    var factor = 1.0
    if let star = rest.firstIndex(of: "*") {
      guard let number = Double(decimal: String(rest[..<star])), number >= 0 else {
        throw InvalidValue("'\(rest[..<star])' is no factor; a factor is a number, as in 0.5*L")
      }
      factor = number
      rest = rest[rest.index(after: star)...]
    }
    self.init(sign * factor, try Channel(rest))
  }
}

extension ChannelMap.Term.Channel {
  fileprivate init(_ text: Substring) throws(InvalidValue) {
    let speaker = ChannelMap.Speaker.allCases.first {
      $0.rawValue.lowercased() == text.lowercased()
    }
    if let number = Int(text), StreamFormat.channelCounts.contains(number) {
      self = .number(number)
    } else if let speaker {
      self = .speaker(speaker)
    } else {
      let names = ChannelMap.Speaker.allCases.map(\.rawValue).joinedAsList
      throw InvalidValue(
        "'\(text)' is no channel; channels are numbers from 1, the names \(names), mix for all in one, or 0 for silence"
      )
    }
  }
}

/// The delay of all channels of a stream, if there is one, or those of its first channels.
struct ChannelDelays: Sendable, Hashable {
  var times: [TimePosition]

  /// Whether it delays the whole stream.
  var isOfAll: Bool { times.count == 1 }

  func observer(
    at positions: ObservationPositions, _ parameters: FrameParameters = .readWrite
  ) -> any AudioObserver {
    isOfAll
      ? PadObserver(positions, before: times[0], parameters: parameters)
      : DelayObserver(positions, times, parameters: parameters)
  }
}

extension ValueSyntax<ChannelDelays> {
  /// `120ms` for all channels, `0,3ms,12S`
  static let channelDelays = ValueSyntax(name: "times", isNumeric: true) {
    (text: String) throws(InvalidValue) in
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count <= StreamFormat.channelCounts.upperBound else {
      throw InvalidValue("a stream has 1 to \(StreamFormat.channelCounts.upperBound) channels")
    }
    return ChannelDelays(
      times: try parts.map { (part) throws(InvalidValue) in try TimePosition(String(part)) })
  }
}

/// The sources that an option applies to.
enum SourceNumbers: Sendable, Hashable {
  case all
  /// From 1.
  case some(Set<Int>)

  func contains(_ number: Int) -> Bool {
    switch self {
    case .all: true
    case .some(let numbers): numbers.contains(number)
    }
  }
}

extension ValueSyntax<SourceNumbers> {
  /// `all`, `2`, `1,3`.
  static let sourceNumbers = ValueSyntax(name: "numbers") { (text: String) throws(InvalidValue) in
    if text == "all" { return .all }
    var numbers: Set<Int> = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let number = Int(part), number > 0 else {
        throw InvalidValue("sources are told by their numbers from 1, for example 2 or 1,3")
      }
      numbers.insert(number)
    }
    return .some(numbers)
  }
}
