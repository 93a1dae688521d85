// SPDX-License-Identifier: Apache-2.0
internal import CSndfile
import Glibc

/// A file as libsndfile sees it: from where the sound file begins in it, or no more than some parts of it, one
/// behind the other. Reads in large blocks, and keeps the errors that libsndfile would forget.
///
/// What is around the sound must not be seen at all: with virtual i/o libsndfile 1.2.0 passes over an ID3 tag,
/// but then takes the file to end as many bytes early as the tag has.
///
/// A pipe can be written too; what libsndfile wants to change afterwards stays as it is. (libsndfile itself
/// appends the new FLAC header to the end of a pipe.)
@safe
final class SndfileStorage {
  /// libsndfile reads in small steps; it gets them from blocks of this size.
  private static let blockSize = FileDescriptor.blockSize
  /// Headers are read in pieces of some bytes; one of more pieces is made up, to keep a reader busy.
  private static let mostHeaderReads = 1 << 18

  let descriptor: FileDescriptor
  /// Where in the file the sound file begins.
  let base: Int64
  /// Beyond this the container's header could not say how long the file is.
  private let largestSize: Int64?
  /// What may be read, where that is not everything from `base` on, and where each part begins in what
  /// libsndfile sees.
  private let parts: [(range: Range<Int64>, start: Int64)]
  private let partsLength: Int64?
  /// What libsndfile takes the length to be; nil = the true one. Where that is more, reads end early.
  private let pretendedLength: Int64?
  /// Bytes that libsndfile sees in place of those in the file, counted from the start of what it sees.
  private let replacement: HeaderReplacement?
  /// Whether the next question for the length is answered with 0.
  private var hidesLength: Bool
  /// What is looked at of a FLAC stream as it goes by.
  private var frames = FlacFrames()
  /// That of the stream, in hertz, where its frames are looked at.
  private var watchedSampleRate: Int?
  /// How many reads are left to it before it has read the header.
  private var headerReads = SndfileStorage.mostHeaderReads
  private var position: Int64 = 0
  /// How much of a pipe has been written.
  private var streamed: Int64 = 0
  /// What was last written to the file's start, as far as a header goes.
  private(set) var head: [UInt8] = []
  private var block: [UInt8] = []
  private var blockStart: Int64 = 0
  /// The first failure; everything after it is refused.
  private(set) var failure: AudioError?
  /// Whether even what was there could not be changed any more.
  private(set) var isHeaderBehind = false
  /// What becomes of the bytes on their way into the file; nil = nothing.
  private let rewriter: (any ByteRewriter)?
  /// With a rewriter: how long the file is as libsndfile wrote it.
  private var writtenLength: Int64 = 0

  /// - Parameters:
  ///   - parts: what may be read; nil = from where the descriptor stands to the end.
  ///   - length: what libsndfile is to take the length to be; nil = the true one.
  ///   - hidesLength: whether it is not to look beside the file: of one without a mark of its kind that has a length,
  ///     libsndfile 1.2.0 takes a file called `._` for the resource fork.
  ///   - replacement: what it is to see in place of some bytes.
  init(
    _ descriptor: FileDescriptor, parts: [Range<Int64>]? = nil, pretending length: Int64? = nil,
    hidesLength: Bool = false, largestSize: Int64? = nil, rewriter: (any ByteRewriter)? = nil,
    replacing replacement: HeaderReplacement? = nil
  ) {
    self.replacement = replacement
    self.hidesLength = hidesLength
    self.descriptor = descriptor
    self.rewriter = rewriter
    self.largestSize = largestSize
    base = descriptor.position
    pretendedLength = length
    var total: Int64 = 0
    self.parts = (parts ?? []).map { range in
      defer { total += Int64(range.count) }
      return (range, total)
    }
    partsLength = parts == nil ? nil : total
  }

  /// Ends the time of the header; from now on there may be any number of reads.
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

  /// Whether everything has been read.
  var isAtEnd: Bool { position >= trueLength }

