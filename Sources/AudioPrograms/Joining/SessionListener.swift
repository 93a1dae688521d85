// SPDX-License-Identifier: Apache-2.0
/// Lets programs join a session through a socket: as sources, as observers, and in control of it.
///
/// `docs/joining.md` describes the protocol; it needs no library. One thread serves all clients; the session waits
/// for none of them.
///
/// ```swift
/// let session = Session()
/// session.end = .onRequest
/// try session.setSink(file, at: .playback)
/// let listener = try SessionListener(path: "/run/user/1000/meeting.sock")
/// try listener.attach(to: session)
/// let report = try session.run()
/// listener.close()
/// ```
///
/// For one session. Not for several threads at once.
public final class SessionListener {
  /// The options of a listener.
  public struct Options: Sendable {
    /// The most clients connected at a time.
    public var clients = 1_000
    /// The time limit for a client's first line.
    public var greeting = Duration.seconds(10)
    /// The samples a second that a client may ask for, at least 1: rate × channels of a source's samples, and of the
    /// frames of each stream that an observer gets. All clients together may ask for eight times as many.
    ///
    /// A larger request is refused with an error. Within the limit no client costs the others a sample, on a machine
    /// that can convert so many. The default is 16 channels at 192 kHz.
    public var samplesPerSecond = 3_072_000
    /// The reply's advice to a client that asks for more.
    public var advice = "ask for less"

    public init() {}
  }

  private let socket: ListeningSocket
  private let options: Options
  private var loop: ClientLoop?
  private var thread: SystemThread?

  /// Makes the socket: from now on clients can connect, and wait until ``attach(to:onSplit:)``.
  ///
  /// Only its owner may connect. A dead socket of an earlier program is replaced.
  ///
  /// - Parameters:
  ///   - path: of at most 107 bytes.
  ///   - options: the limits of clients.
  /// - Throws: `alreadyExists` if the path is in use, by a listener or another file, which stays untouched;
  ///   `invalidParameter` for a path that no socket can have; the system's error if the socket cannot be made.
  public init(path: String, options: Options = Options()) throws(AudioError) {
    socket = try ListeningSocket(path: path)
    self.options = options
  }

  deinit { close() }

  /// The path of the socket.
  public var path: String { socket.path }

  /// The number of connected clients.
  public var clientCount: Int { loop?.count ?? 0 }

  /// Lets clients into `session`, once, before it runs. It replaces ``Session/onEvent`` and calls the previous
  /// closure.
  ///
  /// - Parameters:
  ///   - session: not running yet.
  ///   - onSplit: the action of the command `split`, on the listener's thread; nil refuses the command.
  /// - Throws: `lifeCycle` the second time; the system's error if it grants no thread.
  public func attach(
    to session: Session, onSplit: (@Sendable () -> Void)? = nil
  ) throws(AudioError) {
    guard loop == nil else {
      throw AudioError(
        .lifeCycle, cannot: "listen at", path, because: "it belongs to another session")
    }
    let host = SessionHost(session.live, session.control, onSplit: onSplit)
    let loop = try ClientLoop(
      socket, host,
      limits: ClientLimits(
        clients: options.clients, greeting: options.greeting,
        samplesPerSecond: max(1, min(options.samplesPerSecond, .max / 16)), advice: options.advice))
    let mail = loop.mail
    try session.register(ClipWatch { mail.tell(ReplyLine.event("clipped", $0)) })
    let next = session.onEvent
    session.onEvent = { event in
      mail.tell(event.line)
      next?(event)
    }
    thread = try SystemThread(named: "joining") { loop.run() }
    self.loop = loop
  }

  /// Sends an event to all clients that want events: a line `{"schema":1,"event":name,…}`. Any thread.
  ///
  /// - Parameters:
  ///   - name: of the event.
  ///   - members: the further members of the line.
  package func tell(_ name: String, _ members: JSONValue.Members) {
    loop?.mail.tell(ReplyLine.event(name, members))
  }

  /// Sends the clients their remaining bytes, for a second at most, disconnects them, and removes the socket. Call it
  /// after the session's run. Harmless a second time.
  public func close() {
    socket.remove()
    loop?.end()
    _ = thread?.join(atMost: .seconds(5))
    thread = nil
  }
}

/// A running session as the clients' host.
private final class SessionHost: JoiningHost {
  private let live: LiveSession
  private let control: SessionControl
  private let onSplit: (@Sendable () -> Void)?

