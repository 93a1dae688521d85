// SPDX-License-Identifier: Apache-2.0
/// An audio port in a server's graph.
public struct JackPort: Sendable, Hashable {
  /// With its client in front: `system:capture_1`.
  public var name: String
  /// `capture` if the port gives samples, `playback` if it takes some.
  public var direction: DeviceDirection
  /// Whether it stands for a connector of a sound card.
  public var isPhysical: Bool

  package init(name: String, direction: DeviceDirection, isPhysical: Bool = false) {
    self.name = name
    self.direction = direction
    self.isPhysical = isPhysical
  }

  /// The text before the last colon: a client's name may contain colons, the short name of a port rarely does.
  package var client: Substring {
    name.lastIndex(of: ":").map { name[..<$0] } ?? Substring(name)
  }
}
