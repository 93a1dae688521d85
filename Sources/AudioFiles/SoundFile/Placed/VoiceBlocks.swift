// SPDX-License-Identifier: Apache-2.0
/// The blocks of sound and of silence of a Creative Voice file.
///
/// libsndfile 1.2.0 reads from the first one to the end and takes the heads of all others for samples. Source: the
/// description of the format in sox 14.4.2's `voc.c`.
struct VoiceBlocks {
  /// The samples' places, from the start of the file, and the silence between them.
  private(set) var parts: [PartedSampleReader.Part] = []
  /// Whether sound of another rate, encoding or channel count follows, which one stream cannot hold.
  private(set) var endsWithin = false

  /// - Parameters:
  ///   - window: a window in which the file begins at `start`.
  ///   - bytesPerFrame: the bytes of one sample per channel.
  init(
    in window: FileWindow, from start: Int64, bytesPerFrame: Int
  ) throws(AudioError) {
    let head = try window.bytes(26, at: start)
    guard head.count == 26 else { return }
    var position = start + Int64(head.integer(at: 20, 2, .little))
    var description: [UInt8]?
    for _ in 0..<ChunkForm.mostChunks {
      let block = try window.bytes(16, at: position)
      guard block.count >= 4, block[0] > Kind.end else { return }
      let content = position + 4
      let end = content + Int64(block.integer(at: 1, 3, .little))
      position = end
      switch block[0] {
      case Kind.sound, Kind.describedSound:
        let size = block[0] == Kind.sound ? 2 : 12
        guard block.count >= 4 + size, content + Int64(size) <= end else { return }
        let found = Array(block[4..<4 + min(size, 10)])
        guard description == nil || description == found else {
          endsWithin = true
          return
        }
        description = found
        parts.append(.stored(content + Int64(size)..<end))
      case Kind.moreSound where description != nil: parts.append(.stored(content..<end))
      case Kind.silence where description != nil && block.count >= 6:
        parts.append(.silence((Int64(block.integer(at: 4, 2, .little)) + 1) * Int64(bytesPerFrame)))
      default: break
      }
    }
  }

  private enum Kind {
    static let end: UInt8 = 0
    static let sound: UInt8 = 1
    static let moreSound: UInt8 = 2
    static let silence: UInt8 = 3
    static let describedSound: UInt8 = 9
  }

  var byteCount: Int64 { parts.reduce(0) { $0 + $1.byteCount } }

  /// The parts that lie before `end`, the end of the file.
  func parts(before end: Int64) -> [PartedSampleReader.Part] {
    var present: [PartedSampleReader.Part] = []
    for part in parts {
      guard case .stored(let range) = part, range.upperBound > end else {
        present.append(part)
        continue
      }
      if range.lowerBound < end { present.append(.stored(range.lowerBound..<end)) }
      break
    }
    return present
  }
}
