// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

/// The copying of packets in place of a session's run.
struct PacketCopying {
  let sound: PacketSound
  let target: PacketTarget
  /// Whether only a part of the source is taken.
  let isCut: Bool

  func run(in command: CommandSession) throws(AudioError) -> SessionReport {
    let session = command.session
    guard let input = command.inputs.first, let output = command.outputs[.publish] else {
      return try session.run()
    }
    let wakeup = session.control.wakeup
    let description = try input.source.initialize(proposing: nil, wakeup: wakeup)
    defer { input.source.dispose() }
    let copy = try output.copy(
      sound, to: target, description.format,
      SinkRequest(of: description, try input.source.metadata()), session.control)
    let length = description.samplesPerChannel
    let samples = isCut ? input.origin..<(length.map { input.origin + $0 } ?? .max) : nil
    command.console.detail(
      "'\(output.name)' gets the packets of '\(input.name)' (\(sound.codec)) as they are")
    return try session.copy(description) { (tell) throws(AudioError) in
      try copy.run(samples, of: length, wakeup, tell: tell)
    }
  }
}

extension SessionOutput {
  /// Makes the copying of packets into the output's file.
  fileprivate func copy(
    _ sound: PacketSound, to target: PacketTarget, _ format: StreamFormat, _ sources: SinkRequest,
    _ control: SessionControl
  ) throws(AudioError) -> PacketCopy {
    self.control = control
    let path = plan.sink.ownPath ?? ""
    try requirePlaces(in: target.name, target.hasPlace(for:))
    let carried = try carried(
      from: sources, isOpus: target.isOpus, canTellOrigin: false)
    try makeFolders(for: path)
    var destination = FileDestination(
      path: path, overwrites: plan.overwrites,
      synchronization: plan.recording.synchronization ?? .never)
    destination.isNameGenerated = plan.isNameGenerated
    let copy = PacketCopy(sound, to: target, format, carried.metadata, at: destination)
    account = copy
    return copy
  }
}

extension PacketCopy: SinkAccount {
  var sampleDigest: [UInt8]? { sound.digest }
  var soundFileFormat: FileFormat? { if case .own(let file) = target { file } else { nil } }

  func notes(of name: String) -> [String] {
    var notes: [String] = []
    if movedSamples > 0 {
      notes.append(
        "'\(name)' begins \((1_000 * movedSeconds).decimal(0)) ms earlier than asked for, with a whole packet, and ends with"
          + " one")
    }
    if target.showsDelay(of: sound) {
      notes.append(
        "'\(name)' begins with silence of its encoder and may end with some: \(target.name) cannot state it"
      )
    }
    return notes
  }

  var foreignFormat: (container: String, codec: String)? {
    if case .encoded(let container) = target { (container.name, sound.codec) } else { nil }
  }
}
