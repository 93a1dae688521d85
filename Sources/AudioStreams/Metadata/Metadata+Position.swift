// SPDX-License-Identifier: Apache-2.0
extension Metadata {
  /// Returns the metadata of a part of the sound: marks and loops count from its beginning, those outside are dropped,
  /// and so are measurements of the whole.
  ///
  /// - Parameters:
  ///   - start: in samples per channel, at ``sampleRate``, not negative.
  ///   - length: in samples per channel, at ``sampleRate``; nil = to the end.
  public func trimmed(from start: Int64, length: Int64?) -> Metadata {
    guard start > 0 || length != nil else { return self }
    var part = self
    let end = length ?? .max
    part.markers = markers.compactMap { marker in
      var marker = marker
      let markerEnd = marker.position + marker.length - start
      marker.position -= start
      guard marker.position < end, marker.position >= 0 || markerEnd > 0 else { return nil }
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
    part.editor?.editing.trim(&part, from: start, length: end)
    part.dropCueSheet(because: "it describes the whole disc")
    part.dropOpaquePositions()
    part.dropTimes()
    return part.withoutMeasurements
  }

  /// Returns the metadata of a part from `start` on, in samples per channel at ``sampleRate``, whose end is unknown.
  public func part(from start: Int64) -> Metadata {
    trimmed(from: start, length: nil).withoutMeasurements
  }

  /// Returns the metadata with all positions at another rate, rounded to the nearest sample.
  public func converted(to rate: Int) -> Metadata {
    var other = self
    other.sampleRate = rate
    guard let sampleRate, sampleRate != rate, sampleRate > 0 else { return other }
    other.isConverted = true
    other.dropOpaquePositions()
    // Only a rate below those of players changes the loudness. The peaks are others at any rate.
    let staysLoud = rate >= min(sampleRate, 44_100)
    other.tags.removeAll { Self.measuresLoudness($0) && !(staysLoud && Self.statesLoudness($0)) }
    other.editor?.editing.convert(&other, from: sampleRate, to: rate)
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
    other.dropCueSheet(because: "it counts in samples of another rate", withText: false)
    return other
  }

  /// Returns the metadata without marks, loops and tracks, which become omissions: for an output that is not one
  /// stretch of the input.
  ///
  /// - Parameter reason: the reason, in lower case and without a full stop.
  public func withoutPositions(because reason: String) -> Metadata {
    var other = self
    if !markers.isEmpty { other.omissions.append(.init("marks", because: reason)) }
    other.markers = []
    if instrument?.loops.isEmpty == false {
      other.omissions.append(.init("loops", because: reason))
    }
    other.instrument?.loops = []
    other.dropCueSheet(because: reason)
    other.dropOpaquePositions()
    other.dropTimes()
    return other.withoutMeasurements
  }

  /// The metadata without measurements, because the samples changed: loudness, peaks, checksums.
  public var withoutMeasurements: Metadata {
    var other = self
    other.broadcast?.loudness = nil
    other.tags.removeAll(where: Self.measuresLoudness)
    other.dropDigests()
    return other
  }

  /// The tags that describe the encoder of a file.
  package static let ofEncoder: Set = ["ENCODER", "ENCODER_OPTIONS", "ENCODERSETTINGS"]

  /// Whether a tag measures the loudness of the samples, or says how mp3gain changed it.
  ///
  /// - Parameter key: in upper case.
  package static func measuresLoudness(_ key: String) -> Bool {
    ["REPLAYGAIN_", "R128_", "MP3GAIN_"].contains { key.hasPrefix($0) }
  }

  /// Whether such a tag states the loudness itself, not a peak or a change.
  private static func statesLoudness(_ key: String) -> Bool {
    ["_GAIN", "_RANGE", "_LOUDNESS"].contains { key.hasSuffix($0) }
  }

  /// Drops pieces that are only valid for the samples as they were stored.
  ///
  /// `levl` and `PEAK` hold peaks (EBU Tech 3285, supplement 3; libsndfile), `MD5 ` a checksum of the bytes (BWF
  /// MetaEdit), CAF's `peak` and `ovvw` also peaks.
  package mutating func dropDigests() {
    chunks.removeAll { ["levl", "PEAK", "MD5 ", "peak", "ovvw"].contains($0.identifier) }
  }

  /// Drops pieces with positions that cannot be corrected, and adds an omission for each.
  mutating func dropOpaquePositions() {
    // In this order: a play list of cue points with lengths in samples; edits; regions.
    let identifiers: Set = ["plst", "edct", "regn"]
    for chunk in chunks where identifiers.contains(chunk.identifier) {
      omissions.append(
        .init("'\(chunk.identifier)' chunk", because: "its positions are others now"))
    }
    chunks.removeAll { identifiers.contains($0.identifier) }
  }

  /// - Parameter withText: whether a text of a cue sheet goes, too, which counts in minutes and seconds.
  private mutating func dropCueSheet(because reason: String, withText: Bool = true) {
    let hasText = withText && !tags["CUESHEET"].isEmpty
    if cueSheet != nil || hasText { omissions.append(.init("cue sheet", because: reason)) }
    cueSheet = nil
    if hasText { tags["CUESHEET"] = [] }
  }

  /// Drops pieces about times in the whole sound, or about its length, and adds omissions for them.
  private mutating func dropTimes() { editor?.editing.dropTimes(&self) }

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
    other.editor?.editing.trim(&other, from: -count, length: .max)
    other.dropCueSheet(because: "it describes the whole disc")
    other.dropOpaquePositions()
    return other.withoutMeasurements
  }
}
