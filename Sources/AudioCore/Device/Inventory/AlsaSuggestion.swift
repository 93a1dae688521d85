/// A device that serves well for a direction.
public struct AlsaSuggestion: Sendable, Hashable {
  /// What to open it by, as ``AlsaDevice/name``.
  public var name: String
  /// Why this one, in lower case and without a full stop.
  public var reason: String
}

extension AlsaSuggestion {
  /// The default where it works; else a card's own, else whatever works.
  ///
  /// - Parameter devices: in the order of ``AlsaInventory/devices``.
  init?(for direction: DeviceDirection, among devices: [AlsaDevice]) {
    let working = devices.filter { device in
      guard case .offer(let offer) = device.answer(to: direction) else { return false }
      return !offer.sampleRates.isEmpty && !offer.encodings.isEmpty && device.name != "null"
    }
    let card = working.first { $0.name.hasPrefix("hw:") }
    if let standard = working.first(where: \.isDefault) {
      let exact = card.map { "; '\($0.name)' is the card itself, without conversions" }
      self.init(name: standard.name, reason: "it is the default" + (exact ?? ""))
    } else if let card {
      self.init(name: card.name, reason: "it is the first card that is free")
    } else if let first = working.first {
      self.init(name: first.name, reason: "it is the first that can be opened")
    } else {
      return nil
    }
  }
}
