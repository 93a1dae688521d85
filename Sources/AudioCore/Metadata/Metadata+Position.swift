extension Metadata {
  /// That of a part of the sound: places and loops count from its beginning, what lies outside is gone, and what was
  /// measured of the whole is dropped.
  ///
  /// - Parameters:
  ///   - start: in samples per channel, at ``sampleRate``, not negative.
  ///   - length: likewise; nil = to the end.
  public func trimmed(from start: Int64, length: Int64?) -> Metadata {
    guard start > 0 || length != nil else { return self }
    var part = self
    let end = length ?? .max
    part.markers = markers.compactMap { marker in
      var marker = marker
      let markerEnd = marker.position + marker.length - start
      marker.position -= start
      guard marker.position <= end, marker.position >= 0 || markerEnd > 0 else { return nil }
      marker.position = max(0, marker.position)
      if marker.length > 0 { marker.length = min(markerEnd, end) - marker.position }
      return marker
    }
    part.instrument?.loops = (instrument?.loops ?? []).compactMap { loop in
      guard loop.range.lowerBound >= start, loop.range.upperBound - start <= end else { return nil }
      var loop = loop
      loop.range = loop.range.lowerBound - start..<loop.range.upperBound - start
      return loop
    }
    part.broadcast?.timeReference &+= UInt64(max(0, start))
    if cueSheet != nil {
      part.cueSheet = nil
      part.omissions.append(.init("cue sheet", because: "it describes the whole disc"))
    }
    return part.withoutMeasurements
  }

  /// With all positions at another rate, to the nearest sample.
  public func converted(to rate: Int) -> Metadata {
    var other = self
    other.sampleRate = rate
    guard let sampleRate, sampleRate != rate, sampleRate > 0 else { return other }
    func nearest(_ position: Int64) -> Int64 {
      Int64(
        clamping: (Int128(position) * Int128(2 * rate) + Int128(sampleRate))
          / Int128(2 * sampleRate))
    }
    for index in markers.indices {
      let end = nearest(markers[index].position + markers[index].length)
      other.markers[index].position = nearest(markers[index].position)
      other.markers[index].length =
        markers[index].length == 0 ? 0 : max(1, end - other.markers[index].position)
    }
    for (index, loop) in (instrument?.loops ?? []).enumerated() {
      let start = nearest(loop.range.lowerBound)
      other.instrument?.loops[index].range = start..<max(start + 1, nearest(loop.range.upperBound))
    }
    if let broadcast {
      let reference = Int128(broadcast.timeReference) * Int128(2 * rate) + Int128(sampleRate)
      other.broadcast?.timeReference = UInt64(clamping: reference / Int128(2 * sampleRate))
    }
    if cueSheet != nil {
      other.cueSheet = nil
      other.omissions.append(.init("cue sheet", because: "it counts in samples of another rate"))
    }
    return other
  }

  /// Without what was measured of samples that are now others: loudness.
  public var withoutMeasurements: Metadata {
    var other = self
    other.broadcast?.loudness = nil
    return other
  }
}
