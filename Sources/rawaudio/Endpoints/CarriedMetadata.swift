// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

/// The metadata of an output's files.
struct CarriedMetadata: Sendable {
  private(set) var metadata: Metadata?
  private let edits: MetadataRequest
  /// The start of the stream, in nanoseconds since 1970. Nil if the files do not state it.
  private let start: Int64?
  private let civilTime: CivilTime

  /// - Parameters:
  ///   - metadata: the metadata of the only source.
  ///   - request: the request for the output.
  ///   - start: the start of a recording that states its origin, in nanoseconds since 1970.
  ///   - duration: of the sound, in seconds. Nil if it is unknown.
  ///   - control: ends the wait for another file's texts.
  init(
    _ metadata: Metadata?, _ request: OutputRequest, startedAt start: Int64?,
    within duration: Double?, until control: SessionControl?
  ) throws(AudioError) {
    edits = request.metadata
    self.start = start
    civilTime = request.recording.civilTime
    var carried = metadata
    if request.recording.trigger != nil, !request.recording.limits.contains(.event) {
      carried = metadata?.withoutPositions(because: "the silence between sounds is left out")
    }
    if let start {
      var recorded = Metadata(recordedAt: start, by: "rawaudio", in: civilTime)
      recorded.channelLayout = metadata?.channelLayout
      recorded.channelCount = metadata?.channelCount
      carried = recorded
    }
    self.metadata = try edits.applied(to: carried, within: duration, until: control)
  }

  /// Names the channels, in stream order. More than two are those of loudspeakers only if their names end in them.
  ///
  /// - Parameter hasNames: whether the container has a place for names.
  mutating func describeChannels(_ names: [String], hasNames: Bool) {
    var described = metadata ?? Metadata()
    described.channelCount = names.count
    described.channelLayout =
      names.count > 2 && !ChannelNames.endInSpeakers(names) ? .speakers(0) : nil
    if hasNames { described.setTrackNames(names) }
    metadata = described
  }

  /// Returns the metadata of a file of one channel.
  ///
  /// - Parameters:
  ///   - channel: from 0.
  ///   - channelCount: of the stream.
  func ofChannel(_ channel: Int, of channelCount: Int) -> CarriedMetadata {
    var other = self
    other.metadata = metadata?.ofChannel(channel, of: channelCount)
    return other
  }

  /// Returns the metadata of a part.
  ///
  /// - Parameters:
  ///   - position: the start of the part in the stream, in samples per channel.
  ///   - time: the time of its start, in nanoseconds since 1970. Nil if it follows from the position.
  ///   - format: the format of the stream.
  func ofPart(from position: Int64, at time: Int64?, in format: StreamFormat) -> Metadata? {
    var part = metadata?.converted(to: format.sampleRate).part(from: position)
    if let start {
      let rate = Int128(format.sampleRate)
      let offset = Int64(clamping: Int128(position) * 1_000_000_000 / rate)
      let recorded = Metadata(recordedAt: time ?? start + offset, by: "rawaudio", in: civilTime)
      part?.broadcast = recorded.converted(to: format.sampleRate).broadcast
    }
    return part
  }
}
