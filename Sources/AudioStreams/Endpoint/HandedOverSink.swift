// SPDX-License-Identifier: Apache-2.0
/// A sink that passes samples on to another thread without waking it for every write. Session thread only.
package protocol HandedOverSink: AudioSink {
  /// Promises that ``handOver()`` follows every further write before the session waits for anything.
  func beginHandingOver()

  /// Hands the written samples over to the other thread: no write follows for a while.
  func handOver()
}
