// SPDX-License-Identifier: Apache-2.0
/// The header of a written WAVE file.
///
/// Sources: those of ``WaveHeader``. The reserved chunk turns a RIFF file into an RF64 file without moving its samples,
/// by EBU Tech 3306.
struct WaveHeaderWriter {
  /// The largest size that a RIFF file's 32-bit fields can state; 0xFFFFFFFF means "unknown".
  static let largestRIFFSize: Int64 = 0xFFFF_FFFE
  private static let unknown: UInt32 = 0xFFFF_FFFF
  /// The size of a `ds64` chunk without a table.
  private static let ds64Size = 28

  let format: StreamFormat
  let layout: SampleLayout
  /// Whether `fmt ` is extensible even if the plain form suffices.
  var isAlwaysExtensible = false
  var isAlways64Bit = false
  /// Whether the header can be rewritten once the size is known.
  let isPatchable: Bool
  /// The bytes of chunks behind the samples.
  var trailingBytes: Int64 = 0
  /// The largest size of a RIFF file. A larger file becomes RF64.
  var largestRIFFSize = WaveHeaderWriter.largestRIFFSize
  /// The chunks between the description of the samples and the samples; an even number of bytes.
  var front: [UInt8] = []
  /// The speakers of the channels; nil = the usual ones.
  var channelLayout: Metadata.ChannelLayout?

  private var bytesPerFrame: Int { layout.bytesPerSample * format.channelCount }

  /// Whether `fmt ` is WAVE_FORMAT_EXTENSIBLE. The specification requires it for PCM and float of more than two
  /// channels and for PCM of more than 16 bits. G.711 stays plain: readers know only that form.
  private var isExtensible: Bool {
    if isAlwaysExtensible || channelMask != usualChannelMask || channelLayout == .ambisonic {
      return true
    }
    return switch layout.storage {
    case .ulaw, .alaw: false
    case .f32, .f64: format.channelCount > 2
    default: format.channelCount > 2 || layout.bytesPerSample > 2
    }
  }

  private var tag: Int {
    switch layout.storage {
    case .f32, .f64: WaveFormat.Tag.float
    case .ulaw: WaveFormat.Tag.ulaw
    case .alaw: WaveFormat.Tag.alaw
    default: WaveFormat.Tag.pcm
    }
  }

  /// The header's bytes. Their count does not depend on `dataBytes`.
  ///
  /// - Parameter dataBytes: the bytes of samples; nil = unknown. RF64 has no such value: its largest size makes ffmpeg
  ///   and libsndfile read to the end.
  func bytes(dataBytes: Int64?) -> [UInt8] {
    let (head, data) = parts(dataBytes: dataBytes)
    return head + front + data
  }

  /// The header's bytes before and behind ``front``.
  func parts(dataBytes: Int64?) -> (head: [UInt8], data: [UInt8]) {
    let order = layout.byteOrder
    let fmt = formatChunk
    let reservesSizes = order == .little && (isPatchable || isAlways64Bit)
    let headerSize =
      12 + (reservesSizes ? 8 + Self.ds64Size : 0) + 8 + fmt.count + (tag == 1 ? 0 : 12)
      + front.count + 8
    let riffSize = dataBytes.map { Int64(headerSize) - 8 + $0 + ($0 & 1) + trailingBytes }
    let exceeds = riffSize.map { $0 > largestRIFFSize } ?? true
    let is64Bit = isAlways64Bit || (exceeds && reservesSizes && riffSize != nil)
    // The values of the 32-bit fields.
    let riff32 = is64Bit || exceeds ? Self.unknown : UInt32(riffSize ?? 0)
    let data32 = is64Bit || exceeds ? Self.unknown : UInt32(dataBytes ?? 0)
    let sampleFrames = dataBytes.map { UInt64($0) / UInt64(bytesPerFrame) }

    var bytes = Array((order == .big ? "RIFX" : is64Bit ? "RF64" : "RIFF").utf8)
    bytes.append(riff32, 4, order)
    bytes += "WAVE".utf8
    if reservesSizes {
      bytes += (is64Bit ? "ds64" : "JUNK").utf8
      bytes.append(Self.ds64Size, 4, order)
      bytes.append(is64Bit ? riffSize ?? .max : 0, 8, order)
      bytes.append(is64Bit ? dataBytes ?? .max : 0, 8, order)
      bytes.append(is64Bit ? sampleFrames ?? 0 : 0, 8, order)
      bytes.append(0, 4, order)
    }
    bytes += "fmt ".utf8
    bytes.append(fmt.count, 4, order)
    bytes += fmt
    if tag != WaveFormat.Tag.pcm {
      bytes += "fact".utf8
      bytes.append(4, 4, order)
      bytes.append(sampleFrames.map { UInt32(clamping: $0) } ?? Self.unknown, 4, order)
    }
    var data = Array("data".utf8)
    data.append(data32, 4, order)
    return (bytes, data)
  }

  private var formatChunk: [UInt8] {
    let order = layout.byteOrder
    var chunk: [UInt8] = []
    chunk.append(isExtensible ? WaveFormat.Tag.extensible : tag, 2, order)
    chunk.append(format.channelCount, 2, order)
    chunk.append(format.sampleRate, 4, order)
    chunk.append(format.sampleRate * bytesPerFrame, 4, order)
    chunk.append(bytesPerFrame, 2, order)
    chunk.append(layout.bytesPerSample * 8, 2, order)
    if isExtensible {
      chunk.append(22, 2, order)
      chunk.append(layout.bytesPerSample * 8, 2, order)
      chunk.append(channelMask, 4, order)
      chunk.append(tag, 2, order)
      chunk +=
        channelLayout == .ambisonic ? WaveFormat.ambisonicTail : WaveFormat.subFormatTail
    } else if tag != WaveFormat.Tag.pcm {
      chunk.append(0, 2, order)
    }
    return chunk
  }

  /// The speakers of the channels; 0 = not stated.
  private var channelMask: UInt32 {
    switch channelLayout {
    case .speakers(let mask): mask
    case .discrete, .ambisonic: 0
    case nil: usualChannelMask
    }
  }

  private var usualChannelMask: UInt32 {
    Metadata.ChannelLayout.usualSpeakers(format.channelCount) ?? 0
  }
}