  /// Its size so far, as libsndfile is told.
  var length: Int64 { pretendedLength ?? trueLength }

  private func toldLength() -> Int64 {
    defer { hidesLength = false }
    return hidesLength ? 0 : length
  }

  /// Looks at the frames of a FLAC stream from now on.
  func watchFrames(sampleRate: Int) {
    watchedSampleRate = sampleRate
    frames.look(at: block, offset: blockStart, sampleRate: sampleRate)
  }

  /// Where the rate of a FLAC stream changes, as far as it was read.
  var rateChange: (position: Int64, sampleRate: Int)? { frames.change }

  private var trueLength: Int64 {
    if let partsLength { return partsLength }
    if rewriter != nil { return writtenLength }
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
      if let replacement {
        unsafe replacement.apply(
          to: UnsafeMutableRawBufferPointer(rebasing: bytes[..<total]), at: start)
      }
    }
    do throws(AudioError) {
      headerReads -= 1
      if headerReads < 0 {
        throw AudioError(
          .malformed, cannot: "read", descriptor.name,
          because: "its header is in more than \(Self.mostHeaderReads) pieces")
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

  /// libmpg123 looks for a tag in the last 128 bytes before it takes a length for known; there is none.
  private func readPretendedTag(_ bytes: UnsafeMutableRawBufferPointer) -> Int {
    guard let pretendedLength, position == pretendedLength - 128 else { return 0 }
    let count = min(bytes.count, 128)
    for index in 0..<count { unsafe bytes[index] = 0 }
    return count
  }

  /// Where in the file the byte at `position` is, with all that follows it there.
  private func place(of position: Int64) -> Range<Int64> {
    guard let partsLength else { return base + position..<Int64.max }
    guard position < partsLength else { return 0..<0 }
    // The first part that begins behind it comes after its own.
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

  /// Drops what a failed write left behind `size`.
  func truncate(to size: Int64) {
    guard descriptor.isPatchable, size < length else { return }
    // Where this fails, the header still says what is to be read.
    try? descriptor.cut(at: base + (rewriter?.place(of: size) ?? size))
    position = min(position, size)
    writtenLength = min(writtenLength, size)
  }

  private func write(_ bytes: UnsafeRawBufferPointer) -> Int64 {
    block = []
    if position == 0 { head = unsafe Array(bytes.prefix(256)) }
    if let rewriter { return unsafe write(bytes, through: rewriter) }
    var total = 0
    if !descriptor.isRegular, position < streamed {
      position += Int64(bytes.count)
      return Int64(bytes.count)
    }
    // A full disk has room for what is there already: the header can still be made true.
    let isCorrection = failure != nil && position + Int64(bytes.count) <= length
    while total < bytes.count, failure == nil || isCorrection {
      if let largestSize, position + Int64(bytes.count - total) > largestSize {
        failure = AudioError(
          .inputOutput, cannot: "write to", descriptor.name,
          because: "this container ends at 4 GiB", advice: "use wav, w64, caf or au")
        break
      }
      let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[total...])
      let offset = descriptor.isRegular ? base + position : nil
      let count = unsafe descriptor.writeSome(rest, at: offset)
      if count <= 0 {
        let code = count == 0 ? ENOSPC : errno
        failure = failure ?? AudioError(systemCode: code, cannot: "write to", descriptor.name)
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
    // A full disk has room for what is there already.
    let isCorrection = position + Int64(bytes.count) <= writtenLength
    guard failure == nil || isCorrection else { return 0 }
    do throws(AudioError) {
      let pieces = try unsafe rewriter.rewritten(Array(bytes), at: position)
      for piece in pieces { try put(piece) }
    } catch {
      failure = failure ?? error
      if isCorrection { isHeaderBehind = true }
      return 0
    }
    position += Int64(bytes.count)
    writtenLength = max(writtenLength, position)
    return Int64(bytes.count)
  }

  /// Writes what the rewriter held back, after libsndfile has written everything.
  func writeRest() throws(AudioError) {
    guard let rewriter, failure == nil else { return }
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
