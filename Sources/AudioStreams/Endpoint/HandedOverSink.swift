// SPDX-License-Identifier: Apache-2.0
/// A sink that passes samples on to another thread, and need not wake that for every write. Session thread only.
package protocol HandedOverSink: AudioSink {
  /// From now on ``handOver()`` follows what is written, before the session waits for anything.
  func beginHandingOver()

  /// Nothing more is written for a while: what was written is now for the other thread.
  func handOver()
}
