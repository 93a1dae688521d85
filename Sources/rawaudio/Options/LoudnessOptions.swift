// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// The loudness of the output, and its loudness tags.
struct LoudnessOptions {
  /// In LUFS. Nil = unchanged.
  @Option(
    "loudness", .loudness, group: .edits, givenOnce: true,
    help: """
      Bring the integrated loudness to so many LUFS (by one gain for the whole source). The source is \
      read twice; a pipe goes through a temporary file. --gain comes on top.
      """)
  var target: Double?
  /// The highest true peak that a gain may reach, in dBTP.
  @Option(
    "true-peak", .truePeak, default: "-1", group: .edits,
    help: """
      The highest true peak that --loudness may cause, in dBTP: it stops short, which --fail-on loudness makes an \
      error.
      """)
  var truePeak: Double
  /// Whether all sources of the run share one gain.
  @Flag(
    "album", group: .edits,
    help: "Take all sources as one, with one gain (--loudness, --replaygain).")
  var isAlbum: Bool
  /// Whether the output gets loudness tags.
  @Flag(
    "replaygain", group: .metadata,
    help: """
      Set the tags of ReplayGain 2 (to -18 LUFS), in Opus of R128 (to -23 LUFS), with --album of the album.
      """)
  var tags: Bool

  /// The limiter that keeps the true peak, so that it does not bound the gain. Nil if there is none.
  var limit: LimitRequest?

  /// Whether any loudness option is used.
  var isWanted: Bool { target != nil || tags }

  /// - Parameter peak: the other option that sets the level.
  func check(_ sources: [SourceEndpoint], beside peak: Declaration) throws(UsageError) {
    if $truePeak.isGiven, target == nil {
      throw UsageError($truePeak, needs: [$target])
    }
    guard isWanted else {
      guard isAlbum else { return }
      throw UsageError($isAlbum, needs: [$target, $tags])
    }
    if target != nil, peak.isGiven {
      throw UsageError(
        "'\($target.label)' and '\(peak.label)' both set the level; one is enough")
    }
    if let device = sources.first(where: \.isLive) {
      throw UsageError(target == nil ? $tags : $target, needsEndOf: device)
    }
  }

  /// - Throws: if the list of an album cannot be read twice or is incomplete.
  func check(_ list: WorkListRequest) throws(UsageError) {
    guard isAlbum else { return }
    if list.shard != nil {
      throw UsageError(
        "'\($isAlbum.label)' needs the whole list; '\(ListOptions().$shard.label)' is a part")
    }
    guard case .list(let path, _) = list.origin else { return }
    let origin: SourceEndpoint = path == "-" ? .standardInput : .file(path)
    guard !origin.isRepeatable else { return }
    let name = path == "-" ? origin.name : "'\(path)'"
    throw UsageError("'\($isAlbum.label)' reads the list twice; \(name) can be read once")
  }
}
