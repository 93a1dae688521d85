// SPDX-License-Identifier: Apache-2.0
internal import AudioPrograms
internal import AudioCore
internal import CLilv

/// A running LV2 plug-in with the memory of its ports. Never freed, for some plug-ins crash then; the process ends
/// instead.
@safe
final class LV2Instance: PluginInstance {
  private let instance: UnsafeMutablePointer<LilvInstance>
  private let features: LV2Features
  private let symbols: LV2Symbols
  private var rows: [SampleRow] = []
  /// By the symbols of ports.
  private var controls: [String: SampleRow] = [:]
  private var sequences: [EventBuffer] = []
  private var latencyRow: SampleRow?

  init(
    _ plugin: LV2Plugin, _ setting: InstanceSetting, inputs: [SampleRow], outputs: [SampleRow]
  ) throws(AudioError) {
    symbols = plugin.world.symbols
    features = LV2Features(
      symbols, blockLength: setting.blockLength, sampleRate: setting.sampleRate)
    guard
      let made = unsafe lilv_plugin_instantiate(
        plugin.pointer, Double(setting.sampleRate), features.array)
    else {
      guard let message = features.lastMessage?.split(separator: "\n").first else {
        throw plugin.cannotBeMade(for: setting.sampleRate)
      }
      throw plugin.refused(because: String(message))
    }
    unsafe instance = made
    let worker = unsafe lilv_instance_get_extension_data(made, LV2Name.worker + "interface")
    unsafe features.worker.serve(
      lilv_instance_get_handle(made), worker?.assumingMemoryBound(to: LV2_Worker_Interface.self))
    connect(plugin, setting, inputs[...], outputs[...])
    restore(LV2Name.state + "loadDefaultState", of: plugin)
    if let preset = setting.preset { try restorePreset(preset, of: plugin) }
    for (symbol, value) in setting.values { controls[symbol]?[0] = value }
    unsafe lilv_instance_activate(made)
    features.worker.work(isRunning: false)
  }

  var latency: Double { Double(latencyRow?[0] ?? 0) }

  private func connect(
    _ plugin: LV2Plugin, _ setting: InstanceSetting, _ inputs: ArraySlice<SampleRow>,
    _ outputs: ArraySlice<SampleRow>
  ) {
    var outputs = outputs
    var main = inputs.prefix(plugin.description.mainInputs)
    var side = inputs.dropFirst(plugin.description.mainInputs)
    for (index, port) in plugin.ports.enumerated() {
      var row: SampleRow?
      switch port.role {
      case .audioInput(let isSideChain):
        row = isSideChain && !side.isEmpty ? side.popFirst() : main.popFirst()
      case .audioOutput: row = outputs.popFirst()
      case .control(let control):
        row = SampleRow(length: 1, filledWith: setting.value(of: control))
        controls[port.symbol] = row
      case .controlOutput:
        row = SampleRow(length: 1)
        if index == plugin.latencyPort { latencyRow = row }
      case .voltageInput(let value):
        row = SampleRow(length: setting.blockLength, filledWith: value)
      case .voltageOutput: row = SampleRow(length: setting.blockLength)
      case .eventInput(let size), .eventOutput(let size):
        let isInput = if case .eventInput = port.role { true } else { false }
        let buffer = EventBuffer(size: size, isInput: isInput, symbols)
        sequences.append(buffer)
        unsafe lilv_instance_connect_port(instance, UInt32(index), buffer.address)
        continue
      case .unconnected, .unknown:
        unsafe lilv_instance_connect_port(instance, UInt32(index), nil)
        continue
      }
      guard let row else { continue }
      rows.append(row)
      unsafe lilv_instance_connect_port(instance, UInt32(index), row.address)
    }
  }

  func run(_ length: Int) {
    for sequence in sequences { sequence.prepare() }
    unsafe lilv_instance_run(instance, UInt32(length))
    features.worker.work(isRunning: true)
  }

