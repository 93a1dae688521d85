// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The kernel's information about sound cards, without opening them: `/proc/asound` and `/dev/snd`.
struct KernelSound {
  /// The prefix of every path; empty but for tests.
  var root = ""
  var mayOpen: (String) -> Bool = { path in unsafe access(path, R_OK | W_OK) == 0 }

  /// A card with the kernel's number and the id in names.
  struct Card: Equatable {
    var number: Int
    var id: String

    /// Whether the `CARD` of a name means this card: by its number or its id.
    func isCalled(_ name: String) -> Bool { name == id || name == "\(number)" }
  }

  /// The cards that the kernel knows, regardless of permissions.
  func cards() -> [Card] {
    FolderEntries.names(in: "\(root)/proc/asound").compactMap { entry in
      guard entry.hasPrefix("card"), let number = Int(entry.dropFirst(4)) else { return nil }
      return Card(number: number, id: Self.firstLine(of: "\(root)/proc/asound/\(entry)/id") ?? "")
    }.sorted { $0.number < $1.number }
  }

  /// The processes that have devices of a direction open, each once.
  ///
  /// - Parameter address: the card and the device; nil parts match any.
  func users(of address: CardAddress, _ direction: DeviceDirection) -> [DeviceUser] {
    let letter = direction == .capture ? "c" : "p"
    var users: [DeviceUser] = []
    for card in cards() where address.card.map({ card.isCalled($0) }) ?? true {
      let folder = "\(root)/proc/asound/card\(card.number)"
      for device in FolderEntries.names(in: folder).sorted() {
        guard device.hasPrefix("pcm"), device.hasSuffix(letter) else { continue }
        if let wanted = address.device, device != "pcm\(wanted)\(letter)" { continue }
        for part in FolderEntries.names(in: "\(folder)/\(device)").sorted()
        where part.hasPrefix("sub") {
          guard let user = user(ofStatus: "\(folder)/\(device)/\(part)/status") else { continue }
          if !users.contains(user) { users.append(user) }
        }
      }
    }
    return users
  }

  /// Reads the thread that opened the device from its status, as in `owner_pid   : 4711`.
  private func user(ofStatus path: String) -> DeviceUser? {
    guard let thread = Self.value(of: "owner_pid", in: path).flatMap({ Int($0) }) else {
      return nil
    }
    let process = Self.value(of: "Tgid", in: "\(root)/proc/\(thread)/status").flatMap { Int($0) }
    let id = process ?? thread
    return DeviceUser(
      processID: id, name: Self.firstLine(of: "\(root)/proc/\(id)/comm") ?? "")
  }

  /// nil if the file is empty or cannot be read.
  static func firstLine(of path: String) -> String? { lines(of: path).first }

  /// The text after `key:` in a file of such lines.
  static func value(of key: String, in path: String) -> String? {
    for line in lines(of: path) {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2, words(parts[0]) == key else { continue }
      return words(parts[1])
    }
    return nil
  }

  private static func words(_ text: Substring) -> String {
    text.split { $0 == " " || $0 == "\t" }.joined(separator: " ")
  }

  /// The lines of a small file.
  private static func lines(of path: String) -> [String] {
    guard let file = unsafe fopen(path, "re") else { return [] }
    defer { unsafe _ = fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = unsafe fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes.prefix(count), as: UTF8.self)
      .split(whereSeparator: \.isNewline).map { String($0) }
  }
}

/// The card and the device in a name of ALSA's usual configuration.
struct CardAddress: Equatable {
  /// A card's number or id; nil if the name has none.
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

  /// nil if the name is of another kind.
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
