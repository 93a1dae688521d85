// SPDX-License-Identifier: Apache-2.0
internal import AudioPrograms
internal import AudioCore
internal import CLADSPA
internal import Glibc

/// A LADSPA plug-in in a loaded library.
@safe
final class LadspaPlugin: LoadedPlugin {
  let description: PluginDescription
  private let descriptor: UnsafePointer<LADSPA_Descriptor>
  private let controls: [Int: PluginPort]

  /// - Parameter library: the library's name without folder and `.so`.
  init(_ descriptor: UnsafePointer<LADSPA_Descriptor>, in library: String) {
    unsafe self.descriptor = descriptor
    let plugin = unsafe descriptor.pointee
    let label = unsafe String(cString: plugin.Label)
    var found = unsafe PluginDescription(
      .ladspa, identity: "\(library):\(label)", name: String(cString: plugin.Name))
    var controls: [Int: PluginPort] = [:]
    var symbols: Set<String> = []
    for index in 0..<Int(unsafe plugin.PortCount) {
      let kind = unsafe plugin.PortDescriptors[index]
      let isInput = kind & LADSPA_PORT_INPUT != 0
      let name = unsafe plugin.PortNames[index].map { unsafe String(cString: $0) } ?? "\(index)"
      if kind & LADSPA_PORT_AUDIO != 0 {
        if isInput { found.inputs += 1 } else { found.outputs += 1 }
      } else if !isInput {
        if Self.tellsLatency(name) { found.tellsLatency = true }
      } else {
        var symbol = Self.symbol(of: name)
        while !symbols.insert(symbol).inserted { symbol += "_" }
        let port = unsafe Self.port(symbol, name, plugin.PortRangeHints[index])
        controls[index] = port
        found.ports.append(port)
      }
    }
    description = found
    self.controls = controls
  }

  /// LADSPA has no flag for it. Hosts look for this name (ladspa.h of 1.1 and later; Ardour, ecasound).
  private static func tellsLatency(_ name: String) -> Bool {
    name == "latency" || name == "_latency"
  }

  /// `Room size (m)` becomes `room_size_m`.
  static func symbol(of name: String) -> String {
    var symbol = ""
    for character in name.lowercased() {
      if character.isASCII, character.isLetter || character.isNumber {
        symbol.append(character)
      } else if !symbol.isEmpty, symbol.last != "_" {
        symbol.append("_")
      }
    }
    while symbol.last == "_" { symbol.removeLast() }
    return symbol.isEmpty ? "control" : symbol
  }

  /// Hints and defaults follow ladspa.h.
  private static func port(
    _ symbol: String, _ name: String, _ range: LADSPA_PortRangeHint
  ) -> PluginPort {
    let hint = range.HintDescriptor
    func has(_ bit: Int32) -> Bool { hint & bit != 0 }
    var port = PluginPort(symbol: symbol, name: name)
    port.isToggled = has(LADSPA_HINT_TOGGLED)
    port.isInteger = has(LADSPA_HINT_INTEGER)
    port.followsRate = has(LADSPA_HINT_SAMPLE_RATE)
    port.minimum = has(LADSPA_HINT_BOUNDED_BELOW) ? Double(range.LowerBound) : nil
    port.maximum = has(LADSPA_HINT_BOUNDED_ABOVE) ? Double(range.UpperBound) : nil
    let (low, high) = (port.minimum ?? 0, port.maximum ?? 1)
    func between(_ share: Double) -> Double {
      guard has(LADSPA_HINT_LOGARITHMIC), low > 0, high > 0 else {
        return low * (1 - share) + high * share
      }
      return exp(log(low) * (1 - share) + log(high) * share)
    }
    port.preset =
      switch rawaudio_ladspa_default(hint) {
      case LADSPA_HINT_DEFAULT_MINIMUM: low
      case LADSPA_HINT_DEFAULT_LOW: between(0.25)
      case LADSPA_HINT_DEFAULT_MIDDLE: between(0.5)
      case LADSPA_HINT_DEFAULT_HIGH: between(0.75)
      case LADSPA_HINT_DEFAULT_MAXIMUM: high
      case LADSPA_HINT_DEFAULT_0: 0
      case LADSPA_HINT_DEFAULT_1: 1
      case LADSPA_HINT_DEFAULT_100: 100
      case LADSPA_HINT_DEFAULT_440: 440
      default: nil
      }
    if port.isInteger { port.preset = port.preset?.rounded() }
    return port
  }

