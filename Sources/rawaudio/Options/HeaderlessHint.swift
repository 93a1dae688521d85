// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles

/// The line that reads a file without a header, by the extension of the file's name.
enum HeaderlessHint {
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