  // MARK: State

  /// Restores the state in the plug-in's own file if the plug-in asks for it.
  private func restore(_ feature: String, of plugin: LV2Plugin) {
    guard unsafe lilv_plugin_has_feature(plugin.pointer, plugin.world.node(feature)) else { return }
    var map = unsafe symbols.map
    let state = unsafe lilv_state_new_from_world(
      plugin.world.pointer, &map, lilv_plugin_get_uri(plugin.pointer))
    unsafe restore(state)
  }

  private func restorePreset(_ uri: String, of plugin: LV2Plugin) throws(AudioError) {
    var map = unsafe symbols.map
    let node = unsafe plugin.world.node(uri)
    _ = unsafe lilv_world_load_resource(plugin.world.pointer, node)
    guard let state = unsafe lilv_state_new_from_world(plugin.world.pointer, &map, node) else {
      throw plugin.refused(because: "its preset \(uri) cannot be read")
    }
    unsafe restore(state)
  }

  private func restore(_ state: OpaquePointer?) {
    guard let state = unsafe state else { return }
    defer { unsafe lilv_state_free(state) }
    unsafe lilv_state_restore(
      state, instance,
      { symbol, context, value, size, type in
        guard let context = unsafe context, let symbol = unsafe symbol, let value = unsafe value
        else { return }
        let own = unsafe Unmanaged<LV2Instance>.fromOpaque(context).takeUnretainedValue()
        unsafe own.take(String(cString: symbol), value, Int(size), type)
      }, Unmanaged.passUnretained(self).toOpaque(), 0, features.array)
  }

  /// Takes a value of a state, an atom of one of four types.
  private func take(_ symbol: String, _ value: UnsafeRawPointer, _ size: Int, _ type: UInt32) {
    func isType(_ name: String) -> Bool { type == symbols.number(LV2Name.atom + name) }
    let number: Float? =
      if size == 4, isType("Float") {
        unsafe value.loadUnaligned(as: Float.self)
      } else if size == 4, isType("Int") || isType("Bool") {
        Float(unsafe value.loadUnaligned(as: Int32.self))
      } else if size == 8, isType("Double") {
        Float(unsafe value.loadUnaligned(as: Double.self))
      } else if size == 8, isType("Long") {
        Float(unsafe value.loadUnaligned(as: Int64.self))
      } else {
        nil
      }
    if let number { controls[symbol]?[0] = number }
  }
}

/// The memory of an event port: an input gets no events, an output is not read.
@safe
private final class EventBuffer {
  private let memory: UnsafeMutableRawPointer
  private let size: Int
  private let isInput: Bool
  private let sequence: UInt32
  private let chunk: UInt32

  /// - Parameter size: in bytes, with the header.
  init(size: Int, isInput: Bool, _ symbols: LV2Symbols) {
    self.size = size
    self.isInput = isInput
    sequence = symbols.number(LV2Name.atom + "Sequence")
    chunk = symbols.number(LV2Name.atom + "Chunk")
    unsafe memory = .allocate(byteCount: size, alignment: 64)
    unsafe memory.initializeMemory(as: UInt8.self, repeating: 0, count: size)
  }

  deinit { unsafe memory.deallocate() }

  var address: UnsafeMutableRawPointer { unsafe memory }

  /// Called before each run: an input holds an empty sequence, an output its capacity (atom.h).
  func prepare() {
    let header = MemoryLayout<LV2_Atom_Sequence_Body>.size
    let atom =
      isInput
      ? LV2_Atom(size: UInt32(header), type: sequence)
      : LV2_Atom(size: UInt32(size - MemoryLayout<LV2_Atom>.size), type: chunk)
    unsafe memory.storeBytes(of: atom, as: LV2_Atom.self)
    unsafe memory.storeBytes(of: 0, toByteOffset: MemoryLayout<LV2_Atom>.size, as: UInt64.self)
  }
}
