/// Time as streams count it: in samples of one rate or another.
enum AudioTime {
  /// ⌊position · rate / clock⌋: where a position that is counted at `clock` stands at `rate`, without
  /// overflow for any stream shorter than a million years.
  static func rescaled(_ position: Int64, from clock: Int, to rate: Int) -> Int64 {
    let (whole, rest) = position.quotientAndRemainder(dividingBy: Int64(clock))
    return whole * Int64(rate) + rest * Int64(rate) / Int64(clock)
  }

  /// The same to the nearest, halves up.
  static func nearest(_ position: Int64, from clock: Int, to rate: Int) -> Int64 {
    let (whole, rest) = position.quotientAndRemainder(dividingBy: Int64(clock))
    return whole * Int64(rate) + (rest * Int64(rate) + Int64(clock) / 2) / Int64(clock)
  }

  /// ⌊1000 · position / sampleRate⌋.
  static func milliseconds(_ position: Int64, at sampleRate: Int) -> Int64 {
    rescaled(position, from: sampleRate, to: 1_000)
  }
}
