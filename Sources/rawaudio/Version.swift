enum Version {
  /// As `rawaudio --version` prints it.
  static let current = "0.1.0"
}
