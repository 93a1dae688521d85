// SPDX-License-Identifier: Apache-2.0
extension Metadata {
  /// Returns the metadata of the sound with silence in front: marks and loops move later, and the recording begins
  /// earlier.
  ///
  /// - Parameter count: samples per channel, at ``sampleRate``, not negative.
  package func delayed(by count: Int64) -> Metadata {
    guard count > 0 else { return self }
    var other = self
    for index in markers.indices { other.markers[index].position += count }
    for (index, loop) in (instrument?.loops ?? []).enumerated() {
      other.instrument?.loops[index].range =
        loop.range.lowerBound + count..<loop.range.upperBound + count
    }
    if let broadcast {
      other.broadcast?.timeReference =
        broadcast.timeReference - min(broadcast.timeReference, UInt64(count))
    }
    if cueSheet != nil {
      other.cueSheet = nil
      other.omissions.append(.init("cue sheet", because: "it describes the whole disc"))
    }
    other.dropOpaquePositions()
    return other.withoutMeasurements
  }
}
