// SPDX-License-Identifier: Apache-2.0
internal import CSndfile

/// A sound file's description of itself.
public struct SoundFileInformation: Sendable {
  /// A text that files carry beside their samples.
  @nonexhaustive
  public enum Text: String, Sendable, Hashable, CaseIterable {
    case title
    case artist
    case album
    case trackNumber = "track number"
    case genre
    case date
    case comment
    case software
    case copyright
    case license
  }

  /// The file format around the samples.
  public let container: Container
  /// How the samples are stored in the container.
  public let encoding: SampleEncoding
  /// nil if samples have no byte order.
  public let byteOrder: ByteOrder?
  /// The rate and the channels of the stream.
  public let format: StreamFormat
  /// The length in samples per channel; nil if it is known only after reading everything.
  public let samplesPerChannel: Int64?
  /// Present if the file is shorter than its header claims.
  public let truncation: Truncation?
  /// The samples per channel behind the stated ones; see ``SoundFileSource/samplesBehind``.
  public let samplesBehind: Int64
  /// The bits of the samples in a second; nil if the file does not tell before it is read.
  public let bitRate: Int?
  /// The texts that exist and are not empty.
  public let texts: [Text: String]
  /// The file's metadata.
  public let metadata: Metadata

  /// The length in time, rounded down to an attosecond.
  public var duration: Duration? {
    samplesPerChannel.map { count in
      let attoseconds = Int128(count) * 1_000_000_000_000_000_000 / Int128(format.sampleRate)
      let (seconds, rest) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000_000_000_000)
      return Duration(secondsComponent: Int64(seconds), attosecondsComponent: Int64(rest))
    }
  }

  /// Reads the header of a file or of standard input. Any thread.
  ///
  /// - Parameters:
  ///   - path: the file; `-` is standard input.
  ///   - container: the required container; nil = any. `raw` needs `headerless`.
  ///   - headerless: the content of a `raw` file.
  ///   - spoolLimit: the largest size of a temporary file in bytes; see ``SoundFileSource/spoolLimit``.
  /// - Throws: the errors of ``SoundFileSource/initialize(proposing:wakeup:)``.
  public init(
    path: String, container: Container? = nil, headerless: HeaderlessFormat? = nil,
    spoolLimit: Int64 = SoundFileSource.usualSpoolLimit
  ) throws(AudioError) {
    let descriptor =
      path == "-"
      ? try FileDescriptor(0, name: "standard input", closes: false)
      : try FileDescriptor(reading: path)
    descriptor.spoolLimit = spoolLimit
    try self.init(of: descriptor, as: container, headerless: headerless)
  }

  /// Reads the header of the file at `path`. If it is a named pipe, `control` can end the wait for its bytes.
  package init(path: String, until control: SessionControl?) throws(AudioError) {
    try self.init(of: FileDescriptor(reading: path, wakeup: control?.wakeup))
  }

  /// Reads the header of an open file or a pipe.
  init(
    of descriptor: FileDescriptor, as container: Container? = nil,
    headerless: HeaderlessFormat? = nil
  ) throws(AudioError) {
    let file = try OpenedSoundFile(descriptor, as: container, headerless: headerless)
    self.container = file.container
    encoding = file.encoding
    byteOrder = file.byteOrder
    format = file.format
    samplesPerChannel = file.samplesPerChannel
    truncation = Truncation(of: file, holding: file.samplesPerChannel)
    samplesBehind = file.samplesBehind
    metadata = try file.metadata()
    bitRate = try file.bitRate(metadata)
    var texts = Text.texts(of: metadata.tags)
    let others = try file.handle?.texts() ?? [:]
    texts.merge(others) { own, _ in own }
    self.texts = texts
  }
}

extension SndfileHandle {
  /// The corresponding C function is `sf_get_string`.
  func texts() throws(AudioError) -> [SoundFileInformation.Text: String] {
    try unsafe perform("read") { file in
      var texts: [SoundFileInformation.Text: String] = [:]
      for text in SoundFileInformation.Text.allCases {
        guard let value = unsafe sf_get_string(file, text.index) else { continue }
        let string = unsafe String(cString: value)
        if !string.isEmpty { texts[text] = string }
      }
      return texts
    }
  }
}

extension SoundFileInformation.Text {
  /// The texts of the tags in ``keys``.
  fileprivate static func texts(of tags: Metadata.Tags) -> [Self: String] {
    var texts: [Self: String] = [:]
    for text in allCases {
      let values = text.keys.lazy.map { tags[$0] }.first { !$0.isEmpty }
      texts[text] = values?.joined(separator: "; ")
    }
    if let number = texts[.trackNumber], let total = tags["TRACKTOTAL"].first, !number.contains("/")
    {
      texts[.trackNumber] = "\(number)/\(total)"
    }
    return texts
  }

  /// The names of the text in tags, the usual one first.
  public var keys: [String] {
    switch self {
    case .trackNumber: ["TRACKNUMBER"]
    case .comment: ["COMMENT", "DESCRIPTION"]
    case .software: ["SOFTWARE", "ENCODER"]
    default: [rawValue.uppercased()]
    }
  }

  fileprivate var index: Int32 {
    let index: Int =
      switch self {
      case .title: SF_STR_TITLE
      case .artist: SF_STR_ARTIST
      case .album: SF_STR_ALBUM
      case .trackNumber: SF_STR_TRACKNUMBER
      case .genre: SF_STR_GENRE
      case .date: SF_STR_DATE
      case .comment: SF_STR_COMMENT
      case .software: SF_STR_SOFTWARE
      case .copyright: SF_STR_COPYRIGHT
      case .license: SF_STR_LICENSE
      }
    return Int32(index)
  }
}

/// A sound file that is shorter than its header claims, or that ends within its stream.
public struct Truncation: Sendable, Hashable {
  /// The samples per channel that the header states, or one more than ``actualSamplesPerChannel`` if no greater length
  /// is stated.
  public var claimedSamplesPerChannel: Int64
  /// The existing samples per channel.
  public var actualSamplesPerChannel: Int64
  /// Whether the file states its length. Otherwise, only a cut last frame or a missing last page of Ogg shows the
  /// truncation.
  public var statesLength = true

  /// - Parameters:
  ///   - claimedSamplesPerChannel: the samples per channel that the header states.
  ///   - actualSamplesPerChannel: the existing samples per channel.
  public init(claimedSamplesPerChannel: Int64, actualSamplesPerChannel: Int64) {
    self.claimedSamplesPerChannel = claimedSamplesPerChannel
    self.actualSamplesPerChannel = actualSamplesPerChannel
  }

  /// - Parameter actual: the existing samples per channel; nil = not known yet.
  /// - Returns: nil if no samples are known to be missing.
  init?(of file: OpenedSoundFile, holding actual: Int64?) {
    // Whatever was announced counts: by the header, or by the library that reads it.
    let claimed = max(file.claimedSamplesPerChannel ?? 0, file.samplesPerChannel ?? 0)
    let isShort = actual.map { $0 < claimed } ?? false
    guard isShort || file.endsWithin || file.links?.lacksEnds() == true else { return nil }
    let actual = actual ?? 0
    self.init(
      claimedSamplesPerChannel: isShort ? claimed : actual + 1, actualSamplesPerChannel: actual)
    statesLength = isShort && file.statesLength
  }
}