  func instance(
    _ setting: InstanceSetting, inputs: [SampleRow], outputs: [SampleRow]
  ) throws(AudioError) -> any PluginInstance {
    let plugin = unsafe descriptor.pointee
    guard let make = unsafe plugin.instantiate,
      let handle = unsafe make(descriptor, UInt(setting.sampleRate))
    else {
      throw cannotBeMade(for: setting.sampleRate)
    }
    let instance = unsafe LadspaInstance(handle, descriptor)
    var (inputs, outputs) = (inputs[...], outputs[...])
    for index in 0..<Int(unsafe plugin.PortCount) {
      let kind = unsafe plugin.PortDescriptors[index]
      let isInput = kind & LADSPA_PORT_INPUT != 0
      if kind & LADSPA_PORT_AUDIO != 0 {
        let row = isInput ? inputs.removeFirst() : outputs.removeFirst()
        instance.connect(index, to: row)
      } else if isInput {
        let port = controls[index]
        let value = port.map { setting.value(of: $0) } ?? 0
        instance.connect(index, to: SampleRow(length: 1, filledWith: value))
      } else {
        let row = SampleRow(length: 1)
        instance.connect(index, to: row)
        let name = unsafe plugin.PortNames[index].map { unsafe String(cString: $0) } ?? ""
        if Self.tellsLatency(name) { instance.latencyRow = row }
      }
    }
    instance.activate()
    return instance
  }
}

/// An instance of a LADSPA plug-in. It is never cleaned up, for some plug-ins crash then; the process ends instead.
@safe
private final class LadspaInstance: PluginInstance {
  private let handle: LADSPA_Handle
  private let descriptor: UnsafePointer<LADSPA_Descriptor>
  private var rows: [SampleRow] = []
  var latencyRow: SampleRow?

  init(_ handle: LADSPA_Handle, _ descriptor: UnsafePointer<LADSPA_Descriptor>) {
    unsafe self.handle = handle
    unsafe self.descriptor = descriptor
  }

  var latency: Double { Double(latencyRow?[0] ?? 0) }

  func connect(_ port: Int, to row: SampleRow) {
    rows.append(row)
    unsafe descriptor.pointee.connect_port?(
      handle, UInt(port), row.address.assumingMemoryBound(to: LADSPA_Data.self))
  }

  func activate() { unsafe descriptor.pointee.activate?(handle) }

  func run(_ length: Int) { unsafe descriptor.pointee.run?(handle, UInt(length)) }
}

/// The LADSPA libraries of this machine.
struct LadspaLibraries {
  /// Names without folder and `.so`, each with its path; the first library of a name counts.
  let paths: [(name: String, path: String)]

  /// - Parameter variable: folders separated by colons, as in LADSPA_PATH; nil means the usual folders.
  init(_ variable: String?) {
    var paths: [(name: String, path: String)] = []
    var names: Set<String> = []
    for folder in variable.map({ $0.split(separator: ":").map(String.init) }) ?? Self.usualFolders {
      for file in FolderEntries.names(in: folder).sorted() where file.hasSuffix(".so") {
        let name = String(file.dropLast(3))
        if names.insert(name).inserted { paths.append((name, "\(folder)/\(file)")) }
      }
    }
    self.paths = paths
  }

  /// The folders of Debian and other systems; Debian's `ladspa.h` names none.
  private static var usualFolders: [String] {
    [
      "/usr/local/lib/ladspa", "/usr/lib/ladspa", "/usr/lib64/ladspa",
      "/usr/lib/x86_64-linux-gnu/ladspa", "/usr/lib/aarch64-linux-gnu/ladspa",
    ]
  }

  /// Loads a library and reads its plug-ins. It stays loaded until the end of this process.
  static func plugins(of library: (name: String, path: String)) -> [LadspaPlugin] {
    typealias Function = @convention(c) (UInt) -> UnsafePointer<LADSPA_Descriptor>?
    guard let loaded = LoadedLibrary(library.path),
      let descriptor: Function = unsafe loaded.function("ladspa_descriptor")
    else { return [] }
    var plugins: [LadspaPlugin] = []
    while let next = unsafe descriptor(UInt(plugins.count)) {
      plugins.append(unsafe LadspaPlugin(next, in: library.name))
    }
    return plugins
  }
}
