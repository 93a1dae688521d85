// SPDX-License-Identifier: Apache-2.0

/// libjack, which only a machine with JACK or PipeWire has.
enum JackLibrary {
  /// Whether libjack can be loaded; it then stays loaded.
  static var isPresent: Bool { LoadedLibrary("libjack.so.0", isGlobal: true) != nil }

  /// - Throws: `unavailable` without the library.
  static func require(for device: String) throws(AudioError) {
    if isPresent { return }
    throw AudioError(
      .unavailable, cannot: "open device", device, because: "libjack.so.0 is not installed",
      advice: "install the package libjack-jackd2-0, or pipewire-jack and start with pw-jack")
  }
}
