internal import AudioCore

extension SourceEndpoint {
  /// The source that the endpoint names.
  ///
  /// - Parameters:
  ///   - description: of headerless data.
  ///   - duration: how long a sweep takes.
  func input(
    _ description: InputDescription = InputDescription(), device: AlsaOptions = AlsaOptions(),
    duration: TimePosition? = nil
  ) throws(AudioError) -> SessionInput {
    switch self {
    case .file(let path): try file(path, name: path, description)
    case .standardInput: try file("-", name: "standard input", description)
    case .device(let name): SessionInput(device: AlsaSource(device: name, options: device))
    case .generated(let signal): signal.input(duration: duration)
    }
  }

  private func file(
    _ path: String, name: String, _ description: InputDescription
  ) throws(AudioError) -> SessionInput {
    SessionInput(
      file: SoundFileSource(
        path: path, container: description.container,
        headerless: try description.headerless),
      name: name)
  }
}

extension InputDescription {
  /// What a headerless input holds; nil for any other.
  var headerless: HeaderlessFormat? {
    get throws(AudioError) {
      guard let sampleRate, let channelCount, let encoding else { return nil }
      let format = try StreamFormat(sampleRate: sampleRate, channelCount: channelCount)
      if let layout = encoding.layout() { return HeaderlessFormat(format, layout) }
      return HeaderlessFormat(format, encoding.encoding)
    }
  }
}

extension GeneratedSignal {
  fileprivate func input(duration: TimePosition?) -> SessionInput {
    switch self {
    case .tone(let frequency):
      SessionInput(generated: ToneSource(frequency: frequency), name: "tone")
    case .noise(let colour):
      SessionInput(generated: NoiseSource(colour == .white ? .white : .pink), name: "noise")
    case .sweep(let from, let to):
      SessionInput(generated: SweepSource(from: from, to: to, duration: duration), name: "sweep")
    case .silence:
      SessionInput(generated: SilenceSource(), name: "silence")
    }
  }
}
