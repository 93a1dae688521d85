/// The files and standard streams that a command line writes to: each by one sink, tap or log only.
struct OutputNames {
  private var taken: Set<SinkEndpoint> = []

  /// - Throws: where something else goes there already.
  mutating func add(_ sink: SinkEndpoint) throws(UsageError) {
    guard sink.isExclusive, !taken.insert(sink.normalized).inserted else { return }
    throw UsageError("Two outputs go to '\(sink.name)'; give each its own")
  }
}

extension SinkEndpoint {
  /// Devices decide themselves whom they let in, the files of `/dev` among them.
  fileprivate var isExclusive: Bool {
    switch self {
    case .file(let path): !path.hasPrefix("/dev/")
    case .standardOutput: true
    case .device, .null: false
    }
  }

  /// The same for all ways to write one path that differ in nothing but `.` and repeated slashes.
  fileprivate var normalized: SinkEndpoint {
    guard case .file(let path) = self else { return self }
    let parts = path.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
    return .file(path.hasPrefix("/") ? "/" + parts : parts)
  }
}
