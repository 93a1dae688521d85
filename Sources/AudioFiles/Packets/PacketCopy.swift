// SPDX-License-Identifier: Apache-2.0
/// Copies the packets of a file's sound into a new file, whole or cut, without decoding them.
///
/// Session thread only.
package final class PacketCopy {
  /// The sound whose packets are copied.
  package let sound: PacketSound
  /// The kind of the new file.
  package let target: PacketTarget
  let format: StreamFormat
  let metadata: Metadata?
  private let destination: FileDestination
  /// The parts of the metadata that the file does not carry; known after ``run(_:of:_:tell:)``.
  package internal(set) var metadataOmissions: [Metadata.Omission] = []

  /// The samples per channel that stand in front of the part, because only whole packets are copied; known after
  /// ``run(_:of:_:tell:)``.
  package internal(set) var movedSamples: Int64 = 0

  /// ``movedSamples`` in seconds.
  package var movedSeconds: Double { Double(movedSamples) / Double(format.sampleRate) }

  /// - Parameters:
  ///   - metadata: of the new file, for the part that is copied.
  ///   - destination: of a regular file.
  package init(
    _ sound: PacketSound, to target: PacketTarget, _ format: StreamFormat, _ metadata: Metadata?,
    at destination: FileDestination
  ) {
    self.sound = sound
    self.target = target
    self.format = format
    self.metadata = metadata
    self.destination = destination
  }

  /// Writes the file, and gives it its name.
  ///
  /// - Parameters:
  ///   - samples: the part to copy, in samples per channel; nil = all.
  ///   - length: of the new file, in samples per channel; nil if it is unknown.
  ///   - tell: called with the samples per channel that are copied.
  /// - Returns: the samples per channel of the new file.
  /// - Throws: `interrupted`; `unsupported` if the packets cannot be cut; the errors of a file.
  package func run(
    _ samples: Range<Int64>?, of length: Int64?, _ wakeup: Wakeup,
    tell: @escaping (Int64) -> Void
  ) throws(AudioError) -> Int64 {
    let output = try destination.open(wakeup)
    defer { output.discard() }
    guard output.descriptor.isRegular else {
      throw AudioError(
        .unsupported, cannot: "copy packets to", output.descriptor.name,
        because: "it is no regular file", advice: "leave --copy out")
    }
    let writing = PacketWriting(output.descriptor, of: length, wakeup, tell)
    try writePackets(samples, writing)
    let written =
      if let length { length + movedSamples } else {
        try self.length(of: output.descriptor, wakeup)
      }
    try destination.commit(output)
    tell(written)
    return written
  }

  private func writePackets(
    _ samples: Range<Int64>?, _ writing: PacketWriting
  ) throws(AudioError) {
    switch (sound.content, target) {
    case (.frames(let stream), .own(let file)):
      try writeFrames(of: stream, samples, file, writing)
    case (.pages(let codec, let range), .own(let file)):
      try writePages(of: codec, range, samples, file, writing)
    case (.blocks(let range, _), .own(let file)):
      try writePages(of: nil, range, samples, file, writing)
    case (let content, .encoded(let container)):
      let information: DecodedFileInformation
      if case .other(let known) = content {
        information = known
      } else {
        if samples != nil {
          throw AudioError(
            .unsupported, cannot: "cut the packets of", sound.path,
            because: "\(target.name) does not state where its sound begins",
            advice: "cut it into \(sound.codec) first")
        }
        information = try DecodedFileInformation(
          path: sound.path, named: sound.path, wakeup: writing.wakeup)
      }
      try write(
        information, samples, of: writing.length, into: container, writing.output, writing.wakeup)
    case (.other, .own):
      throw AudioError(
        .unsupported, cannot: "copy the packets of", sound.path,
        because: "\(sound.codec) does not go into \(target.name)")
    }
  }

  /// The metadata of a file of our own.
  func written(
    in file: FileFormat, isPart: Bool
  ) throws(AudioError) -> WrittenMetadata {
    let written = try WrittenMetadata(
      metadata, in: file, format, isPatchable: true, isPart: isPart, isCopy: true)
    metadataOmissions = written.omissions
    return written
  }

  // MARK: Frames of MPEG audio

  private func writeFrames(
    of stream: MpegStream, _ samples: Range<Int64>?, _ file: FileFormat, _ writing: PacketWriting
  ) throws(AudioError) {
    let written = try written(in: file, isPart: samples != nil)
    var front = written.front
    if let place = written.placeOfEnd, let length = writing.length {
      var end: [UInt8] = []
      end.append(length * 1_000 / Int64(format.sampleRate), 4, .big)
      front.replaceSubrange(place..<place + 4, with: end)
    }
    try writing.write(front)
    if let samples {
      let cut = try MpegCut(stream, samples, named: sound.path)
      try writing.write(cut.beginning)
      try writing.copy(cut.parts, of: sound.file)
    } else if let first = stream.parts.first, let last = stream.parts.last {
      try writing.copy([first.lowerBound..<last.upperBound], of: sound.file)
    }
    try writing.write(written.behind)
  }

  // MARK: Pages of Ogg, and FLAC

  /// - Parameter codec: nil for FLAC, which has blocks in place of pages.
  private func writePages(
    of codec: OggCodec?, _ range: Range<Int64>, _ samples: Range<Int64>?, _ file: FileFormat,
    _ writing: PacketWriting
  ) throws(AudioError) {
    let rewriter = try written(in: file, isPart: samples != nil).rewriter
    var made: Int64 = 0
    func rewritten(_ bytes: [UInt8]) throws(AudioError) -> [UInt8] {
      defer { made += Int64(bytes.count) }
      return try rewriter?.rewritten(bytes, at: made).flatMap(\.bytes) ?? bytes
    }
    if let samples {
      guard let codec else {
        throw AudioError(
          .unsupported, cannot: "cut the packets of", sound.path,
          because: "decoding FLAC loses nothing", advice: "leave --copy out")
      }
      let scale: Int64 = codec == .opus ? 48_000 / Int64(format.sampleRate) : 1
      let window = try FileWindow(of: sound.file, 0..<sound.file.size())
      try OggCut(codec, in: window, range, named: sound.path).write(
        samples.lowerBound * scale..<samples.upperBound * scale
      ) { (bytes) throws(AudioError) in
        try writing.requireRunning()
        try writing.write(rewritten(bytes))
      }
    } else {
      try writing.copy([range], of: sound.file) { (bytes, _) throws(AudioError) in
        try rewritten(bytes)
      }
    }
    try writing.write(rewriter?.rest().flatMap(\.bytes) ?? [])
  }
}

