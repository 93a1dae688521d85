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
      file = try SpooledFile.holding([], thenAllOf: descriptor)
      head = try file.bytes(Self.headLength, at: 0)
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
      file = try SpooledFile.holding([], thenAllOf: descriptor)
    }
    do {
      try self.init(SndfileHandle(file, mode: SFM_READ, SF_INFO()))
    } catch {
      guard error.kind == .malformed || error.kind == .unsupported else { throw error }
      guard !Self.isText(head) else {
        throw AudioError(
          .unrecognised, cannot: "read", file.name, because: "it is text, not sound")
      }
      guard error.reason.hasSuffix("format not recognised") else { throw error }
      throw AudioError(
        .unrecognised, cannot: "read", file.name,
        because: "it is not a sound file that libsndfile knows")
    }
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
    let families: [Set<Container>] = [[.wav, .wavex, .rf64], [.ogg, .opus]]
    let isSame =
      wanted == container || families.contains { $0.contains(wanted) && $0.contains(container) }
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
