// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

extension SinkPlace {
  /// The only source that its sink is for. Nil if it is for several.
  var source: SourceKey? {
    switch self {
    case .track(let key), .playbackOf(let key): key
    case .publish, .playback, .mixed: nil
    }
  }
}

extension OutputNaming {
  /// Gives the name the field of a session's source: its id, with that of its group in front.
  mutating func nameSource(_ name: String) {
    fields = ["source"]
    item = ListedFile("", number: 1)
    item?.texts = ["source": name]
  }
}

/// The files of single sources: `--tracks`.
extension SessionCommand {
  /// The sinks of single sources.
  var tracks: [(SinkPlace, SinkEndpoint?)] {
    guard let trackPattern else { return [] }
    return incoming.map { source in
      (.track(source.key), .file(trackPattern))
    }
  }

  /// - Parameter liveness: of all sources.
  func output(
    at place: SinkPlace, _ request: OutputRequest, _ inputs: [SessionInput], _ liveness: Liveness
  ) -> SessionOutput {
    var setting = OutputSetting(
      request: request.sink.isLive ? OutputRequest(sink: request.sink) : request,
      processing: processing, device: DeviceRequest(buffering), liveness: liveness,
      tellsOrigin: liveness == .live && !origin.isHidden, inputs: inputs)
    if case .track(let key) = place,
      let index = incoming.firstIndex(where: { $0.key == key })
    {
      setting.inputs = [inputs[(local == nil ? 0 : 1) + index]]
      // The file of a device says when it began, as that of a capture does.
      setting.tellsOrigin = setting.inputs[0].liveness == .live && !origin.isHidden
    }
    return SessionOutput(setting)
  }
}
