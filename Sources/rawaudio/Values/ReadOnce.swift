// SPDX-License-Identifier: Apache-2.0
internal import AudioCore
internal import Synchronization

/// The content of a file that is read once, for any number of outputs. Any thread.
final class ReadOnce<Content: Sendable>: Sendable {
  private let known = Mutex<Content?>(nil)

  /// The content. An error of `read` is not kept.
  func content(_ read: () throws(AudioError) -> Content) throws(AudioError) -> Content {
    try known.withLock { (known) throws(AudioError) in
      if let known { return known }
      let content = try read()
      known = content
      return content
    }
  }
}
