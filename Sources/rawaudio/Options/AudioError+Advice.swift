// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

extension AudioError {
  /// Adds advice in terms of the command line, which the library does not know.
  ///
  /// - Parameters:
  ///   - declarations: the options of the command. Advice names only these.
  ///   - words: the words after the command's name, if they are known.
  func advised(forOptions declarations: [Declaration], words: [String] = []) -> AudioError {
    func takes(_ option: Declaration) -> Bool {
      declarations.contains { $0.name == option.name }
    }
    let (input, output) = (InputOptions(), OutputOptions())
    var error = self
    if advice == AudioError.ffmpegWouldDecode, takes(input.decoding.$decoder) {
      error.advice =
        "\(input.decoding.$decoder.word) \(FileDecoder.ffmpeg.rawValue) decodes it"
    }
    let mapping = ChannelMapOptions()
    if advice == AudioError.ambisonicDecoding, takes(mapping.$maps) {
      error.advice =
        "decode it with \(mapping.$maps.word) 0.707*1+0.5*3,0.707*1-0.5*3 for stereo, 1 for mono"
    }
    let numbers = (advice ?? "").split(separator: " ").compactMap { Int($0) }
    if let rate = numbers.first, advice == AudioError.conversion(to: rate),
      declarations.contains(where: { $0.name == "rate" })
    {
      error.advice = "-r \(rate) converts it"
    }
    if advice == AudioError.silentPictures, let name = subject.fileExtension {
      let isTaken = declarations.contains { ["into", "to-channels"].contains($0.name) }
      error.advice =
        isTaken
        ? "to give it sound, say 'rawaudio convert SOUND --into \(subject.shellWord) -o OUT.\(name)'"
        : nil
    }
    guard advice == nil else { return error }
    switch kind {
    case .alreadyExists where takes(output.$overwrites):
      error.advice = "use \(output.$overwrites.label) to overwrite"
    case .notFound where subject.isWebAddress: return advisingDownload(words)
    case .notFound:
      error.advice =
        ForeignOptionHint.hint(forEffect: subject, among: declarations)
        ?? (takes(output.$sink) && subject.isLast(of: words)
          ? "if it is the output, say -o in front of it" : nil)
    case .unrecognised where action == "read" && takes(input.$containers):
      error.advice =
        HeaderlessHint.advice(for: subject)
        ?? "for headerless data say \(input.$containers.word) raw"
    case .unsupported where takes(input.decoding.$spoolLimit): return advisingSpoolLimit
    default: break
    }
    return error
  }
}

extension AudioError {
  /// Advice for a web address that was taken for a file.
  ///
  /// - Parameter words: the words after the name of the program. Empty for a file of a list.
  func advisingDownload(_ words: [String]) -> AudioError {
    guard kind == .notFound, subject.isWebAddress else { return self }
    var error = self
    let line = words.map { $0 == subject ? "-" : $0.shellWord }.joined(separator: " ")
    error.advice =
      words.isEmpty
      ? "another program loads it: curl -sLO \(subject.shellWord)"
      : "another program loads it: curl -sL \(subject.shellWord) | rawaudio \(line)"
    return error
  }
}

extension String {
  fileprivate var isWebAddress: Bool {
    ["http://", "https://", "ftp://"].contains { lowercased().hasPrefix($0) }
  }

  /// Whether it is the last of several sources, and no word names an output.
  fileprivate func isLast(of words: [String]) -> Bool {
    words.count > 2 && words.last == self && words.dropLast().last?.hasPrefix("-") == false
      && !words.contains { $0.hasPrefix("-o") || $0.hasPrefix("--o") }
  }
}

/// The line that reads a file without a header, by the extension of the file's name.
private enum HeaderlessHint {
  private enum Reader {
    /// Options of our own.
    case options(String)
    /// ffmpeg's name of the format.
    case ffmpeg(String)
  }

  private static let kinds: [String: (title: String, reader: Reader)] = [
    "gsm": ("GSM 06.10", .options("--input-rate 8000 --input-channels 1 --input-format gsm610")),
    "sln": ("signed linear", .options("--input-rate 8000 --input-channels 1 --input-format s16")),
    "g722": ("G.722", .ffmpeg("g722")),
    "aptx": ("aptX", .ffmpeg("aptx -sample_rate 48000")),
    "aptxhd": ("aptX HD", .ffmpeg("aptx_hd -sample_rate 48000")),
  ]

  /// - Returns: nil for an extension of no such kind.
  static func advice(for path: String) -> String? {
    guard let (title, reader) = path.fileExtension.flatMap({ kinds[$0] }) else { return nil }
    let file = Container.shellWord(path)
    return switch reader {
    case .options(let options): "\(title) without a header is read with --input-type raw \(options)"
    case .ffmpeg(let format):
      "\(title) without a header is read with: ffmpeg -f \(format) -i \(file) -f wav - | rawaudio convert - -o out.wav"
    }
  }
}
