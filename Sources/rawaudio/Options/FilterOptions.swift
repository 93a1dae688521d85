// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// The filters of sources, applied before the fades.
struct FilterOptions {
  @Option(
    "highpass", .soundFilter(.highpass), group: .edits,
    help: """
      Cut sound below so many hertz, by 12 dB an octave; with ,order=N (1 to 8) by N times 6 dB.
      """)
  var highpasses: [SoundFilter]
  @Option(
    "lowpass", .soundFilter(.lowpass), group: .edits,
    help: "Cut sound above so many hertz, by 24 dB an octave, or ,order=N.")
  var lowpasses: [SoundFilter]
  @Option(
    "eq", .band, group: .edits,
    help: """
      A band of an equaliser (repeatable, in order): peak=HZ,gain=DB[,q=Q], lowshelf=HZ,gain=DB, highshelf=HZ,gain=DB, \
      notch=HZ[,q=Q] or bandpass=HZ[,q=Q].
      """)
  var bands: [SoundFilter]

  /// The filters of a whole stream, in the order of processing.
  var ofWhole: [SoundFilter] { [highpasses.last, lowpasses.last].compactMap(\.self) + bands }

  /// The filters of each source. High-passes and low-passes are given once for all or once for each. All bands apply to
  /// each source.
  func each(of count: Int) throws(UsageError) -> [[SoundFilter]] {
    let (highs, lows) = (try _highpasses.each(of: count), try _lowpasses.each(of: count))
    return (0..<count).map { [highs[$0], lows[$0]].compactMap(\.self) + bands }
  }

  /// Registers them before all other observers.
  func register(on session: Session, at position: ObservationPosition) throws(AudioError) {
    guard !ofWhole.isEmpty else { return }
    try session.register(FilterObserver(ObservationPositions(position), ofWhole))
  }
}
