// SPDX-License-Identifier: Apache-2.0
internal import AudioPrograms
internal import AudioCore
internal import CLilv

@safe
final class LV2Plugin: LoadedPlugin {
  let description: PluginDescription
  let world: LV2World
  let pointer: OpaquePointer
  let ports: [LV2Port]
  /// The port that reports the output's latency; nil if there is none.
  let latencyPort: Int?

  /// - Parameter pointer: owned by the world.
  init(_ pointer: OpaquePointer, in world: LV2World) {
    unsafe self.pointer = pointer
    self.world = world
    let uri = unsafe LV2Node.text(of: lilv_plugin_get_uri(pointer)) ?? ""
    let name = unsafe LV2Node(owning: lilv_plugin_get_name(pointer))
    var description = PluginDescription(.lv2, identity: uri, name: name?.text ?? uri)
    let kind = unsafe lilv_plugin_class_get_label(lilv_plugin_get_class(pointer))
    // "Compressor Plugin" becomes "Compressor"; "Plugin" alone is empty.
    let words = (unsafe LV2Node.text(of: kind) ?? "").split(separator: " ")
    description.kind = words.filter { $0 != "Plugin" }.joined(separator: " ")
    var ports: [LV2Port] = []
    for index in 0..<(unsafe lilv_plugin_get_num_ports(pointer)) {
      guard let port = unsafe lilv_plugin_get_port_by_index(pointer, index) else { continue }
      ports.append(unsafe LV2Port(port, of: pointer, in: world))
    }
    for port in ports {
      switch port.role {
      case .audioInput(let isSideChain):
        description.inputs += 1
        if isSideChain { description.sideChains += 1 }
      case .audioOutput: description.outputs += 1
      case .control(let control): description.ports.append(control)
      case .unknown where description.obstacle == nil:
        description.obstacle = "its port \(port.symbol) is of a type that is not known here"
      default: break
      }
    }
    // If all inputs are side chains, they are the main inputs.
    if description.sideChains == description.inputs { description.sideChains = 0 }
    latencyPort =
      unsafe lilv_plugin_has_latency(pointer)
      ? Int(lilv_plugin_get_latency_port_index(pointer)) : nil
    description.tellsLatency = latencyPort != nil
    let required = unsafe Self.texts(freeing: lilv_plugin_get_required_features(pointer))
    let missing = Set(required).subtracting(LV2Features.names)
    if let first = missing.sorted().first {
      description.obstacle = "it needs the feature \(first), which is missing here"
    }
    self.ports = ports
    self.description = description
  }

  private static func texts(freeing nodes: UnsafeMutableRawPointer?) -> [String] {
    guard let nodes = unsafe nodes else { return [] }
    defer { unsafe lilv_nodes_free(nodes) }
    var texts: [String] = []
    var place = unsafe lilv_nodes_begin(nodes)
    while unsafe !lilv_nodes_is_end(nodes, place) {
      if let text = unsafe LV2Node.text(of: lilv_nodes_get(nodes, place)) { texts.append(text) }
      unsafe place = lilv_nodes_next(nodes, place)
    }
    return texts
  }

  /// The URIs and names of its presets, in the order of the names; reads their files.
  var presets: [PluginDescription.Preset] {
    let related = unsafe lilv_plugin_get_related(pointer, world.node(LV2Name.preset))
    return unsafe Self.texts(freeing: related).map { uri in
      let node = unsafe world.node(uri)
      _ = unsafe lilv_world_load_resource(world.pointer, node)
      let name = unsafe world.object(of: node, LV2Name.label)?.text
      return PluginDescription.Preset(identity: uri, name: name ?? uri)
    }.sorted { ($0.name, $0.identity) < ($1.name, $1.identity) }
  }

  func instance(
    _ setting: InstanceSetting, inputs: [SampleRow], outputs: [SampleRow]
  ) throws(AudioError) -> any PluginInstance {
    if let obstacle = description.obstacle { throw refused(because: obstacle) }
    return try LV2Instance(self, setting, inputs: inputs, outputs: outputs)
  }
}
