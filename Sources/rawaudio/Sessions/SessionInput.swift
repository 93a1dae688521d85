internal import AudioCore

/// A source of a command's session, kept so that it can be asked afterwards what happened.
struct SessionInput {
  /// What notes call it.
  let name: String
  private(set) var source: any AudioSource
  private let file: SoundFileSource?
  let device: AlsaSource?

  init(file: SoundFileSource, name: String) {
    self.name = name
    self.file = file
    source = file
    device = nil
  }

  init(device: AlsaSource) {
    name = device.device
    self.device = device
    source = device
    file = nil
  }

  init(generated: any AudioSource, name: String) {
    self.name = name
    source = generated
    file = nil
    device = nil
  }

  /// What the file fell short of its header by.
  var truncation: Truncation? { file?.truncation }

  /// The same input from `start` on and for `duration`.
  func trimmed(start: TimePosition?, duration: TimePosition?) -> SessionInput {
    if start == nil, duration == nil { return self }
    var input = self
    input.source = TrimmedSource(source, start: start ?? .samples(0), duration: duration)
    return input
  }
}
