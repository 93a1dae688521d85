// SPDX-License-Identifier: Apache-2.0
/// The format of stored peaks for players: BBC audiowaveform, version 2.
///
/// Source: https://github.com/bbc/audiowaveform/blob/master/doc/DataFormat.md.
public struct PeakFormat: Sendable, Hashable {
  @nonexhaustive
  public enum Container: String, Sendable, Hashable, CaseIterable {
    /// Binary.
    case dat
    case json
  }

  /// The number of bits of an extreme.
  @nonexhaustive
  public enum Resolution: Int, Sendable, Hashable, CaseIterable {
    case eight = 8
    case sixteen = 16
  }

  /// The possible numbers of samples per channel in a pair of extremes.
  public static let lengths = 2...(1 << 24)

  public var container: Container
  public var resolution: Resolution
  /// The number of samples per channel in a pair of extremes, in ``lengths``.
  public var samplesPerPixel: Int
  /// The number of pairs in a second, which then decides ``samplesPerPixel``: the rate divided by it, rounded down, as in
  /// audiowaveform.
  public var pixelsPerSecond: Double?
  /// Whether every channel has its own extremes, rather than those of the mean of all channels.
  public var splitsChannels: Bool

  public init(
    _ container: Container, resolution: Resolution = .sixteen, samplesPerPixel: Int = 256,
    pixelsPerSecond: Double? = nil, splitsChannels: Bool = false
  ) {
    self.container = container
    self.resolution = resolution
    self.samplesPerPixel = samplesPerPixel
    self.pixelsPerSecond = pixelsPerSecond
    self.splitsChannels = splitsChannels
  }

  /// - Parameter sampleRate: in hertz.
  func settled(at sampleRate: Int) -> PeakFormat {
    var format = self
    if let pixelsPerSecond {
      let length = Double(sampleRate) / pixelsPerSecond
      format.samplesPerPixel = length < 0x1p62 ? Int(length) : .max
    }
    return format
  }
}

/// Produces the bytes of a file of peaks. Samples have 16 bits, as in audiowaveform.
struct PeakWriter {
  let format: PeakFormat
  private let stream: StreamFormat
  /// The extremes of each channel in the file.
  private var lowest: [Int32]
  private var highest: [Int32]
  /// Samples per channel since the last pair.
  private var count = 0
  /// The number of pairs per channel so far.
  private(set) var length: Int64 = 0
  /// The bytes to write next.
  private(set) var bytes: [UInt8] = []

  init(_ format: PeakFormat, _ stream: StreamFormat) {
    self.format = format
    self.stream = stream
    let channels = format.splitsChannels ? stream.channelCount : 1
    lowest = Array(repeating: .max, count: channels)
    highest = Array(repeating: .min, count: channels)
    switch format.container {
    case .dat: bytes = header
    case .json:
      bytes = Array(
        """
        {"version":2,"channels":\(channels),"sample_rate":\(stream.sampleRate),\
        "samples_per_pixel":\(format.samplesPerPixel),"bits":\(format.resolution.rawValue),"data":[
        """.utf8)
    }
  }

  /// The first bytes of a `dat` file with the present number of pairs.
  var header: [UInt8] {
    let flags = format.resolution == .eight ? 1 : 0
    let values = [
      2, flags, stream.sampleRate, format.samplesPerPixel, Int(clamping: length), lowest.count,
    ]
    return values.flatMap { value in
      (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
  }

  /// Takes interleaved samples. The caller writes ``bytes`` and then calls ``forgetBytes()``.
  mutating func append<Sample: AudioSample>(_ samples: Span<Sample>) {
    switch samples.known {
    case .single(let samples): take(samples)
    case .double(let samples): take(samples)
    }
  }

  private mutating func take<Sample: AudioSample>(_ samples: Span<Sample>) {
    let width = stream.channelCount
    let total = samples.count / width
    var taken = 0
    while taken < total {
      let part = min(total - taken, format.samplesPerPixel - count)
      if format.splitsChannels {
        for channel in 0..<width {
          let range = extremes(samples, from: taken * width + channel, part, by: width, mixing: 1)
          note(range, channel)
        }
      } else {
        note(extremes(samples, from: taken * width, part, by: width, mixing: width), 0)
      }
      taken += part
      count += part
      if count == format.samplesPerPixel { finishPair() }
    }
  }

  /// Completes the last pair after the last sample.
  mutating func finish() {
    if count > 0 { finishPair() }
    if format.container == .json { bytes += Array("],\"length\":\(length)}\n".utf8) }
  }

  mutating func forgetBytes() { bytes.removeAll(keepingCapacity: true) }

  private mutating func note(_ range: ClosedRange<Int32>, _ channel: Int) {
    lowest[channel] = min(lowest[channel], range.lowerBound)
    highest[channel] = max(highest[channel], range.upperBound)
  }

  private mutating func finishPair() {
    for channel in lowest.indices {
      for value in [lowest[channel], highest[channel]] { append(value) }
      (lowest[channel], highest[channel]) = (.max, .min)
    }
    count = 0
    length += 1
  }

  private mutating func append(_ value: Int32) {
    let shown = format.resolution == .eight ? value / 256 : value
    switch format.container {
    case .json:
      // No comma follows the opening bracket.
      if bytes.last.map({ $0 != UInt8(ascii: "[") }) ?? true { bytes.append(UInt8(ascii: ",")) }
      bytes += Array("\(shown)".utf8)
    case .dat:
      bytes.append(UInt8(truncatingIfNeeded: shown))
      if format.resolution == .sixteen { bytes.append(UInt8(truncatingIfNeeded: shown >> 8)) }
    }
  }
}

/// The extremes of `count` samples, each rounded to 16 bits; NaN is 0.
///
/// - Parameters:
///   - width: the distance from one sample to the next.
///   - channels: the number of neighbours to mix; their mean is rounded towards 0.
private func extremes<Sample: AudioSample>(
  _ samples: Span<Sample>, from start: Int, _ count: Int, by width: Int, mixing channels: Int
) -> ClosedRange<Int32> {
  var (lowest, highest) = (Int32.max, Int32.min)
  var index = start
  for _ in 0..<count {
    var sum: Int32 = 0
    for channel in 0..<channels {
      let sample = samples[index + channel] * 32_768
      let bounded = min(32_767, max(-32_768, sample.rounded(.toNearestOrEven)))
      sum += sample.isNaN ? 0 : Int32(bounded)
    }
    if channels > 1 { sum /= Int32(channels) }
    lowest = min(lowest, sum)
    highest = max(highest, sum)
    index += width
  }
  return lowest...max(lowest, highest)
}
