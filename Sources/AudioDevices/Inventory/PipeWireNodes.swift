// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc

/// A node of a PipeWire server that plays or captures sound.
struct PipeWireNode: Equatable {
  /// Stable for one device.
  var name: String
  /// For people.
  var description: String
  /// For example `Audio/Sink` or `Audio/Source/Virtual`.
  var mediaClass: String
}

extension PipeWireNode {
  /// - Parameter properties: of a node; nil if a program may not choose it.
  init?(properties: [String: String]) {
    guard let name = properties["node.name"], !name.isEmpty,
      let mediaClass = properties["media.class"]
    else { return nil }
    self.init(
      name: name, description: properties["node.description"] ?? properties["node.nick"] ?? "",
      mediaClass: mediaClass)
  }

  private var plays: Bool { isOf("Audio/Sink") || isOf("Audio/Duplex") }
  private var captures: Bool { isOf("Audio/Source") || isOf("Audio/Duplex") }

  private func isOf(_ kind: String) -> Bool {
    mediaClass == kind || mediaClass.hasPrefix(kind + "/")
  }

  /// The devices for each use of this node: the node itself, and the monitor of a node that plays.
  var devices: [AlsaDevice] {
    var devices: [AlsaDevice] = []
    if plays || captures {
      devices.append(
        AlsaDevice(
          name: PipeWireTarget(node: name).deviceName, description: description,
          capture: captures ? .notAsked : nil, playback: plays ? .notAsked : nil))
    }
    if plays {
      let about = description.isEmpty ? name : description
      devices.append(
        AlsaDevice(
          name: PipeWireTarget(node: name, isMonitor: true).deviceName,
          description: "Monitor of \(about)", capture: .notAsked, playback: nil))
    }
    return devices
  }
}

/// The PipeWire server of this user, asked once for its nodes.
///
/// Four messages on the server's socket replace a library.
struct PipeWireServer {
  /// The longest time for the whole conversation.
  var patience = Duration.milliseconds(500)

  /// The server's socket paths, in the order in which PipeWire's own programs look.
  static func socketPaths(_ environment: (String) -> String?) -> [String] {
    let name = environment("PIPEWIRE_REMOTE").flatMap { $0.isEmpty ? nil : $0 } ?? "pipewire-0"
    if name.hasPrefix("/") { return [name] }
    let folders = ["PIPEWIRE_RUNTIME_DIR", "XDG_RUNTIME_DIR"].compactMap {
      environment($0).flatMap { $0.isEmpty ? nil : $0 }
    }
    return (folders.prefix(1) + ["/run/pipewire"]).map { "\($0)/\(name)" }
  }

  /// The server's nodes in its order; none if there is no server, or if it does not answer in time.
  func nodes() -> [PipeWireNode] {
    let paths = Self.socketPaths { name in
      unsafe getenv(name).map { unsafe Pathname(cString: $0).text }
    }
    for path in paths {
      if let nodes = nodes(at: path) { return nodes }
    }
    return []
  }

  /// - Returns: nil if no server listens at `path`.
  func nodes(at path: String) -> [PipeWireNode]? {
    let deadline = MonotonicTime.now.nanoseconds + patience.inNanoseconds
    let descriptor = Self.connect(to: path)
    if descriptor < 0 { return nil }
    defer { close(descriptor) }
    var listing = PipeWireListing()
    guard Self.send(listing.questions, to: descriptor) else { return [] }
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while !listing.isComplete {
      var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let left = (deadline - MonotonicTime.now.nanoseconds) / 1_000_000
      if left <= 0 { return [] }
      let ready = unsafe poll(&request, 1, CInt(clamping: left))
      if ready < 0, errno == EINTR { continue }
      if ready <= 0 { return [] }
      let count = unsafe recv(descriptor, &chunk, chunk.count, 0)
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      if count <= 0 { return [] }
      listing.read(chunk[..<count])
    }
    return listing.nodes
  }

  /// - Returns: a non-blocking descriptor; below 0 if no server listens.
  private static func connect(to path: String) -> CInt {
    let name = Pathname(path)
    guard name.bytes.count <= Int(rawaudio_longest_socket_path) else { return -1 }
    let descriptor = rawaudio_unix_socket()
    guard descriptor >= 0 else { return -1 }
    if unsafe rawaudio_connect(descriptor, name.cString) == 0 { return descriptor }
    close(descriptor)
    return -1
  }

  private static func send(_ bytes: [UInt8], to descriptor: CInt) -> Bool {
    unsafe Glibc.send(descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL)) == bytes.count
  }
}

/// The conversation in which a server lists its nodes. Pure.
struct PipeWireListing {
  /// The number of the last question; the server answers it after all others.
  private static let last: Int32 = 1

  private(set) var nodes: [PipeWireNode] = []
  /// Whether everything was listed, or the server refused.
  private(set) var isComplete = false
  private var unread: [UInt8] = []

  /// The version, this program's name, the request for the list, and the request for a sign at its end.
  var questions: [UInt8] {
    let version = PipeWireMessage.Value.int(3)
    let name: [PipeWireMessage.Value] = [.int(1), .string("application.name"), .string("rawaudio")]
    let registry = Int32(PipeWireMessage.Object.registry)
    let messages = [
      PipeWireMessage(object: PipeWireMessage.Object.core, operation: 1, body: [version]),
      PipeWireMessage(
        object: PipeWireMessage.Object.client, operation: 2, body: [.structure(name)]),
      PipeWireMessage(
        object: PipeWireMessage.Object.core, operation: 5, body: [version, .int(registry)]),
      PipeWireMessage(
        object: PipeWireMessage.Object.core, operation: 2, body: [.int(0), .int(Self.last)]),
    ]
    return messages.enumerated().flatMap { $1.bytes(number: UInt32($0)) }
  }

  /// Reads the server's next bytes, cut at any place.
  mutating func read(_ bytes: some Sequence<UInt8>) {
    unread += bytes
    var rest = unread[...]
    while !isComplete, let message = PipeWireMessage(takenFrom: &rest) { read(message) }
    unread = Array(rest)
  }

  private mutating func read(_ message: PipeWireMessage) {
    switch (message.object, message.operation) {
    case (PipeWireMessage.Object.core, 1): isComplete = message.body.last?.int == Self.last
    case (PipeWireMessage.Object.core, 3): isComplete = true
    case (PipeWireMessage.Object.registry, 0):
      // The fields: id, permissions, type, version of the type, properties.
      guard message.body.count >= 5, message.body[2].string == "PipeWire:Interface:Node",
        let properties = message.body[4].dictionary,
        let node = PipeWireNode(properties: properties)
      else { return }
      nodes.append(node)
    default: break
    }
  }
}
