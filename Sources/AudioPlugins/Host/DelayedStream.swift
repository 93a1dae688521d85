// SPDX-License-Identifier: Apache-2.0
/// Brings the output of plug-ins back by their latency: as many samples leave as came, each at its place.
///
/// The latency is read after each run. The rule for one that changes: from the block behind the change on, samples stand
/// where the new latency says. If it grows, that many samples of the output are dropped; if it shrinks, silence stands in
/// for as many.
struct DelayedStream {
  /// More is no latency but a mistake: 87 s at 768 kHz.
  static let longest = 1 << 26

  private(set) var latency = 0
  /// How often the latency changed after the first run, to another value.
  private(set) var changes = 0
  private var hasRun = false
  /// Samples per channel of the output that are to be dropped.
  private var excess = 0

  /// The part of a block's output that leaves.
  struct Share: Equatable {
    /// Silence in front, in samples per channel.
    var silence: Int
    /// The first sample of the block that leaves.
    var first: Int
  }

  /// Takes the latency that was told behind a run of `length` samples per channel.
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
