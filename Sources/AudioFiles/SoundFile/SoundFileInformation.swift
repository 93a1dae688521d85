// SPDX-License-Identifier: Apache-2.0
internal import CSndfile

/// What a sound file says of itself.
public struct SoundFileInformation: Sendable {
  /// A text that files carry beside their samples.
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

  /// What stands around the samples.
  public let container: Container
  /// How the samples are stored in it.
  public let encoding: SampleEncoding
  /// Nil where samples have no byte order.
  public let byteOrder: ByteOrder?
  /// The rate and the channels of its stream.
  public let format: StreamFormat
  /// The length in samples per channel; nil where it is known only after reading everything.
  public let samplesPerChannel: Int64?
  /// Present where the file is shorter than its header claims.
  public let truncation: Truncation?
  /// Samples per channel that stand in the file behind those that its header states; see
  /// ``SoundFileSource/samplesBehind``.
  public let samplesBehind: Int64
  /// The texts that are there and not empty.
  public let texts: [Text: String]
  /// Everything that the file carries beside its samples.
  public let metadata: Metadata

  /// The length in time, rounded down to an attosecond.
  public var duration: Duration? {
    samplesPerChannel.map { count in
      let attoseconds = Int128(count) * 1_000_000_000_000_000_000 / Int128(format.sampleRate)
      let (seconds, rest) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000_000_000_000)
      return Duration(secondsComponent: Int64(seconds), attosecondsComponent: Int64(rest))
    }
  }

  /// Reads the header of a file or of what comes from standard input. Any thread.
  ///
  /// - Parameters:
  ///   - path: the file; `-` is standard input.
  ///   - container: what the file has to be; nil = whatever its content says. `raw` needs `headerless`.
  ///   - headerless: what a `raw` file holds.
  ///   - spoolLimit: how many bytes of a stream a temporary file may hold; see ``SoundFileSource/spoolLimit``.
  /// - Throws: as ``SoundFileSource/initialize(proposing:wakeup:)``.
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

  /// The same of a path, which may be a named pipe: `control` ends the wait for what comes from there.
  package init(path: String, until control: SessionControl?) throws(AudioError) {
    try self.init(of: FileDescriptor(reading: path, wakeup: control?.wakeup))
  }

  /// The same of a file that is open, or of what comes from a pipe.
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
  /// Those of the tags that have a name here.
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

  /// What tags call it, the usual name first.
  public var keys: [String] {
    switch self {
    case .title: ["TITLE"]
    case .artist: ["ARTIST"]
    case .album: ["ALBUM"]
    case .trackNumber: ["TRACKNUMBER"]
    case .genre: ["GENRE"]
    case .date: ["DATE"]
    case .comment: ["COMMENT", "DESCRIPTION"]
    case .software: ["SOFTWARE", "ENCODER"]
    case .copyright: ["COPYRIGHT"]
    case .license: ["LICENSE"]
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
  /// Samples per channel that should be there: what the header promises, or, where nothing states a length, one
  /// more than there are.
  public var claimedSamplesPerChannel: Int64
  /// Samples per channel that are there.
  public var actualSamplesPerChannel: Int64
  /// Whether the file states its length; where not, it only shows that it goes on: a last frame that is not all
  /// there, an Ogg stream without its last page.
  public var statesLength = true

  /// - Parameters:
  ///   - claimedSamplesPerChannel: what the header promises.
  ///   - actualSamplesPerChannel: what is there.
  public init(claimedSamplesPerChannel: Int64, actualSamplesPerChannel: Int64) {
    self.claimedSamplesPerChannel = claimedSamplesPerChannel
    self.actualSamplesPerChannel = actualSamplesPerChannel
  }

  /// - Parameter actual: the samples per channel that are there; nil = not known yet.
  /// - Returns: nil where nothing is missing, as far as is known.
  init?(of file: OpenedSoundFile, holding actual: Int64?) {
    let claimed = file.claimedSamplesPerChannel ?? 0
    let isShort = actual.map { $0 < claimed } ?? false
    guard isShort || file.endsWithin || file.links?.lacksEnds() == true else { return nil }
    let actual = actual ?? 0
    self.init(
      claimedSamplesPerChannel: isShort ? claimed : actual + 1, actualSamplesPerChannel: actual)
    statesLength = isShort && file.statesLength
  }
}
