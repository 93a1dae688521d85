// SPDX-License-Identifier: Apache-2.0
internal import CSndfile
import Glibc

/// libsndfile's view of a file: from the start of the sound file on, or only some parts of it in sequence. Reads in
/// large blocks, and keeps errors that libsndfile would drop.
///
/// Hides the bytes around the sound: with virtual i/o, libsndfile 1.2.0 skips an ID3 tag, but then ends the file early
/// by the tag's length.
///
/// Writes to pipes, too, and ignores libsndfile's later changes there. (libsndfile itself appends the new FLAC header
/// to the end of a pipe.)
@safe
final class SndfileStorage {
  /// libsndfile's small reads are served from blocks of this size.
  private static let blockSize = FileDescriptor.blockSize
  /// Headers are read in pieces of a few bytes. Only a header fabricated to keep a reader busy needs more pieces.
  private static let mostHeaderReads = 1 << 18

  let descriptor: FileDescriptor
  /// The start of the sound file within the file.
  let base: Int64
  private var view: SndfileView
  /// The visible parts of the file, and the start of each in libsndfile's view. If `partsLength` is nil, everything
  /// from `base` on is visible.
  private let parts: [(range: Range<Int64>, start: Int64)]
  private let partsLength: Int64?
  private var frames = FlacFrames()
  /// The rate in hertz of a watched FLAC stream; nil = frames are not watched.
  private var watchedSampleRate: Int?
  /// The reads left to libsndfile for the header.
  private var headerReads = SndfileStorage.mostHeaderReads
  private var position: Int64 = 0
  /// The bytes written to a pipe so far.
  private var streamed: Int64 = 0
  /// The first 256 bytes of the last write to the file's start.
  private(set) var head: [UInt8] = []
  private var block: [UInt8] = []
  private var blockStart: Int64 = 0
  /// The first failure. Later reads and writes are refused.
  private(set) var failure: AudioError?
  /// Whether even existing bytes could not be changed.
  private(set) var isHeaderBehind = false
  /// With a rewriter: the file's length as libsndfile wrote it.
  private var writtenLength: Int64 = 0

  init(_ descriptor: FileDescriptor, _ view: SndfileView) {
    self.descriptor = descriptor
    self.view = view
    base = descriptor.position
    var total: Int64 = 0
    parts = (view.parts ?? []).map { range in
      defer { total += Int64(range.count) }
      return (range, total)
    }
    partsLength = view.parts == nil ? nil : total
  }

  /// Ends the header's limit on the number of reads.
  func beginSamples() { headerReads = .max }

  /// libsndfile's view; `self` must outlive the handle that uses it.
  var callbacks: SF_VIRTUAL_IO {
    unsafe SF_VIRTUAL_IO(
      get_filelen: { unsafe SndfileStorage.of($0)?.toldLength() ?? -1 },
      seek: { unsafe SndfileStorage.of($2)?.seek($0, $1) ?? -1 },
      read: { bytes, count, me in
        unsafe SndfileStorage.of(me)?.read(
          UnsafeMutableRawBufferPointer(start: bytes, count: Int(count))) ?? 0
      },
      write: { bytes, count, me in
        unsafe SndfileStorage.of(me)?.write(
          UnsafeRawBufferPointer(start: bytes, count: Int(count))) ?? 0
      },
      tell: { unsafe SndfileStorage.of($0)?.position ?? -1 })
  }

  var userData: UnsafeMutableRawPointer {
    unsafe Unmanaged.passUnretained(self).toOpaque()
  }

  private static func of(_ userData: UnsafeMutableRawPointer?) -> SndfileStorage? {
    unsafe userData.map { unsafe Unmanaged<SndfileStorage>.fromOpaque($0).takeUnretainedValue() }
  }

  var isAtEnd: Bool { position >= trueLength }

  /// The current length, as libsndfile is told.
  var length: Int64 { view.pretendedLength ?? trueLength }

  private func toldLength() -> Int64 {
    defer { view.hidesLength = false }
    return view.hidesLength ? 0 : length
  }

