// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

/// What the files of an output carry beside their samples.
struct CarriedMetadata: Sendable {
  let metadata: Metadata?
  private let edits: MetadataRequest
  /// When the stream began, in nanoseconds since 1970; nil where no file says it.
  private let start: Int64?
  private let civilTime: CivilTime

  /// - Parameters:
  ///   - metadata: what the only source carries.
  ///   - request: what is asked of the output.
  ///   - start: of a recording that says when it was made; in nanoseconds since 1970.
  ///   - control: ends the wait for another file's texts.
  init(
    _ metadata: Metadata?, _ request: OutputRequest, startedAt start: Int64?,
    until control: SessionControl?
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
    self.metadata = try edits.applied(to: carried, until: control)
  }

  /// What a part carries.
  ///
  /// - Parameters:
  ///   - position: where it begins in the stream, in samples per channel.
  ///   - time: when, in nanoseconds since 1970; nil where only the position tells.
  ///   - format: of the stream.
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
