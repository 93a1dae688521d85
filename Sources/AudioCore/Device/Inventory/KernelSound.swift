internal import Glibc

/// What the kernel tells of sound cards without their being opened: `/proc/asound` and `/dev/snd`.
struct KernelSound {
  /// Before every path; empty but for tests.
  var root = ""
  /// Whether this process may open a device node.
  var mayOpen: (String) -> Bool = { path in unsafe access(path, R_OK | W_OK) == 0 }

  /// A card by the kernel's number, and the id that names show.
  struct Card: Equatable {
    var number: Int
    var id: String
  }

  /// The cards that the kernel knows, whoever may use them.
  func cards() -> [Card] {
    Self.entries(of: "\(root)/proc/asound").compactMap { entry in
      guard entry.hasPrefix("card"), let number = Int(entry.dropFirst(4)) else { return nil }
      return Card(number: number, id: Self.firstLine(of: "\(root)/proc/asound/\(entry)/id") ?? "")
    }.sorted { $0.number < $1.number }
  }

  /// The processes that have devices of a direction open, each once.
  ///
  /// - Parameter address: the card and the device; what it leaves open may be any.
  func users(of address: CardAddress, _ direction: DeviceDirection) -> [DeviceUser] {
    let letter = direction == .capture ? "c" : "p"
    var users: [DeviceUser] = []
    for card in cards() where address.card.map({ card.isCalled($0) }) ?? true {
      let folder = "\(root)/proc/asound/card\(card.number)"
      for device in Self.entries(of: folder).sorted() {
        guard device.hasPrefix("pcm"), device.hasSuffix(letter) else { continue }
        if let wanted = address.device, device != "pcm\(wanted)\(letter)" { continue }
        for part in Self.entries(of: "\(folder)/\(device)").sorted() where part.hasPrefix("sub") {
          guard let user = user(ofStatus: "\(folder)/\(device)/\(part)/status") else { continue }
          if !users.contains(user) { users.append(user) }
        }
      }
    }
    return users
  }

  /// The status names the thread that opened the device, as in `owner_pid   : 4711`.
  private func user(ofStatus path: String) -> DeviceUser? {
    guard let thread = Self.value(of: "owner_pid", in: path).flatMap({ Int($0) }) else {
      return nil
    }
    let process = Self.value(of: "Tgid", in: "\(root)/proc/\(thread)/status").flatMap { Int($0) }
    let id = process ?? thread
    return DeviceUser(
      processID: id, name: Self.firstLine(of: "\(root)/proc/\(id)/comm") ?? "")
  }
}

extension KernelSound.Card {
  /// Whether a name's `CARD` means this one: its number or its id.
  func isCalled(_ name: String) -> Bool { name == id || name == "\(number)" }
}
