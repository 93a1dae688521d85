// SPDX-License-Identifier: Apache-2.0
internal import AudioPrograms
internal import CLilv

/// A port of an LV2 plug-in, as its file describes it.
struct LV2Port {
  /// The kind of a port, which determines its connection.
  enum Role {
    case audioInput(isSideChain: Bool)
    case audioOutput
    case control(PluginPort)
    case controlOutput
    /// A row of samples with this constant value.
    case voltageInput(Float)
    case voltageOutput
    /// A sequence of events, of at least this many bytes.
    case eventInput(Int)
    case eventOutput(Int)
    /// Of another type, without need of a connection.
    case unconnected
    /// Of another type that needs a connection.
    case unknown
  }

  let role: Role
  let symbol: String

  init(_ port: OpaquePointer, of plugin: OpaquePointer, in world: LV2World) {
    let port = unsafe DescribedPort(port: port, plugin: plugin, world: world)
    symbol = port.symbol
    let isInput = port.isA("InputPort")
    if port.isA("AudioPort") {
      role = isInput ? .audioInput(isSideChain: port.isSideChain) : .audioOutput
    } else if port.isA("ControlPort") {
      role = isInput ? .control(port.control) : .controlOutput
    } else if port.has("connectionOptional") {
      role = .unconnected
    } else if port.isA("CVPort") {
      role = isInput ? .voltageInput(Float(port.control.standard)) : .voltageOutput
    } else if port.isA("AtomPort", LV2Name.atom) {
      let size = port.value(LV2Name.resize + "minimumSize")?.number
      let bytes = max(LV2Features.sequenceSize, min(Int(size ?? 0), 1 << 26))
      role = isInput ? .eventInput(bytes) : .eventOutput(bytes)
    } else {
      role = .unknown
    }
  }
}

/// The statements about a port in the plug-in's file.
@safe
private struct DescribedPort {
  let port: OpaquePointer
  let plugin: OpaquePointer
  let world: LV2World

  var symbol: String { unsafe LV2Node.text(of: lilv_port_get_symbol(plugin, port)) ?? "" }

  func isA(_ type: String, _ prefix: String = LV2Name.core) -> Bool {
    unsafe lilv_port_is_a(plugin, port, world.node(prefix + type))
  }

  func has(_ property: String) -> Bool {
    unsafe lilv_port_has_property(plugin, port, world.node(LV2Name.core + property))
  }

  func value(_ predicate: String) -> LV2Node? {
    unsafe LV2Node(owning: lilv_port_get(plugin, port, world.node(predicate)))
  }

  /// Whether the port has the property, or its group is the side chain of another.
  var isSideChain: Bool {
    if has("isSideChain") { return true }
    guard let group = value(LV2Name.groups + "group") else { return false }
    return unsafe lilv_world_ask(
      world.pointer, group.pointer, world.node(LV2Name.groups + "sideChainOf"), nil)
  }

  var control: PluginPort {
    let name = unsafe LV2Node(owning: lilv_port_get_name(plugin, port))
    var control = PluginPort(symbol: symbol, name: name?.text ?? symbol)
    var standard: OpaquePointer?
    var minimum: OpaquePointer?
    var maximum: OpaquePointer?
    unsafe lilv_port_get_range(plugin, port, &standard, &minimum, &maximum)
    control.preset = unsafe LV2Node(owning: standard)?.number
    control.minimum = unsafe LV2Node(owning: minimum)?.number
    control.maximum = unsafe LV2Node(owning: maximum)?.number
    control.isToggled = has("toggled")
    if control.isToggled {
      control.minimum = control.minimum ?? 0
      control.maximum = control.maximum ?? 1
    }
    control.isInteger = has("integer")
    control.followsRate = has("sampleRate")
    control.unit = unit
    control.points = points
    return control
  }

  /// `http://lv2plug.in/ns/extensions/units#hz` is `Hz`; a plug-in's own unit has a symbol.
  private var unit: String? {
    guard let unit = value(LV2Name.units + "unit") else { return nil }
    if unit.text.hasPrefix(LV2Name.units) {
      let word = String(unit.text.dropFirst(LV2Name.units.count))
      return Self.knownUnits[word] ?? word
    }
    return unsafe world.object(of: unit.pointer, LV2Name.units + "symbol")?.text
  }

  /// The symbols of units.ttl that differ from the names.
  private static let knownUnits = [
    "db": "dB", "hz": "Hz", "khz": "kHz", "mhz": "MHz", "pc": "%", "degree": "°", "coef": "",
    "semitone12TET": "semi", "cent": "ct", "midiNote": "note", "octave": "oct",
  ]

  private var points: [PluginPort.Point] {
    guard let all = unsafe lilv_port_get_scale_points(plugin, port) else { return [] }
    defer { unsafe lilv_scale_points_free(all) }
    var points: [PluginPort.Point] = []
    var place = unsafe lilv_scale_points_begin(all)
    while unsafe !lilv_scale_points_is_end(all, place) {
      let point = unsafe lilv_scale_points_get(all, place)
      if let label = unsafe LV2Node.text(of: lilv_scale_point_get_label(point)),
        let value = unsafe LV2Node.number(of: lilv_scale_point_get_value(point))
      {
        points.append(.init(label: label, value: value))
      }
      unsafe place = lilv_scale_points_next(all, place)
    }
    return points.sorted { $0.value < $1.value }
  }
}