  init(_ live: LiveSession, _ control: SessionControl, onSplit: (@Sendable () -> Void)?) {
    self.live = live
    self.control = control
    self.onSplit = onSplit
  }

  func add(_ source: sending JoinedSource, _ request: JoinRequest) throws(AudioError) {
    let (id, group) = (request.key.id, request.key.group)
    if request.isShared {
      try live.addShared(source, id: id, group: group)
    } else {
      try live.addRemote(source, id: id, group: group)
    }
  }

  func remove(_ id: SourceKey, draining: Bool) throws(AudioError) {
    try live.remove(id, draining: draining)
  }

  func setGain(_ gain: Double, of id: SourceKey) throws(AudioError) {
    try live.setGain(gain, of: id)
  }

  func set(_ mute: ControlCommand.Mute, of id: SourceKey) throws(AudioError) {
    try live.setMuted(mute != .off, everywhere: mute == .everywhere, of: id)
  }

  func register(
    _ observer: sending any AudioObserver, as request: ObserveRequest
  ) throws(AudioError) -> ObserverRegistration {
    if let except = request.except { return try live.register(observer, mixedExcept: except) }
    return try live.register(observer, from: request.source)
  }

  func requireStreams(at position: ObservationPosition) throws(AudioError) {
    if live.passes(position) { return }
    guard position == .record else {
      throw LiveSession.nothingIsSummed("observe", position.rawValue)
    }
    throw AudioError(
      .invalidParameter, cannot: "observe", position.rawValue,
      because: "the session has no local source")
  }

  func format(at position: ObservationPosition, of source: SourceKey?) -> StreamFormat? {
    if position.isSum { return live.sumFormat }
    let ids = source.map { [$0] } ?? sources(at: position)
    return live.sources.filter { ids.contains($0.key) }.map(\.format)
      .max { $0.samplesPerSecond < $1.samplesPerSecond }
  }

  func status() -> JSONValue.Members {
    [("sources", .array(live.sources.map { .object($0.members) }))]
  }

  func sources(at position: ObservationPosition) -> [SourceKey] {
    switch position.line.origin {
    case .incomingSources: live.sources.map(\.key).filter { $0 != .local }
    case .localSource: live.sources.map(\.key).filter { $0 == .local }
    case .sum, .sumOnDemand, .sharedPart: []
    }
  }

  func split() throws(AudioError) {
    guard let onSplit else {
      throw AudioError(
        .unsupported, cannot: "split", "", because: "no recording of this session is split")
    }
    onSplit()
  }

  func stop() { control.requestStop(.finish) }
}

extension Participant {
  /// The source as members of a client's line.
  fileprivate var members: JSONValue.Members {
    var members = key.members
    if isShared { members.append(("shared", .boolean(true))) }
    return members + [
      ("rate", .integer(Int64(format.sampleRate))),
      ("channels", .integer(Int64(format.channelCount))), ("start", .integer(start)),
      ("samples", .integer(samplesPerChannel)), ("missing", .integer(missingSamplesPerChannel)),
      ("gain", .number((Decibels.level(gain.magnitude) * 1_000).rounded() / 1_000)),
      ("muted", isMutedEverywhere ? .string("everywhere") : .boolean(isMuted)),
    ]
  }
}

extension SessionEvent {
  /// The event as a line for clients.
  fileprivate var line: [UInt8] {
    switch self {
    case .joined(let source): return ReplyLine.event("joined", source.members)
    case .left(let source, let reason):
      var members = source.members
      if let reason { members.append(("reason", .string(reason.description))) }
      return ReplyLine.event("left", members)
    case .muted(let source): return ReplyLine.event("muted", source.members)
    case .unmuted(let source): return ReplyLine.event("unmuted", source.members)
    case .gap(let key, let gap):
      return ReplyLine.event(
        "gap",
        key.members + [
          ("position", .integer(gap.position)), ("samples", .integer(gap.samplesPerChannel)),
          ("rate", .integer(Int64(gap.sampleRate))),
        ])
    case .speech(let change):
      return ReplyLine.event(
        "voice",
        [("at", .string(change.position.rawValue))] + (change.key?.members ?? []) + [
          ("state", .string(change.begins ? "begin" : "end")),
          ("position", .integer(change.samplePosition)),
          ("samples", .integer(change.samplesPerChannel)),
          ("rate", .integer(Int64(change.sampleRate))),
        ])
    }
  }
}
