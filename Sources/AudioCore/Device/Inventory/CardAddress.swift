/// The card and the device on it that a name of ALSA's usual configuration speaks of.
struct CardAddress: Equatable {
  /// A card's number or id; nil where the name leaves it open.
  var card: String?
  var device: Int?
}

extension CardAddress {
  /// Kinds of names that lead to a card, each written as in `hw:CARD=PCH,DEV=0` or `plughw:1,0`.
  private static let kinds: Set<String> = [
    "default", "sysdefault", "hw", "plughw", "front", "surround21", "surround40", "surround41",
    "surround50", "surround51", "surround71", "iec958", "spdif", "hdmi", "dmix", "dsnoop",
    "usbstream",
  ]

  /// nil where the name may mean anything.
  init?(deviceName name: String) {
    let parts = name.split(separator: ":", maxSplits: 1)
    guard let kind = parts.first, Self.kinds.contains(String(kind)) else { return nil }
    self.init(card: nil, device: nil)
    guard parts.count == 2 else { return }
    for (index, argument) in parts[1].split(separator: ",").enumerated() {
      let words = argument.split(separator: "=", maxSplits: 1)
      switch (words.first.map { String($0) }, words.count, index) {
      case ("CARD", 2, _), (_, 1, 0): card = words.last.map { String($0) }
      case ("DEV", 2, _), (_, 1, 1): device = words.last.flatMap { Int($0) }
      default: break
      }
    }
  }
}
