// SPDX-License-Identifier: Apache-2.0
/// Removes the latency of plug-ins from their output: as many samples leave as came, each at its place.
///
/// The latency is read after each run. A new latency holds from the block behind its change on: if it grew, the
/// difference is dropped from the output; if it shrank, silence stands in for the difference.
struct DelayedStream {
  /// The longest plausible latency: 87 s at 768 kHz.
  static let longest = 1 << 26

  private(set) var latency = 0
  /// The number of latency changes after the first run.
  private(set) var changes = 0
  private var hasRun = false
  /// Samples per channel of the output still to be dropped.
  private var excess = 0

  /// The part of a block's output that leaves.
  struct Share: Equatable {
    /// Silence in front, in samples per channel.
    var silence: Int
    /// The first sample of the block that leaves.
    var first: Int
  }

  /// Takes the latency reported after a run of `length` samples per channel.
  mutating func take(_ told: Double, length: Int) -> Share {
    let new = told.isFinite ? Int(min(max(0, told.rounded()), Double(Self.longest))) : latency
    if hasRun, new != latency { changes += 1 }
    hasRun = true
    excess += new - latency
    latency = new
    guard excess >= 0 else {
      defer { excess = 0 }
      return Share(silence: -excess, first: 0)
    }
    let dropped = min(excess, length)
    excess -= dropped
    return Share(silence: 0, first: dropped)
  }
}
