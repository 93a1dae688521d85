internal import AudioCore

/// A source of a command's session, kept so that it can be asked afterwards what happened.
struct SessionInput {
  /// What notes call it.
  let name: String
  private(set) var source: any AudioSource
  private let file: SoundFileSource?
  let device: AlsaSource?
  /// The part of it that is taken; nil = from the beginning, to the end.
  private var start: TimePosition?
  private var duration: TimePosition?

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

  /// How many bytes at its end were less than a sample of every channel.
  var trailingBytes: Int { file?.trailingBytes ?? 0 }

  /// The same input from `start` on and for `duration`.
  func trimmed(start: TimePosition?, duration: TimePosition?) -> SessionInput {
    if start == nil, duration == nil { return self }
    var input = self
    input.start = start
    input.duration = duration
    input.source = TrimmedSource(source, start: start ?? .samples(0), duration: duration)
    return input
  }

  /// The gap as it lies in what is taken of the input; before 0 where it begins in what is left out.
  ///
  /// - Parameter sampleRate: the input's own.
  func placed(_ gap: DeviceGap, at sampleRate: Int) -> DeviceGap {
    var gap = gap
    gap.position -= start?.samples(at: sampleRate) ?? 0
    return gap
  }

  /// Likewise.
  func placed(_ pause: DevicePause, at sampleRate: Int) -> DevicePause {
    var pause = pause
    pause.position -= start?.samples(at: sampleRate) ?? 0
    return pause
  }

  /// Where in what is taken a mark for `gap` belongs; nil where none of it is taken.
  ///
  /// - Parameters:
  ///   - gap: as it is placed.
  ///   - sampleRate: the input's own.
  func mark(for gap: DeviceGap, at sampleRate: Int) -> Int64? {
    let end = duration?.samples(at: sampleRate) ?? .max
    let isBefore = gap.position < 0 && gap.position + (gap.lostSamples ?? 0) <= 0
    return isBefore || gap.position >= end ? nil : max(gap.position, 0)
  }
}
