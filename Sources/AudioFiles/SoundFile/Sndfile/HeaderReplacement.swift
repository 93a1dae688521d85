// SPDX-License-Identifier: Apache-2.0
/// Bytes that replace a part of the header in libsndfile's view.
struct HeaderReplacement {
  /// The offset from the start of libsndfile's view.
  let offset: Int64
  let bytes: [UInt8]

  /// Replaces the bytes that fall within `target`, which was read at `start`.
  func apply(to target: UnsafeMutableRawBufferPointer, at start: Int64) {
    let range = start..<start + Int64(target.count)
    for (index, byte) in bytes.enumerated() {
      let place = offset + Int64(index)
      if range.contains(place) { unsafe target[Int(place - start)] = byte }
    }
  }
}
