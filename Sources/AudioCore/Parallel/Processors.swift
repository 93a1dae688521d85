internal import CLinux

/// The processors of this machine.
enum Processors {
  /// How many of them this program may use, at least 1.
  static var available: Int { max(1, Int(rawaudio_processor_count())) }
}
