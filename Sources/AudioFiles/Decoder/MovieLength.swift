// SPDX-License-Identifier: Apache-2.0
/// The length of the sound in an MPEG-4 or QuickTime file, as its edit list states it.
///
/// AAC has frames of 1024 samples, and an edit list states how many samples count. ffmpeg drops the delay in front by
/// it, but does not drop samples behind the end. Source: ISO/IEC 14496-12, 8.2.2, 8.4.2 and 8.6.6.
enum MovieLength {
  /// The end of a sound track, in samples per channel; nil if the file does not state it.
  ///
  /// - Parameters:
  ///   - track: the number of the sound track, from 1.
  ///   - sampleRate: of the track, in hertz.
  ///   - stated: ffprobe's length of the track, in samples per channel.
  static func ofTrack(
    _ track: Int, at sampleRate: Int, stated: Int64, in file: FileWindow
  ) throws(AudioError) -> Int64? {
    guard let movie = try MovieBoxes.first("moov", in: file, file.range),
      let movieScale = try times(of: "mvhd", in: file, movie)?.scale, movieScale > 0
    else { return nil }
    if movieScale.isMultiple(of: sampleRate) { return stated }
    var number = 0
    for box in try MovieBoxes.all(in: file, movie) where box.name.has("trak", at: 0) {
      guard let handler = try MovieBoxes.first(["mdia", "hdlr"], in: file, box.content),
        try file.bytes(12, at: handler.lowerBound).has("soun", at: 8)
      else { continue }
      number += 1
      guard number == track else { continue }
      guard let edit = try edit(in: file, box.content),
        let media = try MovieBoxes.first("mdia", in: file, box.content),
        let length = try times(of: "mdhd", in: file, media), length.scale == sampleRate
      else { return nil }
      // The edit list counts in a coarser unit, and some writers cut the rest off.
      let whole = length.duration - edit.start
      let longest =
        ((edit.duration + 1) * Int64(sampleRate) + Int64(movieScale) - 1) / Int64(movieScale)
      let shortest = (edit.duration - 1) * Int64(sampleRate) / Int64(movieScale)
      return whole < shortest ? nil : min(whole, longest)
    }
    return nil
  }

  /// The part of the media that an edit list states, in units of the media and of the movie; nil unless there is one.
  private static func edit(
    in file: FileWindow, _ track: Range<Int64>
  ) throws(AudioError) -> (start: Int64, duration: Int64)? {
    guard let list = try MovieBoxes.first(["edts", "elst"], in: file, track) else { return nil }
    let bytes = try file.bytes(Int(min(Int64(list.count), 1 << 10)), at: list.lowerBound)
    guard bytes.count >= 8 else { return nil }
    let size = bytes[0] == 1 ? 8 : 4
    var found: (start: Int64, duration: Int64)?
    for place in stride(from: 8, to: bytes.count - 2 * size - 3, by: 2 * size + 4) {
      let duration = Int64(clamping: bytes.integer(at: place, size, .big))
      let start = Int64(clamping: bytes.integer(at: place + size, size, .big))
      // Such a start is that of silence: -1.
      if start >= (size == 8 ? .max : 0xFFFF_FFFF) { continue }
      guard found == nil, (1..<1 << 40).contains(duration) else { return nil }
      found = (start, duration)
    }
    return found
  }

  /// The units per second and the duration of a header.
  private static func times(
    of name: String, in file: FileWindow, _ range: Range<Int64>
  ) throws(AudioError) -> (scale: Int, duration: Int64)? {
    guard let header = try MovieBoxes.first(name, in: file, range) else { return nil }
    let bytes = try file.bytes(32, at: header.lowerBound)
    guard bytes.count >= 24 else { return nil }
    // Version 1 has times of eight bytes.
    let isLong = bytes[0] == 1 && bytes.count == 32
    return (
      Int(bytes.integer(at: isLong ? 20 : 12, 4, .big)),
      Int64(clamping: bytes.integer(at: isLong ? 24 : 16, isLong ? 8 : 4, .big))
    )
  }
}
