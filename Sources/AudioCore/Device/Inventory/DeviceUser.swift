/// A process that has a device open.
public struct DeviceUser: Sendable, Hashable {
  /// The number of the process.
  public var processID: Int
  /// As the system calls it; empty where it does not say.
  public var name: String

  /// - Parameters:
  ///   - processID: the number of the process.
  ///   - name: as the system calls it; may be empty.
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
