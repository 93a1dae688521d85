// SPDX-License-Identifier: Apache-2.0
internal import AudioDevices
internal import AudioFiles
internal import AudioCore

/// The choices from which a sink of a command's session is made: those of the line, and those that follow from its inputs.
struct OutputSetting {
  var request: OutputRequest
  let processing: ProcessingOptions
  var device = DeviceRequest()
  /// The liveness of the inputs.
  var liveness = Liveness.none
  /// Whether a file may be encoded by a thread of its own; nil = yes.
  var workers: WorkerAllowance?
  /// Whether files state when they were recorded: now.
  var tellsOrigin = false
  /// The moment of the first sample, in nanoseconds since 1970, if the line asks for it by the clock. Files state it
  /// unless their source does.
  var startTime: Int64?
  /// The loudness of the source, and the gain that follows from it; nil if it was not asked for.
  var levelling: Levelling?
  /// The level behind everything else; nil = as it comes.
  var levelTarget: LevelTarget?
  /// The limiter of the line. Nil if there is none.
  var limit: LimitRequest?
  /// The change of the level altogether, in decibels.
  var gain = 0.0
  /// The files and devices whose sound the output gets.
  var inputs: [SessionInput] = []
  /// The time that the name of the only source states. Nil if none, or if its first sample is not that of the output.
  var namedTime: RecordedTime?
  /// The only input, if there are no more.
  var input: SessionInput? { inputs.count == 1 ? inputs.first : nil }
  /// Whether the output is the sum of its inputs: then the pictures of the first video among them may go along.
  var isSum = false
  /// The paths of the inputs with moving pictures.
  var films: [String] { inputs.compactMap(\.film) }
  /// The input whose pictures go along if the output is a video.
  var filmInput: SessionInput? {
    isSum ? inputs.first { $0.film != nil } : input.flatMap { $0.film == nil ? nil : $0 }
  }
  /// Gets each complete piece of the output. Nil if nothing needs them.
  var pieces: PieceCollector?
  /// Returns the names of all channels, once the sources are open. Nil if the file's metadata name them.
  var trackNames: (() throws(AudioError) -> [String])?
  /// Whether the MD5 of the samples is wanted.
  var digestsSamples = false

  var name: String { request.sink.name }
  /// Whether the samples outlive an interruption: they cannot be had again.
  var isRecording: Bool { liveness != .none }
  /// Whether the file is to have texts that the line asks for.
  var setsTexts: Bool { request.metadata.setsTexts || levelling?.request.tags ?? false }
}
