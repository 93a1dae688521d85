internal import Glibc

extension KernelSound {
  /// What keeps this process from every card; nil where nothing does.
  func obstacle() -> SoundObstacle? {
    let directory = "\(root)/dev/snd"
    guard unsafe access(directory, F_OK) == 0 else { return .noSystem }
    let nodes = Self.entries(of: directory).filter { $0.hasPrefix("control") }.sorted()
    guard let first = nodes.first else { return .noCard }
    if nodes.contains(where: { mayOpen("\(directory)/\($0)") }) { return nil }
    return .forbidden(group: Self.group(of: "\(directory)/\(first)"))
  }

  /// The group that the node of a device belongs to: that of the address, else that of any.
  func group(of address: CardAddress?, _ direction: DeviceDirection) -> String? {
    let directory = "\(root)/dev/snd"
    let letter = direction == .capture ? "c" : "p"
    let card = cards().first { card in address?.card.map { card.isCalled($0) } ?? false }
    let wanted = card.map { "pcmC\($0.number)D\(address?.device ?? 0)\(letter)" }
    let nodes = Self.entries(of: directory).filter { $0.hasPrefix("pcmC") }.sorted()
    let node = nodes.first { $0 == wanted } ?? nodes.first { $0.hasSuffix(letter) } ?? nodes.first
    return node.map { Self.group(of: "\(directory)/\($0)") }
  }

  /// The group that a file belongs to, by name where it has one.
  private static func group(of path: String) -> String {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return "audio" }
    guard let entry = unsafe getgrgid(status.st_gid), let name = unsafe entry.pointee.gr_name else {
      return "\(status.st_gid)"
    }
    return unsafe String(cString: name)
  }
}
