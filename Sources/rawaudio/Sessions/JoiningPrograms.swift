// SPDX-License-Identifier: Apache-2.0
internal import AudioPrograms
internal import AudioFiles
internal import AudioCore
internal import Glibc

/// The programs that join a command's session through a socket. Main thread only.
final class JoiningPrograms {
  private let listener: SessionListener
  private let console: Console

  /// Opens the session and listens.
  ///
  /// - Parameters:
  ///   - options: what programs may ask for.
  ///   - recordings: what is split where a program asks for it; may be none.
  init(
    at path: String, in session: Session, untilEmpty: Bool, options: SessionListener.Options,
    splitting recordings: [SplittingSink.Control], console: Console
  ) throws(AudioError) {
    self.console = console
    Self.allowManyFiles()
    listener = try SessionListener(path: path, options: options)
    session.end = untilEmpty ? .whenEmpty : .onRequest
    session.onEvent = { Self.tell($0, on: console) }
    let split: @Sendable () -> Void = { for recording in recordings { recording.requestPart() } }
    try listener.attach(to: session, onSplit: recordings.isEmpty ? nil : split)
    console.detail("listening at '\(path)'")
  }

  /// Lets all programs go and removes the socket.
  func end() { listener.close() }

  private static func tell(_ event: SessionEvent, on console: Console) {
    switch event {
    case .joined(let source): console.detail("\(source.key): joined, \(source.format)")
    case .left(let source, let reason):
      let missing = source.missingSamplesPerChannel
      let gaps = missing == 0 ? "" : ", silence stood in for \(missing)"
      console.detail(
        "\(source.key): left after \(source.samplesPerChannel) samples per channel\(gaps)")
      if let reason { console.note("\(source.key): \(reason)") }
    case .muted(let source): console.detail("\(source.key): muted")
    case .unmuted(let source): console.detail("\(source.key): unmuted")
    case .gap: break
    }
  }

  /// A connection and a track are a file each, and the usual limit is 1,024.
  private static func allowManyFiles() {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = min(limit.rlim_max, 65_536)
    unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }
}
