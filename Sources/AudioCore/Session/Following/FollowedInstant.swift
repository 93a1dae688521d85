/// Where two devices, of which one is followed, were at one instant.
struct FollowedInstant {
  /// The sink's reading, whose time it is.
  var sink: ClockReading
  /// Seconds of the source's stream that were captured.
  var captured: Double
  /// Seconds of the sink's stream that were played.
  var played: Double

  /// Whether both devices went on as clocks do since an earlier instant, within a fifth.
  func isPaced(since earlier: FollowedInstant) -> Bool {
    let time = Double(sink.time - earlier.sink.time) * 1e-9
    let usual = time * 0.8...time * 1.2
    return usual.contains(captured - earlier.captured) && usual.contains(played - earlier.played)
  }
}
