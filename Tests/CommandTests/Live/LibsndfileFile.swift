import CSndfile

/// A sound file of one channel as libsndfile itself reads it.
struct LibsndfileFile {
  /// What the header claims, in samples; nil where it leaves that open.
  var claimed: Int64?
  var samples: [Int32] = []

  /// - Returns: nil where libsndfile refuses the file.
  init?(_ path: String) {
    var information = SF_INFO()
    guard let file = unsafe sf_open(path, Int32(SFM_READ), &information) else { return nil }
    defer { unsafe _ = sf_close(file) }
    // An unknown length is the largest number to libsndfile.
    claimed = information.frames < Int64(Int32.max) ? information.frames : nil
    var block = [Int32](repeating: 0, count: 65_536)
    while true {
      let count = unsafe sf_read_int(file, &block, Int64(block.count))
      if count <= 0 { break }
      samples += block.prefix(Int(count))
    }
  }
}
