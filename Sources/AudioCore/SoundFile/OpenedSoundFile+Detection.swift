internal import CSndfile
import Glibc

extension OpenedSoundFile {
  /// How many bytes tell what a file is.
  private static let headLength = 512

  /// Finds out what a file is and reads its header.
  ///
  /// - Parameters:
  ///   - container: what the file is known to be; nil = look.
  ///   - headerless: what a `raw` file holds.
  init(
    _ descriptor: FileDescriptor, as container: Container?, headerless: HeaderlessFormat?
  ) throws(AudioError) {
    if container == .raw {
      guard let headerless else {
        throw AudioError(
          .invalidParameter, cannot: "read", descriptor.name,
          because: "headerless data does not tell what it is",
          advice: "describe its rate, channels and encoding")
      }
      try self.init(descriptor, headerless: headerless)
      return
    }
    let file: FileDescriptor
    let head: [UInt8]
    if let preview = try descriptor.preview(Self.headLength) {
      file = descriptor
      head = preview
    } else {
      head = try descriptor.nextBytes(Self.headLength)
      try Self.expectSound(head, descriptor.name)
      file = try SpooledFile.holding(head, thenAllOf: descriptor)
    }
    guard !head.isEmpty else {
      throw AudioError(
        .malformed, cannot: "read", file.name,
        because: file.isRegular ? "the file is empty" : "nothing came from it")
    }
    if WaveHeader.begins(head) {
      try self.init(wave: file)
    } else {
      try self.init(foreign: file, head)
      takeClaim(ClaimedLength.find(in: head))
    }
    if let container { try expect(container, file.name) }
  }

  /// A file that is not WAVE.
  private init(foreign descriptor: FileDescriptor, _ head: [UInt8]) throws(AudioError) {
    var file = descriptor
    if !file.isRegular, !Self.canStream(head) {
      try Self.expectSound(head, file.name)
      file = try SpooledFile.holding([], thenAllOf: descriptor)
    }
    do {
      try self.init(SndfileHandle(file, mode: SFM_READ, SF_INFO()))
    } catch {
      guard error.kind == .malformed || error.kind == .unsupported else { throw error }
      throw Self.unrecognised(head, file.name, error) ?? error
    }
  }

  /// Throws where not even the beginning is known, before all of an endless stream is spooled.
  private static func expectSound(_ head: [UInt8], _ name: String) throws(AudioError) {
    // An HTK header is known by the file's length, and what stands behind an ID3 tag by itself.
    let mayBeHTK = head.count >= 12 && head[8..<12].elementsEqual([0, 2, 0, 0])
    let needsMore = mayBeHTK || head.has("ID3", at: 0)
    guard !head.isEmpty, !needsMore, !WaveHeader.begins(head) else { return }
    let beginning = try SpooledFile.holding(head, named: name)
    do {
      _ = try SndfileHandle(beginning, mode: SFM_READ, SF_INFO())
    } catch {
      // Anything else may be for want of the rest.
      if isUnknown(error), let error = unrecognised(head, name, error) { throw error }
    }
  }

  private static func isUnknown(_ error: AudioError) -> Bool {
    error.reason.hasSuffix("format not recognised")
  }

  /// What is better said than libsndfile's `error`; nil where nothing is.
  private static func unrecognised(
    _ head: [UInt8], _ name: String, _ error: AudioError
  ) -> AudioError? {
    guard isText(head) || isUnknown(error) else { return nil }
    return AudioError(
      .unrecognised, cannot: "read", name,
      because: isText(head)
        ? "it is text, not sound" : "it is not a sound file that libsndfile knows")
  }

  /// Takes over what the header states where samples are stored one by one.
  private mutating func takeClaim(_ claim: ClaimedLength.Unit?) {
    guard container.storesPlainSamples(encoding), let size = encoding.bytesPerSample else { return }
    switch claim {
    case .bytes(let count): claimedSamplesPerChannel = count / Int64(size * format.channelCount)
    case .sampleFrames(let count): claimedSamplesPerChannel = count
    case nil: break
    }
  }

  private func expect(_ wanted: Container, _ name: String) throws(AudioError) {
    let areOgg = [wanted, container].allSatisfy { $0 == .ogg || $0 == .opus }
    let isSame = wanted == container || areOgg || wanted.isWave && container.isWave
    guard isSame else {
      throw AudioError(
        .malformed, cannot: "read", name,
        because: "it is \(container.rawValue), not \(wanted.rawValue)")
    }
  }

  /// Whether libsndfile 1.2.0 reads such a file from a pipe, as measured: plain AU, AIFF and W64, and
  /// Ogg. Everything else it refuses or reads wrongly there, MPEG from beyond its buffer.
  private static func canStream(_ head: [UInt8]) -> Bool {
    if head.has(".snd", at: 0), head.count >= 16 {
      return (1...7).contains(head.integer(at: 12, 4, .big)) || head.integer(at: 12, 4, .big) == 27
    }
    if head.has("FORM", at: 0) { return head.has("AIFF", at: 8) }
    if head.has("riff", at: 0), head.has("fmt ", at: 40), head.count >= 66 {
      return [1, 3, 6, 7].contains(head.integer(at: 64, 2, .little))
    }
    return head.has("OggS", at: 0)
  }

  /// Whether these bytes look like text: no control characters but those of text.
  private static func isText(_ head: [UInt8]) -> Bool {
    head.allSatisfy { $0 >= 0x20 && $0 != 0x7F || (0x08...0x0D).contains($0) || $0 == 0x1B }
  }
}
