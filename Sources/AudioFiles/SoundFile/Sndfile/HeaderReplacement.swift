// SPDX-License-Identifier: Apache-2.0
/// Bytes of a header that libsndfile sees in place of those in the file.
struct HeaderReplacement {
  /// Counted from the start of what libsndfile sees.
  let offset: Int64
  let bytes: [UInt8]

  /// Puts them into `target`, which holds what was read at `start`, as far as they belong there.
  func apply(to target: UnsafeMutableRawBufferPointer, at start: Int64) {
    let range = start..<start + Int64(target.count)
    for (index, byte) in bytes.enumerated() {
      let place = offset + Int64(index)
      if range.contains(place) { unsafe target[Int(place - start)] = byte }
    }
  }
}
