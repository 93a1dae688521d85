// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

/// The observers of a command line.
struct ObserverList: Sendable, Equatable {
  var observers: [ObserverRequest] = []
  /// The samples per call of observers at `main` without their own value. Nil for 10 ms.
  var samplesPerCall: Int?
  /// The position for `--samples-per-call`.
  var main: ObservationPosition
  /// The channel count of the stream there, if an edit before all observers sets it.
  var channelCount: Int?
  /// Whether taps, and logs of a run that is not live, may replace existing files.
  var overwrites = false
  /// The zone of times in the names of logs.
  var civilTime = CivilTime.local
  /// The decoder of mixed-in files. Nil if it was not given.
  var decoder: FileDecoder?

  /// Appends a limiter after all other observers.
  mutating func limit(by request: LimitRequest?) {
    guard let request else { return }
    observers.append(
      ObserverRequest(
        text: "\(main.rawValue):limit=\(request.limit)", position: main,
        kind: LimitKind(argument: request)))
  }
}

/// The options of commands whose audio can be observed.
struct ObserverOptions {
  @Option var observers: [ObserverRequest]
  @Option var samplesPerCall: Int?

  /// - Parameters:
  ///   - positions: the positions of the command. `--samples-per-call` applies at the first.
  ///   - reachesPipes: whether the command may write to a pipe.
  init(
    at positions: [ObservationPosition] = ObservationPosition.allCases, reachesPipes: Bool = true
  ) {
    _observers = Option(
      "observe", .observer.offering { ObserverRequest.offers($0, at: positions) },
      group: .observers,
      help: """
        See or change the audio on its way (repeatable, in order): \
        POSITION[@SOURCE][,KEY=VALUE...]:KIND[=ARGUMENT].
        POSITION is \(positions.map(\.rawValue).joinedAsAlternatives). For example \
        \(positions[0].rawValue):meter; see 'rawaudio help observers'.
        """)
    let count = 4_410
    @Sendable func length(_ channelCount: Int) -> String {
      CallLength(of: count, at: 44_100, channelCount: channelCount).time
    }
    _samplesPerCall = Option(
      "samples-per-call", .samplesPerCall, default: "10 ms", group: .observers,
      help: """
        Samples per call of an observer that names no number itself\
        \(reachesPipes ? ", and per write to a pipe" : ""). The samples of all channels count: \
        \(count) at 44100 Hz are \(length(1)) in mono, \(length(2)) in stereo.
        """)
  }

  /// - Parameters:
  ///   - scene: the streams that can be observed.
  ///   - sampleRate: the rate of the main position, in hertz. Nil if it is not known before the start.
  ///   - channelCount: the channel count there. Nil if it is not known before the start.
  ///   - sinks: the sinks of the session.
  ///   - overwrites: whether taps and event logs may replace existing files.
  ///   - decoder: the decoder of mixed-in files. Nil if it was not given.
  func list(
    in scene: ObservationScene, sampleRate: Int? = nil, channelCount: Int? = nil,
    sinks: [SinkEndpoint], overwrites: Bool, decoder: FileDecoder? = nil
  ) throws(UsageError) -> ObserverList {
    let list = ObserverList(
      observers: observers, samplesPerCall: samplesPerCall, main: scene.main,
      overwrites: overwrites, decoder: decoder)
    var outputs = OutputNames()
    for sink in sinks { try outputs.add(sink) }
    for observer in observers {
      let written: [SinkEndpoint]
      do throws(InvalidValue) {
        written = try observer.outputs(in: scene)
        try scene.check(observer)
      } catch {
        throw UsageError(refused: observer, because: error.reason)
      }
      for output in written { try outputs.add(output) }
    }
    let lowest: StreamFormat
    do throws(AudioError) {
      lowest = try StreamFormat(
        sampleRate: sampleRate ?? StreamFormat.sampleRates.lowerBound,
        channelCount: channelCount ?? StreamFormat.channelCounts.lowerBound)
    } catch {
      throw UsageError(error.description)
    }
    try list.checkSamplesPerCall(at: lowest)
    return list
  }
}

extension ObserverList {
  func parameters(of observer: ObserverRequest) -> FrameParameters {
    observer.parameters(samplesPerCall: observer.position == main ? samplesPerCall : nil)
  }

  /// Checks `--samples-per-call` against the observer contract.
  ///
  /// - Parameter format: the format of the main position. Before it is known, the lowest possible rate and channel
  ///   count.
  /// - Throws: an error that names the smallest legal value.
  func checkSamplesPerCall(at format: StreamFormat) throws(UsageError) {
    guard let samplesPerCall else { return }
    do throws(AudioError) {
      try FrameParameters.check(samplesPerCall: samplesPerCall, format)
    } catch {
      throw UsageError(illegal: samplesPerCall, error)
    }
  }

  /// The usage error for a number of samples per call that an output refused with `error`.
  func usageError(_ error: AudioError) -> UsageError? {
    guard let samplesPerCall, error.kind == .invalidParameter, error.subject == "\(samplesPerCall)"
    else { return nil }
    return UsageError(illegal: samplesPerCall, error)
  }

  /// The usage error for samples per call of an observer that the session refused with `error`.
  func usageError(_ error: AudioError, of observer: ObserverRequest) -> UsageError? {
    if observer.samplesPerCall != nil {
      return UsageError(refused: observer, because: error.reasonAndAdvice)
    }
    return samplesPerCall.map { UsageError(illegal: $0, error) }
  }
}

extension UsageError {
  init(refused observer: ObserverRequest, because reason: String) {
    self.init(
      invalid: observer.text, for: ObserverOptions().$observers, because: reason)
  }

  fileprivate init(illegal samplesPerCall: Int, _ error: AudioError) {
    self.init(
      invalid: "\(samplesPerCall)", for: ObserverOptions().$samplesPerCall,
      because: error.reasonAndAdvice)
  }
}
