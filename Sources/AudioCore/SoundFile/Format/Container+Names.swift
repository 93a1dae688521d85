extension Container {
  /// The container of a name that a user typed, in any case; other usual names are understood too
  /// (`iff`, `snd`, `aifc`, `bw64`, …).
  public init?(name: String) {
    let name = name.lowercased()
    if let container = Container(rawValue: name) {
      self = container
    } else if let container = Self.otherNames[name] {
      self = container
    } else {
      return nil
    }
  }

  /// The container that the extension of a file's name asks for; nil where it has none or an unknown one.
  public init?(fileName: String) {
    let last = fileName.split(separator: "/").last ?? ""
    let parts = last.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count > 1, let suffix = parts.last else { return nil }
    self.init(name: String(suffix))
  }

  private static let otherNames: [String: Container] = [
    "wave": .wav, "bwf": .wav, "riff": .wav, "bw64": .rf64, "wave64": .w64,
    "aif": .aiff, "aifc": .aiff, "snd": .au, "fla": .flac, "oga": .ogg, "vorbis": .ogg,
    "mp1": .mp3, "mp2": .mp3, "mpeg": .mp3, "pcm": .raw, "iff": .svx, "8svx": .svx, "sph": .nist,
    "sf": .ircam, "mat": .mat5, "snd2000": .mpc2k,
  ]
}
