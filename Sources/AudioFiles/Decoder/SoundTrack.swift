// SPDX-License-Identifier: Apache-2.0
/// A sound track of a file, by its number or by a word for it.
@nonexhaustive
public enum SoundTrack: Sendable, Hashable, ExpressibleByIntegerLiteral {
  /// From 1.
  case number(Int)
  /// The title of the track, or else its language as the file states it.
  case named(String)

  public init(integerLiteral value: Int) { self = .number(value) }
}

/// The names of a track, which containers state as texts.
struct TrackName {
  /// The title; in MP4, which has none, the name of the handler.
  let title: String?
  /// Nil if none is stated.
  let language: String?

  init(_ texts: [(name: String, value: String)]) {
    func text(_ name: String) -> String? {
      texts.first { $0.name.lowercased() == name && !$0.value.isEmpty }?.value
    }
    let handler = text("handler_name")
    // Each writer has a name for all handlers, such as SoundHandler.
    title =
      text("title")
      ?? handler.flatMap { name in
        ["andler", "Media", "Core"].contains { name.place(of: $0) != nil } ? nil : name
      }
    language = text("language").flatMap { $0 == "und" ? nil : $0 }
  }

  fileprivate var words: String {
    [title.map { "'\($0)'" }, language].compactMap { $0 }.joined(separator: " ")
  }
}

extension DecodedFileInformation {
  /// Whether a sound track has the title, in any case.
  package func hasSoundTrack(titled title: String) -> Bool {
    let title = title.lowercased()
    return streams.contains { $0.kind == "audio" && $0.title?.lowercased() == title }
  }
}

extension SoundTrack {
  /// The number of the track in a file. An exact title goes before one in other case, and that before a language.
  ///
  /// - Parameters:
  ///   - tracks: the names of all sound tracks, in order.
  ///   - file: its name.
  /// - Throws: `unsupported` if there is no such track, or several are called so; the error lists them.
  func number(among tracks: [TrackName], in file: String) throws(AudioError) -> Int {
    let word: String
    switch self {
    case .number(let number):
      guard number > 0, number <= tracks.count else {
        let count = tracks.isEmpty ? "none" : tracks.count == 1 ? "one" : "\(tracks.count)"
        throw refused("\(number)", file, "it has \(count)")
      }
      return number
    case .named(let name): word = name
    }
    let lower = word.lowercased()
    for isMeant: (TrackName) -> Bool in [
      { $0.title == word }, { $0.title?.lowercased() == lower },
      { name in name.language.map { Self.languages($0.lowercased()).contains(lower) } ?? false },
    ] {
      let numbers = tracks.indices.filter { isMeant(tracks[$0]) }
      guard let first = numbers.first else { continue }
      guard numbers.count == 1 else {
        throw refused("'\(word)'", file, "several are called so: \(Self.list(numbers, of: tracks))")
      }
      return first + 1
    }
    throw refused("'\(word)'", file, "it has \(Self.list(Array(tracks.indices), of: tracks))")
  }

  /// - Throws: `unsupported` if it is not the one track, without a name, of a file that libsndfile reads.
  func requireOnly(in file: String) throws(AudioError) {
    _ = try number(among: [TrackName([])], in: file)
  }

  private func refused(_ track: String, _ file: String, _ reason: String) -> AudioError {
    AudioError(.unsupported, cannot: "take sound track \(track) of", file, because: reason)
  }

  private static func list(_ places: [Int], of tracks: [TrackName]) -> String {
    if places.isEmpty { return "none" }
    return places.map { place in
      let words = tracks[place].words
      return words.isEmpty ? "\(place + 1) without a name" : "\(place + 1), \(words)"
    }.joined(separator: "; ")
  }

  /// A code of a language with its other form: some languages have two codes of three letters. Source: ISO 639-2.
  private static func languages(_ code: String) -> [String] {
    [code] + pairs.filter { $0.contains(code) }.joined()
  }

  private static let pairs = [
    ["deu", "ger"], ["fra", "fre"], ["nld", "dut"], ["zho", "chi"], ["ces", "cze"], ["ell", "gre"],
    ["fas", "per"], ["ron", "rum"], ["slk", "slo"], ["isl", "ice"], ["eus", "baq"], ["hye", "arm"],
    ["kat", "geo"], ["mkd", "mac"], ["mya", "bur"], ["bod", "tib"], ["cym", "wel"], ["msa", "may"],
    ["mri", "mao"], ["sqi", "alb"],
  ]
}
