/// A process that has a device open.
public struct DeviceUser: Sendable, Hashable {
  public var processID: Int
  /// As the system calls it; empty where it does not say.
  public var name: String

  public init(processID: Int, name: String) {
    self.processID = processID
    self.name = name
  }
}

extension DeviceUser: CustomStringConvertible {
  /// For example `arecord (process 4711)`.
  public var description: String {
    name.isEmpty ? "process \(processID)" : "\(name) (process \(processID))"
  }
}
