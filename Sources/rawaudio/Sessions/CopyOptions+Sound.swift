// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

extension CopyOptions {
  /// The sound to copy. Nil if it is decoded.
  ///
  /// Without the option only a file goes that would otherwise be encoded again by its own lossy codec, and only if every
  /// sample keeps its place.
  ///
  /// - Throws: the reason against copying if it is asked for.
  func sound(
    of source: EditedSource, to output: OutputPlan, on console: Console
  ) throws(AudioError) -> PacketCopying? {
    guard isPossible, let path = source.endpoint.filePath else { return nil }
    do throws(AudioError) {
      let target = try target(of: output, from: path)
      guard isAsked || isRegularFile(path) == true else { return nil }
      let sound = try PacketSound(
        path: path, track: source.description.track, for: target,
        decoder: source.description.decoder ?? .automatic, wakeup: source.control.wakeup)
      try check(sound, to: target, source, output)
      return PacketCopying(
        sound: sound, target: try target.settled(for: sound), isCut: source.isPart)
    } catch {
      if isAsked || error.kind == .interrupted { throw error }
      if error.kind == .unsupported {
        console.detail("the packets of '\(path)' are not copied: \(error.reason)")
      }
      return nil
    }
  }

  private func target(
    of output: OutputPlan, from path: String
  ) throws(AudioError) -> PacketTarget {
    guard case .file(let name) = output.sink, isRegularFile(name) ?? true else {
      throw refusal(path, "'\(output.sink.name)' is no regular file", .unavailable)
    }
    if output.container == nil, let container = EncodedContainer(fileName: output.typedName(name)) {
      if output.fileEncoder == .none {
        throw refusal(path, "only ffmpeg writes \(container.name)", .unavailable)
      }
      return .encoded(container)
    }
    let container =
      if let asked = output.container { asked } else { try Container(outputPath: name) }
    guard [.mp3, .ogg, .opus, .flac].contains(container) else {
      throw refusal(path, "\(container.rawValue) takes none", .unrecognised)
    }
    return .own(try FileFormat(container, for: .mpegLayer3))
  }

  private func check(
    _ sound: PacketSound, to target: PacketTarget, _ source: EditedSource, _ output: OutputPlan
  ) throws(AudioError) {
    if sound.video != nil, output.container == nil, case .file(let name) = output.sink,
      EncodedContainer(videoName: output.typedName(name), codec: nil) != nil
    {
      throw refusal(
        sound.path, "the pictures of a video go into a file of that name, too", .unrecognised)
    }
    guard target.takes(sound.codec, isUsual: !isAsked) else {
      throw refusal(sound.path, "\(target.name) takes no \(sound.codec)", .unrecognised)
    }
    if source.isPart, let least = target.shortestCut(of: sound),
      let length = try source.samplesPerChannel(of: sound), length < least
    {
      throw refusal(
        sound.path, "players skip a part of less than a packet, \(least) samples, in \(target.name)"
      )
    }
    if isAsked { return }
    if sound.silenceInFront > 0 {
      throw refusal(sound.path, "the sound begins behind the pictures")
    }
    if source.isPart, !target.cutsExactly(sound) {
      throw refusal(sound.path, "a cut would move to a packet")
    }
  }

  /// - Parameter kind: `unsupported` if the codec would be the same.
  private func refusal(
    _ path: String, _ reason: String, _ kind: AudioError.Kind = .unsupported
  ) -> AudioError {
    AudioError(
      kind, cannot: "copy the packets of", path, because: reason,
      advice: "leave \($isAsked.label) out")
  }
}
