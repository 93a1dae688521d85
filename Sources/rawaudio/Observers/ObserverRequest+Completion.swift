// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

extension ObserverRequest {
  /// The completions of the beginning of an observer.
  ///
  /// - Parameter positions: the positions of the command.
  static func offers(_ text: String, at positions: [ObservationPosition]) -> [Offer] {
    guard let colon = text.firstIndex(of: ":") else {
      return settingOffers(text, at: positions)
    }
    let kind = text.index(after: colon)
    return kindOffers(text[kind...]).map { $0.behind(String(text[..<kind])) }
  }

  /// Completions after the colon.
  private static func kindOffers(_ text: Substring) -> [Offer] {
    guard let equals = text.firstIndex(of: "=") else {
      return ObserverKinds.all.flatMap { $0.form.offers }
    }
    let value = text.index(after: equals)
    return ObserverKinds.named(text[..<equals])?.offers(String(text[value...]))
      .map { $0.behind(String(text[..<value])) } ?? []
  }

  /// Completions before the colon.
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
      return everyKey.filter { !used.contains(Substring($0.name)) }
        .map { .beginning("\(start)\($0.name)=") }
    }
    let values = everyKey.first { $0.name == halves[0] }?.values ?? []
    return values.map { .beginning("\(start)\(halves[0])=\($0):") }
  }

  /// The keys of all kinds, each once.
  static var everyKey: [ObserverKeyForm] {
    (keys.map(\.form) + ObserverKinds.all.flatMap { $0.keyForms }).reduce(into: []) { keys, key in
      if !keys.contains(where: { $0.name == key.name }) { keys.append(key) }
    }
  }
}
