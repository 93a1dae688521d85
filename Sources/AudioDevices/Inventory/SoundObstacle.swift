// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The reason why no sound card can be used at all.
enum SoundObstacle: Equatable {
  /// The kernel has no sound system, or a container does not see it.
  case noSystem
  case noCard
  /// There are cards, but this process may use none; `group` owns their nodes.
  case forbidden(group: String)

  var reason: String {
    switch self {
    case .noSystem: "this machine has no sound card: there is no /dev/snd"
    case .noCard: "this machine has no sound card: /dev/snd holds none"
    case .forbidden(let group): "permission denied: /dev/snd belongs to the group '\(group)'"
    }
  }

  var advice: String {
    switch self {
    case .noSystem, .noCard:
      "plug one in or load its driver; a container needs --device /dev/snd"
    case .forbidden(let group): Self.advice(toJoin: group)
    }
  }

  /// How this user can join `group`.
  static func advice(toJoin group: String) -> String {
    if group == "root" {
      return "as root give its files to the group 'audio' and the user that group"
    }
    return "join it with 'sudo usermod -aG \(group) \(userName)' and log in again"
  }

  private static var userName: String {
    guard let entry = unsafe getpwuid(geteuid()), let name = unsafe entry.pointee.pw_name else {
      return "$USER"
    }
    return unsafe String(cString: name)
  }
}

extension KernelSound {
  /// The obstacle between this process and every card; nil if there is none.
  func obstacle() -> SoundObstacle? {
    let directory = "\(root)/dev/snd"
    guard unsafe access(directory, F_OK) == 0 else { return .noSystem }
    let nodes = FolderEntries.names(in: directory).filter { $0.hasPrefix("control") }.sorted()
    guard let first = nodes.first else { return .noCard }
    if nodes.contains(where: { mayOpen("\(directory)/\($0)") }) { return nil }
    return .forbidden(group: Self.group(of: "\(directory)/\(first)"))
  }

  /// The group of a device's node: of the address, else of any node.
  func group(of address: CardAddress?, _ direction: DeviceDirection) -> String? {
    let directory = "\(root)/dev/snd"
    let letter = direction == .capture ? "c" : "p"
    let card = cards().first { card in address?.card.map { card.isCalled($0) } ?? false }
    let wanted = card.map { "pcmC\($0.number)D\(address?.device ?? 0)\(letter)" }
    let nodes = FolderEntries.names(in: directory).filter { $0.hasPrefix("pcmC") }.sorted()
    let node = nodes.first { $0 == wanted } ?? nodes.first { $0.hasSuffix(letter) } ?? nodes.first
    return node.map { Self.group(of: "\(directory)/\($0)") }
  }

  /// The group of a file, by name if it has one.
  private static func group(of path: String) -> String {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return "audio" }
    guard let entry = unsafe getgrgid(status.st_gid), let name = unsafe entry.pointee.gr_name else {
      return "\(status.st_gid)"
    }
    return unsafe String(cString: name)
  }

  /// The failure to open a device, with the cause that the kernel knows: its users, its group, or the lack of a card.
  ///
  /// - Parameter code: the negative errno of libasound, which does not find a card without permission.
  func explain(
    _ failure: AudioError, code: Int, opening name: String, _ direction: DeviceDirection
  ) -> AudioError {
    var error = failure
    let address = CardAddress(deviceName: name)
    switch CInt(-code) {
    case EBUSY:
      let users = address.map { self.users(of: $0, direction) } ?? []
      if !users.isEmpty {
        error.advice = "close \(users.map(\.description).joined(separator: " and ")), which uses it"
      }
    case EACCES, EPERM:
      if let group = self.group(of: address, direction) {
        error.advice =
          "it belongs to the group '\(group)': \(SoundObstacle.advice(toJoin: group))"
      }
    case ENOENT, ENODEV, ENXIO:
      guard address != nil, let obstacle = self.obstacle() else { break }
      if case .forbidden = obstacle { error.kind = .unavailable }
      error.reason = obstacle.reason
      error.advice = obstacle.advice
    default: break
    }
    return error
  }
}
