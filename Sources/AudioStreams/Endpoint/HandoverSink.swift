// SPDX-License-Identifier: Apache-2.0
/// A sink that passes samples on to another thread, and need not wake that thread for every write.
package protocol HandoverSink: AudioSink {
  /// Promises that ``handOver()`` follows every further write before the session waits for anything.
  func beginHandingOver()

  /// Hands the written samples over: no write follows for a while.
  func handOver()
}

extension AudioSink {
  /// This sink, or the one behind it, if that hands samples over. Nil if none does.
  package var handover: (any HandoverSink)? {
    self as? any HandoverSink ?? (self as? any WrappingSink)?.sink.handover
  }
}
