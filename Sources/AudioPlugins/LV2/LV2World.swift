// SPDX-License-Identifier: Apache-2.0
internal import AudioPrograms
internal import AudioCore
internal import CLilv
internal import Glibc

/// A node of lilv's: a URI or a literal. Freed with this value.
@safe
struct LV2Node: ~Copyable {
  let pointer: OpaquePointer

  /// - Parameter pointer: owned by the caller until now.
  init?(owning pointer: OpaquePointer?) {
    guard let pointer = unsafe pointer else { return nil }
    unsafe self.pointer = pointer
  }

  deinit { unsafe lilv_node_free(pointer) }

  /// The URI or the text.
  var text: String { unsafe Self.text(of: pointer) ?? "" }
  var number: Double? { unsafe Self.number(of: pointer) }

  /// The URI or the text of a node that lilv owns; nil if there is none.
  static func text(of pointer: OpaquePointer?) -> String? {
    guard let pointer = unsafe pointer else { return nil }
    if unsafe lilv_node_is_uri(pointer) {
      return unsafe lilv_node_as_uri(pointer).map { unsafe String(cString: $0) }
    }
    return unsafe lilv_node_as_string(pointer).map { unsafe String(cString: $0) }
  }

  /// The value of a numeric node; nil for another node.
  static func number(of pointer: OpaquePointer?) -> Double? {
    guard let pointer = unsafe pointer,
      unsafe lilv_node_is_float(pointer) || lilv_node_is_int(pointer)
        || lilv_node_is_bool(pointer)
    else { return nil }
    if unsafe lilv_node_is_bool(pointer) { return unsafe lilv_node_as_bool(pointer) ? 1 : 0 }
    let value = unsafe Double(lilv_node_as_float(pointer))
    return value.isNaN ? nil : value
  }
}

/// The LV2 plug-ins of this machine, as lilv finds them: in the folders of LV2_PATH, else in the usual ones.
///
/// The child process has one instance until its end.
@safe
final class LV2World {
  let pointer: OpaquePointer
  let symbols = LV2Symbols()
  /// Checked first: a program that loads it on demand would end if it is missing.
  private static let library = "liblilv-0.so.0"
  private var nodes: [String: OpaquePointer] = unsafe [:]

  /// - Throws: `unavailable` if liblilv is not installed.
  init() throws(AudioError) {
    guard LoadedLibrary(Self.library, isGlobal: true) != nil else {
      throw AudioError(
        .unavailable, cannot: "look for", "LV2 plug-ins",
        because: "\(Self.library) cannot be loaded",
        advice: "install liblilv (on Debian liblilv-0-0)")
    }
    guard let world = unsafe lilv_world_new() else {
      throw AudioError(.unavailable, cannot: "look for", "LV2 plug-ins", because: "lilv refuses")
    }
    unsafe pointer = world
    unsafe lilv_world_load_all(world)
  }

  deinit {
    unsafe nodes.values.forEach { unsafe lilv_node_free($0) }
    unsafe lilv_world_free(pointer)
  }

  /// The node of a URI, owned by the world.
  func node(_ uri: String) -> OpaquePointer? {
    if let known = unsafe nodes[uri] { return unsafe known }
    let made = unsafe lilv_new_uri(pointer, uri)
    unsafe nodes[uri] = made
    return unsafe made
  }

  /// The plug-in with that URI; nil if there is none.
  func plugin(_ uri: String) -> LV2Plugin? {
    guard let all = unsafe lilv_world_get_all_plugins(pointer), let node = unsafe node(uri),
      let found = unsafe lilv_plugins_get_by_uri(all, node)
    else { return nil }
    return unsafe LV2Plugin(found, in: self)
  }

  /// The URIs of all plug-ins, in order.
  var identities: [String] {
    guard let all = unsafe lilv_world_get_all_plugins(pointer) else { return [] }
    var uris: [String] = []
    var place = unsafe lilv_plugins_begin(all)
    while unsafe !lilv_plugins_is_end(all, place) {
      let plugin = unsafe lilv_plugins_get(all, place)
      if let uri = unsafe LV2Node.text(of: lilv_plugin_get_uri(plugin)) { uris.append(uri) }
      unsafe place = lilv_plugins_next(all, place)
    }
    return uris.sorted()
  }

  /// The object of a statement in the loaded data; nil if there is none.
  func object(of subject: OpaquePointer?, _ predicate: String) -> LV2Node? {
    unsafe LV2Node(owning: lilv_world_get(pointer, subject, node(predicate), nil))
  }
}

/// Names of the specification, http://lv2plug.in/ns.
enum LV2Name {
  static let core = "http://lv2plug.in/ns/lv2core#"
  static let atom = "http://lv2plug.in/ns/ext/atom#"
  static let blockSize = "http://lv2plug.in/ns/ext/buf-size#"
  static let groups = "http://lv2plug.in/ns/ext/port-groups#"
  static let label = "http://www.w3.org/2000/01/rdf-schema#label"
  static let log = "http://lv2plug.in/ns/ext/log#"
  static let options = "http://lv2plug.in/ns/ext/options#"
  static let preset = "http://lv2plug.in/ns/ext/presets#Preset"
  static let resize = "http://lv2plug.in/ns/ext/resize-port#"
  static let sampleRate = "http://lv2plug.in/ns/ext/parameters#sampleRate"
  static let state = "http://lv2plug.in/ns/ext/state#"
  static let units = "http://lv2plug.in/ns/extensions/units#"
  static let urid = "http://lv2plug.in/ns/ext/urid#"
  static let uriMap = "http://lv2plug.in/ns/ext/uri-map"
  static let worker = "http://lv2plug.in/ns/ext/worker#"
}
