// SPDX-License-Identifier: Apache-2.0
/// The end of the last chapter, which is the end of the sound and known only then. ffmpeg takes chapters beforehand.
enum ChapterEnd {
  /// The end that ffmpeg is told, in seconds. In Matroska's nanoseconds it takes all eight bytes of a number.
  ///
  /// - Parameter start: of the chapter.
  static func placeholder(
    behind start: Int64, in container: EncodedContainer, at sampleRate: Int
  ) -> Int64 {
    container.muxer == "matroska" ? placeholderSeconds * Int64(sampleRate) : start + 1
  }

  /// 2^56 nanoseconds, rounded up.
  private static let placeholderSeconds: Int64 = 72_057_595

  /// States the end in a complete file.
  ///
  /// - Parameters:
  ///   - samplesPerChannel: the length of the sound, at `sampleRate` in hertz.
  /// - Throws: `inputOutput`.
  static func state(
    _ samplesPerChannel: Int64, at sampleRate: Int, in file: FileDescriptor,
    _ container: EncodedContainer
  ) throws(AudioError) {
    let window = try FileWindow(of: file, 0..<file.size())
    switch container.muxer {
    case "matroska": try replacePlaceholder(samplesPerChannel, at: sampleRate, in: window, file)
    case "ipod": try lengthenTrack(samplesPerChannel, at: sampleRate, in: window, file)
    default: break
    }
  }

  /// Matroska: the element ChapterTimeEnd, 0x92, of eight bytes in front of all samples. Source: RFC 9559, section 5.1.7.
  private static func replacePlaceholder(
    _ samplesPerChannel: Int64, at sampleRate: Int, in window: FileWindow, _ file: FileDescriptor
  ) throws(AudioError) {
    var pattern: [UInt8] = [0x92, 0x88]
    pattern.append(placeholderSeconds * 1_000_000_000, 8, .big)
    let head = try window.bytes(1 << 22, at: 0)
    guard let first = pattern.first,
      let place = head.indices.first(where: {
        head[$0] == first && head[$0...].starts(with: pattern)
      })
    else { return }
    let nanoseconds = Int128(samplesPerChannel) * 1_000_000_000 / Int128(sampleRate)
    var bytes: [UInt8] = []
    bytes.append(nanoseconds, 8, .big)
    try file.write(bytes, at: Int64(place + 2))
  }

  /// MPEG-4: the last sample of the track of text. Source: ISO/IEC 14496-12, 8.3.2, 8.4.2, 8.6.1.2 and 8.6.6.
  private static func lengthenTrack(
    _ samplesPerChannel: Int64, at sampleRate: Int, in window: FileWindow, _ file: FileDescriptor
  ) throws(AudioError) {
    guard let movie = try MovieBoxes.first("moov", in: window, window.range),
      let movieHeader = try MovieBoxes.first("mvhd", in: window, movie),
      let movieScale = try timescale(of: movieHeader, in: window)
    else { return }
    for track in try MovieBoxes.all(in: window, movie) where track.name.has("trak", at: 0) {
      guard let media = try MovieBoxes.first("mdia", in: window, track.content),
        let handler = try MovieBoxes.first("hdlr", in: window, media),
        try window.bytes(12, at: handler.lowerBound).has("text", at: 8),
        let header = try MovieBoxes.first("mdhd", in: window, media),
        let scale = try timescale(of: header, in: window),
        let times = try MovieBoxes.first(["minf", "stbl", "stts"], in: window, media)
      else { continue }
      let bytes = try window.bytes(times.count, at: times.lowerBound)
      guard bytes.count >= 16 else { continue }
      // Entries of a count and a duration.
      let starts = stride(from: 8, to: bytes.count - 8, by: 8).reduce(Int64(0)) {
        $0 + Int64(bytes.integer(at: $1, 4, .big)) * Int64(bytes.integer(at: $1 + 4, 4, .big))
      }
      let last = bytes.count - 8
      let end = scaled(samplesPerChannel, from: sampleRate, to: scale)
      guard bytes.integer(at: last, 4, .big) == 1, let length = UInt32(exactly: end - starts),
        length >= 0
      else { continue }
      try write(UInt64(length), 4, at: times.lowerBound + Int64(last + 4), in: file)
      // A version of 1 has times of eight bytes.
      try write(UInt64(end), ofField: 16, 24, in: header, window, file)
      let movieEnd = UInt64(scaled(samplesPerChannel, from: sampleRate, to: movieScale))
      if let place = try MovieBoxes.first("tkhd", in: window, track.content) {
        try write(movieEnd, ofField: 20, 28, in: place, window, file)
      }
      if let place = try MovieBoxes.first(["edts", "elst"], in: window, track.content) {
        try write(movieEnd, ofField: 8, 8, in: place, window, file)
      }
    }
  }

  private static func scaled(_ count: Int64, from rate: Int, to scale: Int) -> Int64 {
    Int64(Int128(count) * Int128(scale) / Int128(rate))
  }

  /// Units per second, behind two times.
  private static func timescale(
    of header: Range<Int64>, in window: FileWindow
  ) throws(AudioError) -> Int? {
    let bytes = try window.bytes(24, at: header.lowerBound)
    guard bytes.count == 24 else { return nil }
    let scale = Int(bytes.integer(at: bytes[0] == 1 ? 20 : 12, 4, .big))
    return scale > 0 ? scale : nil
  }

  /// Writes a time at its place in a box, by the box's version.
  private static func write(
    _ time: UInt64, ofField short: Int64, _ long: Int64, in box: Range<Int64>, _ window: FileWindow,
    _ file: FileDescriptor
  ) throws(AudioError) {
    let isLong = try window.bytes(1, at: box.lowerBound) == [1]
    try write(time, isLong ? 8 : 4, at: box.lowerBound + (isLong ? long : short), in: file)
  }

  private static func write(
    _ value: UInt64, _ size: Int, at offset: Int64, in file: FileDescriptor
  ) throws(AudioError) {
    var bytes: [UInt8] = []
    bytes.append(value, size, .big)
    try file.write(bytes, at: offset)
  }
}