  func watchFrames(sampleRate: Int) {
    watchedSampleRate = sampleRate
    frames.look(at: block, offset: blockStart, sampleRate: sampleRate)
  }

  var rateChange: (position: Int64, sampleRate: Int)? { frames.change }

  private var trueLength: Int64 {
    if let partsLength { return partsLength }
    if view.rewriter != nil { return writtenLength }
    guard descriptor.isRegular else { return streamed }
    guard let size = try? descriptor.size() else { return -1 }
    return max(0, size - base)
  }

  private func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
    let start: Int64 =
      switch whence {
      case SEEK_CUR: position
      case SEEK_END: length
      default: 0
      }
    let (target, overflows) = start.addingReportingOverflow(offset)
    guard !overflows, target >= 0, target <= 1 << 60 else { return -1 }
    position = target
    return position
  }

  private func read(_ bytes: UnsafeMutableRawBufferPointer) -> Int64 {
    var total = 0
    let start = position
    defer {
      if let replacement = view.replacement {
        unsafe replacement.apply(
          to: UnsafeMutableRawBufferPointer(rebasing: bytes[..<total]), at: start)
      }
    }
    do throws(AudioError) {
      headerReads -= 1
      if headerReads < 0 {
        throw .malformed(
          descriptor.name, because: "its header is in more than \(Self.mostHeaderReads) pieces")
      }
      while total < bytes.count, failure == nil {
        let target = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[total...])
        let count = try unsafe readSome(target)
        if count == 0 { break }
        total += count
        position += Int64(count)
      }
    } catch {
      failure = error
    }
    return Int64(total)
  }

  private func readSome(_ bytes: UnsafeMutableRawBufferPointer) throws(AudioError) -> Int {
    let place = place(of: position)
    guard !place.isEmpty else { return unsafe readPretendedTag(bytes) }
    let most = Int(min(Int64(bytes.count), Int64(place.count)))
    if most >= Self.blockSize {
      let target = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[..<most])
      return try unsafe descriptor.read(into: target, at: place.lowerBound)
    }
    let blockEnd = blockStart + Int64(block.count)
    if position < blockStart || position >= blockEnd {
      let size = Int(min(Int64(Self.blockSize), Int64(place.count)))
      block = try descriptor.bytes(size, at: place.lowerBound)
      blockStart = position
      if let watchedSampleRate {
        frames.look(at: block, offset: blockStart, sampleRate: watchedSampleRate)
      }
    }
    let from = Int(position - blockStart)
    let count = min(bytes.count, block.count - from)
    unsafe bytes.copyBytes(from: block[from..<from + count])
    return count
  }

  /// libmpg123 looks for a tag in the last 128 bytes before it trusts a length. Returns 128 zeros: no tag.
  private func readPretendedTag(_ bytes: UnsafeMutableRawBufferPointer) -> Int {
    guard let pretendedLength = view.pretendedLength, position == pretendedLength - 128 else {
      return 0
    }
    let count = min(bytes.count, 128)
    for index in 0..<count { unsafe bytes[index] = 0 }
    return count
  }

  /// The file's bytes from the one at `position` to the end of its part.
  private func place(of position: Int64) -> Range<Int64> {
    guard let partsLength else { return base + position..<Int64.max }
    guard position < partsLength else { return 0..<0 }
    // Finds the first part that begins behind `position`; the one before it holds the byte.
    var low = 0
    var high = parts.count
    while low < high {
      let middle = (low + high) / 2
      if parts[middle].start <= position { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return 0..<0 }
    let (range, start) = parts[low - 1]
    return range.lowerBound + (position - start)..<range.upperBound
  }

  /// Drops the bytes that a failed write left behind `size`.
  func truncate(to size: Int64) {
    guard descriptor.isPatchable, size < length else { return }
    // If this fails, the header still states the valid length.
    try? descriptor.cut(at: base + (view.rewriter?.place(of: size) ?? size))
    position = min(position, size)
    writtenLength = min(writtenLength, size)
  }

  private func write(_ bytes: UnsafeRawBufferPointer) -> Int64 {
    block = []
    if position == 0 { head = unsafe Array(bytes.prefix(256)) }
    if let rewriter = view.rewriter { return unsafe write(bytes, through: rewriter) }
    var total = 0
    if !descriptor.isRegular, position < streamed {
      position += Int64(bytes.count)
      return Int64(bytes.count)
    }
    // A full disk still takes changes to existing bytes, so the header can be corrected.
    let isCorrection = failure != nil && position + Int64(bytes.count) <= length
    while total < bytes.count, failure == nil || isCorrection {
      if let largestSize = view.largestSize, position + Int64(bytes.count - total) > largestSize {
        failure = AudioError(
          .inputOutput, cannot: "write to", descriptor.name,
          because: "this container ends at 4 GiB", advice: "use wav, w64, caf or au")
        break
      }
      let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[total...])
      let offset = descriptor.isRegular ? base + position : nil
      let count = unsafe descriptor.writeSome(rest, at: offset)
      if count <= 0 {
        failure = failure ?? descriptor.writeFailure(count)
        if position + Int64(bytes.count - total) <= length { isHeaderBehind = true }
        break
      }
      total += count
      position += Int64(count)
      streamed = position
    }
    return Int64(total)
  }

  private func write(
    _ bytes: UnsafeRawBufferPointer, through rewriter: any ByteRewriter
  ) -> Int64 {
    // A full disk still takes changes to existing bytes.
    let isCorrection = position + Int64(bytes.count) <= writtenLength
    guard failure == nil || isCorrection else { return 0 }
    do throws(AudioError) {
      let pieces = try unsafe rewriter.rewritten(Array(bytes), at: position)
      for piece in pieces { try put(piece) }
    } catch {
      failure = failure ?? error
      if isCorrection { isHeaderBehind = true } else { dropTornPiece(behind: rewriter) }
      return 0
    }
    position += Int64(bytes.count)
    writtenLength = max(writtenLength, position)
    return Int64(bytes.count)
  }

  /// Drops what a full disk took of a piece, such as a frame of FLAC: decoders call a file with it broken.
  private func dropTornPiece(behind rewriter: any ByteRewriter) {
    let end = base + rewriter.place(of: position)
    guard descriptor.isPatchable, let size = try? descriptor.size(), end < size else { return }
    // If this fails, the header still states the valid length.
    try? descriptor.cut(at: end)
  }

  /// Writes the bytes held back by the rewriter, after libsndfile's last write.
  func writeRest() throws(AudioError) {
    guard let rewriter = view.rewriter, failure == nil else { return }
    for piece in try rewriter.rest() { try put(piece) }
  }

  private func put(_ piece: PlacedBytes) throws(AudioError) {
    if descriptor.isRegular {
      try descriptor.write(piece.bytes, at: base + piece.offset)
    } else if piece.offset == streamed {
      _ = try descriptor.write(piece.bytes)
      streamed += Int64(piece.bytes.count)
    }
  }
}

/// The view of a file that libsndfile gets.
struct SndfileView {
  /// The visible parts of a regular file; nil = from the descriptor's position to the end.
  var parts: [Range<Int64>]?
  /// The length that libsndfile is told; nil = the true one. Reads beyond the true one end early.
  var pretendedLength: Int64?
  /// Whether libsndfile is told 0 when it next asks for the length. libsndfile 1.2.0 otherwise reads a file named `._`
  /// as the resource fork of a file of unknown kind.
  var hidesLength = false
  /// The largest length that the container's header can state.
  var largestSize: Int64?
  /// Changes the bytes on their way into the file; nil = unchanged.
  var rewriter: (any ByteRewriter)?
  /// Bytes that replace some of a regular file's.
  var replacement: PlacedBytes?
}

extension PlacedBytes {
  /// Replaces the bytes that fall within `target`, which was read at `start`.
  fileprivate func apply(to target: UnsafeMutableRawBufferPointer, at start: Int64) {
    let from = max(start, offset)
    let end = min(start + Int64(target.count), offset + Int64(bytes.count))
    guard from < end else { return }
    for place in from..<end { unsafe target[Int(place - start)] = bytes[Int(place - offset)] }
  }
}
