// SPDX-License-Identifier: Apache-2.0
internal import CALSA
internal import Glibc
internal import Synchronization

/// A node of a PipeWire server as an ALSA device name: `pipewire:NODE=alsa_output.pci-0000_00_1f.3.analog-stereo`.
///
/// With the suffix `.monitor`, as in PulseAudio, the name means the sound played on the node. The plugin has no such
/// name: ``PCMHandle`` sets an environment variable instead while it opens the device.
struct PipeWireTarget: Equatable {
  /// The server's name of the node.
  var node: String
  var isMonitor = false

  private static let beginning = "pipewire:"
  private static let key = "NODE="
  private static let monitorEnding = ".monitor"

  /// The name to open; in quotes if it has characters that are special in ALSA's configuration.
  var deviceName: String {
    let name = node + (isMonitor ? Self.monitorEnding : "")
    if name.utf8.allSatisfy({ Self.plain.contains($0) }) { return Self.beginning + Self.key + name }
    let quote = name.contains("'") ? "\"" : "'"
    return "\(Self.beginning)\(Self.key)\(quote)\(name)\(quote)"
  }

  private static let plain = Set(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-+".utf8)

  /// The name to open in place of a monitor's, also inside `plug:`; nil if `name` means no monitor.
  static func monitored(by name: String) -> String? {
    guard let start = name.place(of: beginning)?.upperBound,
      let value = name[start...].place(of: key)?.upperBound
    else { return nil }
    let end = name[value...].dropFirst().firstIndex { ",'\"".contains($0) } ?? name.endIndex
    guard name[value..<end].hasSuffix(monitorEnding),
      name[value..<end].count > monitorEnding.count
    else { return nil }
    return String(name[..<end].dropLast(monitorEnding.count)) + name[end...]
  }

  /// `properties`, empty or as in `{ node.name = x }` or `node.name=x`, with the property of a monitor.
  static func monitorProperties(_ properties: String?) -> String {
    let wish = "stream.capture.sink = true"
    let given = properties ?? ""
    if let end = given.lastIndex(of: "}") { return "\(given[..<end]) \(wish) \(given[end...])" }
    return "{ \(given) \(wish) }"
  }
}

/// Guards the environment, so that one opening of a device does not see another's variable.
private let environment = Mutex<Void>(())

/// Runs `body`, which opens a device, while PipeWire's plugin is told to record the sound played on a node.
///
/// No other thread may read the environment meanwhile.
func whileCapturingMonitors<Result>(_ body: () -> Result) -> Result {
  environment.withLock { _ in
    let variable = "PIPEWIRE_ALSA"
    let before = unsafe getenv(variable).map { unsafe String(cString: $0) }
    unsafe setenv(variable, PipeWireTarget.monitorProperties(before), 1)
    defer {
      if let before { unsafe setenv(variable, before, 1) } else { unsafe unsetenv(variable) }
    }
    return body()
  }
}
