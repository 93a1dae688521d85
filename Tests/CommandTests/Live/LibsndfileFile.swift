// SPDX-License-Identifier: Apache-2.0
import CSndfile

/// A sound file of one channel, read with libsndfile directly.
struct LibsndfileFile {
  /// The length in the header in samples; nil if it states none.
  var claimed: Int64?
  var samples: [Int32] = []

  /// - Returns: nil if libsndfile refuses the file.
  init?(_ path: String) {
    var information = SF_INFO()
    guard let file = unsafe sf_open(path, Int32(SFM_READ), &information) else { return nil }
    defer { unsafe _ = sf_close(file) }
    // libsndfile reports an unknown length as the largest number.
    claimed = information.frames < Int64(Int32.max) ? information.frames : nil
    var block = [Int32](repeating: 0, count: 65_536)
    while true {
      let count = unsafe sf_read_int(file, &block, Int64(block.count))
      if count <= 0 { break }
      samples += block.prefix(Int(count))
    }
  }
}