/// The new file while packets are copied into it.
struct PacketWriting {
  let output: FileDescriptor
  /// Of the new file, in samples per channel; nil if it is unknown.
  let length: Int64?
  let wakeup: Wakeup
  let tell: (Int64) -> Void

  private static let blockSize: Int64 = 1 << 18

  init(
    _ output: FileDescriptor, of length: Int64?, _ wakeup: Wakeup, _ tell: @escaping (Int64) -> Void
  ) {
    self.output = output
    self.length = length
    self.wakeup = wakeup
    self.tell = tell
  }

  func write(_ bytes: [UInt8]) throws(AudioError) {
    if !bytes.isEmpty { _ = try output.write(bytes) }
  }

  /// Copies parts of a file, in order.
  ///
  /// - Parameter change: returns the bytes to write in place of those at an offset.
  func copy(
    _ parts: [Range<Int64>], of file: FileDescriptor,
    change: (([UInt8], Int64) throws(AudioError) -> [UInt8])? = nil
  ) throws(AudioError) {
    let whole = parts.reduce(0) { $0 + Int64($1.count) }
    var done: Int64 = 0
    for part in parts {
      var place = part.lowerBound
      while place < part.upperBound {
        try requireRunning()
        let count = Int(min(Self.blockSize, part.upperBound - place))
        let bytes = try file.bytes(count, at: place)
        guard !bytes.isEmpty else { return }
        try write(change.map { (change) throws(AudioError) in try change(bytes, place) } ?? bytes)
        place += Int64(bytes.count)
        done += Int64(bytes.count)
        if let length { tell(Int64(Double(length) * Double(done) / Double(whole))) }
      }
    }
  }

  func requireRunning() throws(AudioError) {
    guard wakeup.request == nil else {
      throw AudioError(
        .interrupted, cannot: "write to", output.name, because: "it was interrupted")
    }
  }
}
