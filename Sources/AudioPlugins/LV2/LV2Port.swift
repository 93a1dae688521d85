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
    symbol = unsafe LV2Node.text(of: lilv_port_get_symbol(plugin, port)) ?? ""
    func isA(_ type: String) -> Bool {
      unsafe lilv_port_is_a(plugin, port, world.node(type))
    }
    func has(_ property: String) -> Bool {
      unsafe lilv_port_has_property(plugin, port, world.node(property))
    }
    let isInput = isA(LV2Name.core + "InputPort")
    if isA(LV2Name.core + "AudioPort") {
      role =
        isInput
        ? .audioInput(isSideChain: unsafe Self.isSideChain(port, of: plugin, in: world))
        : .audioOutput
    } else if isA(LV2Name.core + "ControlPort") {
      role =
        isInput
        ? .control(unsafe Self.control(port, symbol, of: plugin, in: world, has)) : .controlOutput
    } else if has(LV2Name.core + "connectionOptional") {
      role = .unconnected
    } else if isA(LV2Name.core + "CVPort") {
      let value = unsafe Self.control(port, symbol, of: plugin, in: world, has).standard
      role = isInput ? .voltageInput(Float(value)) : .voltageOutput
    } else if isA(LV2Name.atom + "AtomPort") {
      let size = unsafe LV2Node.number(
        of: lilv_port_get(plugin, port, world.node(LV2Name.resize + "minimumSize")))
      let bytes = max(LV2Features.sequenceSize, min(Int(size ?? 0), 1 << 26))
      role = isInput ? .eventInput(bytes) : .eventOutput(bytes)
    } else {
      role = .unknown
    }
  }

  /// Whether the port has the property, or its group is the side chain of another.
  private static func isSideChain(
    _ port: OpaquePointer, of plugin: OpaquePointer, in world: LV2World
  ) -> Bool {
    if unsafe lilv_port_has_property(plugin, port, world.node(LV2Name.core + "isSideChain")) {
      return true
    }
    guard
      let group = unsafe LV2Node(
        owning: lilv_port_get(plugin, port, world.node(LV2Name.groups + "group")))
    else { return false }
    return unsafe lilv_world_ask(
      world.pointer, group.pointer, world.node(LV2Name.groups + "sideChainOf"), nil)
  }

  private static func control(
    _ port: OpaquePointer, _ symbol: String, of plugin: OpaquePointer, in world: LV2World,
    _ has: (String) -> Bool
  ) -> PluginPort {
    let name = unsafe LV2Node(owning: lilv_port_get_name(plugin, port))
    var control = PluginPort(symbol: symbol, name: name?.text ?? symbol)
    var standard: OpaquePointer?
    var minimum: OpaquePointer?
    var maximum: OpaquePointer?
    unsafe lilv_port_get_range(plugin, port, &standard, &minimum, &maximum)
    control.preset = unsafe LV2Node.number(of: standard)
    control.minimum = unsafe LV2Node.number(of: minimum)
    control.maximum = unsafe LV2Node.number(of: maximum)
    unsafe lilv_node_free(standard)
    unsafe lilv_node_free(minimum)
    unsafe lilv_node_free(maximum)
    control.isToggled = has(LV2Name.core + "toggled")
    if control.isToggled {
      control.minimum = control.minimum ?? 0
      control.maximum = control.maximum ?? 1
    }
    control.isInteger = has(LV2Name.core + "integer")
    control.followsRate = has(LV2Name.core + "sampleRate")
    control.unit = unsafe unit(port, of: plugin, in: world)
    control.points = unsafe points(port, of: plugin)
    return control
  }

  /// `http://lv2plug.in/ns/extensions/units#hz` is `Hz`; a plug-in's own unit has a symbol.
  private static func unit(
    _ port: OpaquePointer, of plugin: OpaquePointer, in world: LV2World
  ) -> String? {
    guard
      let unit = unsafe LV2Node(
        owning: lilv_port_get(plugin, port, world.node(LV2Name.units + "unit")))
    else { return nil }
    if unit.text.hasPrefix(LV2Name.units) {
      let word = String(unit.text.dropFirst(LV2Name.units.count))
      return knownUnits[word] ?? word
    }
    return unsafe world.object(of: unit.pointer, LV2Name.units + "symbol")?.text
  }

  /// The symbols of units.ttl that differ from the names.
  private static let knownUnits = [
    "db": "dB", "hz": "Hz", "khz": "kHz", "mhz": "MHz", "pc": "%", "degree": "°", "coef": "",
    "semitone12TET": "semi", "cent": "ct", "midiNote": "note", "octave": "oct",
  ]

  private static func points(
    _ port: OpaquePointer, of plugin: OpaquePointer
  ) -> [PluginPort.Point] {
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
