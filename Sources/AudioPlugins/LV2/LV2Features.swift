// SPDX-License-Identifier: Apache-2.0
internal import CLilv

/// The features for an instance, at constant addresses as long as this object lives.
@safe
final class LV2Features {
  /// The URIs of all offered features.
  static let names = withoutData.union([
    LV2Name.urid + "map", LV2Name.urid + "unmap", LV2Name.uriMap, LV2Name.options + "options",
    LV2Name.worker + "schedule", LV2Name.log + "log",
    // Promises of a plug-in, which need nothing from a host.
    LV2Name.core + "isLive", LV2Name.core + "hardRTCapable", LV2Name.core + "inPlaceBroken",
  ])

  private static let withoutData: Set<String> = [
    LV2Name.blockSize + "boundedBlockLength", LV2Name.blockSize + "fixedBlockLength",
    LV2Name.blockSize + "powerOf2BlockLength", LV2Name.blockSize + "coarseBlockLength",
    LV2Name.state + "loadDefaultState", LV2Name.state + "threadSafeRestore",
  ]

  /// Bytes of an atom port, unless the plug-in asks for more.
  static let sequenceSize = 65_536

  let worker = LV2Worker()
  /// The last message that the plug-in logged; nil if there is none.
  private(set) var lastMessage: String?
  private let symbols: LV2Symbols
  private var memory: [UnsafeMutableRawPointer] = unsafe []
  private var list: UnsafeMutablePointer<UnsafePointer<LV2_Feature>?>?

  /// - Parameters:
  ///   - blockLength: samples per channel of every run; a power of two.
  ///   - sampleRate: hertz.
  init(_ symbols: LV2Symbols, blockLength: Int, sampleRate: Int) {
    self.symbols = symbols
    let listener = unsafe keep(
      rawaudio_lv2_listener(
        context: Unmanaged.passUnretained(self).toOpaque(),
        tell: { context, _, text in
          guard let context = unsafe context, let text = unsafe text else { return }
          let features = unsafe Unmanaged<LV2Features>.fromOpaque(context).takeUnretainedValue()
          unsafe features.lastMessage = String(cString: text)
        }))
    let offered: [(String, UnsafeMutableRawPointer?)] =
      unsafe [
        (LV2Name.urid + "map", UnsafeMutableRawPointer(keep(symbols.map))),
        (LV2Name.urid + "unmap", UnsafeMutableRawPointer(keep(symbols.unmap))),
        (LV2Name.uriMap, UnsafeMutableRawPointer(keep(symbols.oldMap))),
        (LV2Name.options + "options", options(blockLength, sampleRate)),
        (LV2Name.worker + "schedule", UnsafeMutableRawPointer(keep(worker.schedule))),
        (LV2Name.log + "log", UnsafeMutableRawPointer(keep(rawaudio_lv2_log(listener)))),
      ] + Self.withoutData.sorted().map { ($0, nil) }
    let list = unsafe allocate(UnsafePointer<LV2_Feature>?.self, offered.count + 1)
    for index in unsafe offered.indices {
      let (name, data) = unsafe offered[index]
      let uri = unsafe symbols.text(symbols.number(name))
      unsafe (list + index).initialize(
        to: UnsafePointer(keep(LV2_Feature(URI: uri, data: data))))
    }
    unsafe (list + offered.count).initialize(to: nil)
    unsafe self.list = list
  }

  deinit { unsafe memory.forEach { unsafe $0.deallocate() } }

  /// A null-terminated array, for the functions of lilv.
  var array: UnsafePointer<UnsafePointer<LV2_Feature>?>? { unsafe list.map { unsafe .init($0) } }

  private func allocate<Value>(_: Value.Type, _ count: Int) -> UnsafeMutablePointer<Value> {
    let place = UnsafeMutablePointer<Value>.allocate(capacity: count)
    unsafe memory.append(UnsafeMutableRawPointer(place))
    return unsafe place
  }

  private func keep<Value>(_ value: Value) -> UnsafeMutablePointer<Value> {
    let place = unsafe allocate(Value.self, 1)
    unsafe place.initialize(to: value)
    return unsafe place
  }

  /// The options of options.h, ended by an empty one.
  private func options(_ blockLength: Int, _ sampleRate: Int) -> UnsafeMutableRawPointer {
    let integer = symbols.number(LV2Name.atom + "Int")
    var options: [LV2_Options_Option] = unsafe []
    func add(_ key: String, _ type: UInt32, _ value: UnsafeRawPointer) {
      unsafe options.append(
        LV2_Options_Option(
          context: LV2_OPTIONS_INSTANCE, subject: 0, key: symbols.number(key), size: 4, type: type,
          value: value))
    }
    for key in ["minBlockLength", "maxBlockLength", "nominalBlockLength"] {
      unsafe add(LV2Name.blockSize + key, integer, UnsafeRawPointer(keep(Int32(blockLength))))
    }
    unsafe add(
      LV2Name.blockSize + "sequenceSize", integer,
      UnsafeRawPointer(keep(Int32(Self.sequenceSize))))
    unsafe add(
      LV2Name.sampleRate, symbols.number(LV2Name.atom + "Float"),
      UnsafeRawPointer(keep(Float(sampleRate))))
    unsafe options.append(LV2_Options_Option())
    let array = unsafe allocate(LV2_Options_Option.self, options.count)
    unsafe array.initialize(from: &options, count: options.count)
    return UnsafeMutableRawPointer(array)
  }
}
