// SPDX-License-Identifier: Apache-2.0
/// The role that a client asks for in its first line: a source, an observer, or in control.
enum FirstLine: Sendable, Equatable {
  case join(JoinRequest)
  case observe(ObserveRequest)
  case control(ControlRequest)

  /// - Parameter line: without its line break.
  /// - Throws: `malformed` if the line is no JSON object; `invalidParameter`, naming the key, if a key is unknown,
  ///   missing, or has an invalid value.
  init(_ line: some Collection<UInt8>) throws(AudioError) {
    var members = try LineMembers(line)
    let kinds = ["join", "observe", "control"].filter { members.has($0) }
    guard kinds.count == 1 else {
      throw AudioError(
        .invalidParameter, cannot: "understand the line", "",
        because: kinds.isEmpty
          ? "it has none of the keys join, observe and control"
          : "it has the keys " + kinds.joined(separator: " and "),
        advice: "a first line has one of join, observe and control")
    }
    switch kinds[0] {
    case "join": self = .join(try JoinRequest(&members))
    case "observe": self = .observe(try ObserveRequest(&members))
    default: self = .control(try ControlRequest(&members))
    }
  }
}

/// `{"join":"anna","group":"room","shared":false,"rate":16000,"channels":1,"encoding":"s16","framing":"none",`
/// `"latency":100}`
struct JoinRequest: Sendable, Equatable {
  /// The order of samples on the connection.
  enum Framing: String, Sendable, CaseIterable {
    /// Consecutive samples until the end.
    case none
    /// Blocks with positions; see ``PacketHeader``.
    case packets
  }

  var key: SourceKey
  /// Whether all clients of the session share the source.
  var isShared: Bool
  var format: StreamFormat
  /// Little endian.
  var layout: SampleLayout
  var framing: Framing
  /// The delay of the stream in the sum against the arrival of its samples, in milliseconds.
  var latency: Int

  static let keys = [
    "join", "group", "shared", "rate", "channels", "encoding", "framing", "latency",
  ]
  /// In milliseconds; the longest is less than the length of a client's ring.
  static let latencies = 0...3_000
  static let defaultLatency = 100

  init(_ members: inout LineMembers) throws(AudioError) {
    guard let id = try members.id("join") else { throw missing("join", "join") }
    key = SourceKey(id, in: try members.id("group"))
    isShared = try members.boolean("shared") ?? false
    let rate = try members.integer("rate", in: StreamFormat.sampleRates)
    let channels = try members.integer("channels", in: StreamFormat.channelCounts)
    layout = try members.choice("encoding", of: clientLayouts) ?? SampleLayout(.s16, .little)
    framing =
      try members.choice("framing", of: Framing.allCases.map { ($0.rawValue, $0) }) ?? .none
    latency = try members.integer("latency", in: Self.latencies) ?? Self.defaultLatency
    try members.requireEmpty(of: Self.keys)
    guard let rate else { throw missing("rate", "join") }
    format = try StreamFormat(sampleRate: rate, channelCount: channels ?? 1)
  }
}

/// `{"observe":"before-mixing","source":"anna","rate":16000,"channels":1,"samplesPerCall":1600,`
/// `"encoding":"s16","mode":"read-only"}`
struct ObserveRequest: Sendable, Equatable {
  var position: ObservationPosition
  /// The only source to observe; nil means all.
  var source: SourceKey?
  /// The source without which mixed is observed; nil for whole sums.
  var except: SourceKey?
  /// Shape and mode; nil values are native.
  var parameters: FrameParameters
  /// Little endian.
  var layout: SampleLayout
  /// The time limit for a read-write client's answer, in milliseconds.
  var latency: Int

  static let keys = [
    "observe", "source", "rate", "channels", "samplesPerCall", "encoding", "mode", "latency",
  ]
  /// In milliseconds.
  static let latencies = 0...10_000
  static let defaultLatency = 100

  init(_ members: inout LineMembers) throws(AudioError) {
    let positions = ObservationPosition.allCases.map {
      (name: $0.rawValue, value: (position: $0, isMixMinus: false))
    }
    let mixMinus = (
      name: Self.mixMinus, value: (position: ObservationPosition.mixed, isMixMinus: true)
    )
    guard let (position, isMixMinus) = try members.choice("observe", of: positions + [mixMinus])
    else { throw missing("observe", "observe") }
    source = try members.key("source")
    let rate = try members.integer("rate", in: StreamFormat.sampleRates)
    let channels = try members.integer("channels", in: StreamFormat.channelCounts)
    let samples = try members.integer("samplesPerCall", in: 1...Self.mostSamplesPerCall)
    layout = try members.choice("encoding", of: clientLayouts) ?? SampleLayout(.s16, .little)
    let modes = [ObserverMode.readOnly, .readWrite].map { (name: $0.rawValue, value: $0) }
    let mode = try members.choice("mode", of: modes) ?? .readOnly
    let latency = try members.integer("latency", in: Self.latencies)
    try members.requireEmpty(of: Self.keys)
    if isMixMinus {
      guard source != nil else { throw missing("source", "observe") }
      guard mode == .readOnly else {
        throw contradiction("mode", "the sum without a source can only be read")
      }
      except = source
      source = nil
    }
    guard source == nil || position == .beforeMixing || position == .record else {
      throw contradiction("source", "it goes with before-mixing, record and \(Self.mixMinus) only")
    }
    guard position != .shared || mode == .readOnly else {
      throw contradiction("mode", "the sum of the shared sources can only be read")
    }
    guard latency == nil || mode == .readWrite else {
      throw contradiction("latency", "it goes with the mode read-write only")
    }
    if let samples {
      // The legal values depend on the format; a native one is known only later.
      guard let rate, let channels else {
        throw contradiction("samplesPerCall", "it needs rate and channels")
      }
      try FrameParameters.check(
        samplesPerCall: samples, StreamFormat(sampleRate: rate, channelCount: channels))
    }
    self.position = position
    self.latency = latency ?? Self.defaultLatency
    parameters = FrameParameters(
      sampleRate: rate, channelCount: channels, mode: mode, samplesPerCall: samples)
  }

  /// The sum at mixed without one source, as audio engineers call it.
  static let mixMinus = "mix-minus"

  /// The position as the client named it.
  var name: String { except == nil ? position.rawValue : Self.mixMinus }

  /// A frame must fit into the client's outbox; this is 1.3 s of 64 channels at 48 kHz.
  static let mostSamplesPerCall = 1 << 22
}

/// `{"control":1,"events":true}`
struct ControlRequest: Sendable, Equatable {
  var wantsEvents: Bool

  static let keys = ["control", "events"]

  init(_ members: inout LineMembers) throws(AudioError) {
    // The version of the commands.
    _ = try members.integer("control", in: 1...1)
    wantsEvents = try members.boolean("events") ?? false
    try members.requireEmpty(of: Self.keys)
  }
}

/// The encodings of samples on a connection, all little endian.
private let clientLayouts = SampleEncoding.allCases.compactMap { encoding in
  SampleLayout(encoding, .little).map { (name: encoding.rawValue, value: $0) }
}

private func missing(_ key: String, _ line: String) -> AudioError {
  AudioError(.invalidParameter, cannot: line, "", because: "the key '\(key)' is missing")
}

private func contradiction(_ key: String, _ reason: String) -> AudioError {
  AudioError(.invalidParameter, cannot: "use", key, because: reason)
}
