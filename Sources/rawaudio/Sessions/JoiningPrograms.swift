// SPDX-License-Identifier: Apache-2.0
internal import AudioPrograms
internal import AudioFiles
internal import AudioCore
internal import Glibc

/// The programs that join a command's session through a socket. Main thread only.
final class JoiningPrograms {
  private let listener: SessionListener

  /// Opens the session and listens.
  ///
  /// - Parameters:
  ///   - options: the limits of requests by programs.
  ///   - recordings: split if a program requests it. May be empty.
  init(
    at path: String, in session: Session, untilEmpty: Bool, options: SessionListener.Options,
    splitting recordings: [SplittingSink.Control], console: Console
  ) throws(AudioError) {
    Self.allowManyFiles()
    listener = try SessionListener(path: path, options: options)
    session.end = untilEmpty ? .whenEmpty : .onRequest
    let split: @Sendable () -> Void = { for recording in recordings { recording.requestPart() } }
    try listener.attach(to: session, onSplit: recordings.isEmpty ? nil : split)
    console.detail("listening at '\(path)'")
  }

  /// Disconnects all programs and removes the socket.
  func end() { listener.close() }

  /// Raises the limit of open files, usually 1,024: each connection and each track is one.
  private static func allowManyFiles() {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
    limit.rlim_cur = min(limit.rlim_max, 65_536)
    unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }
}
