// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

/// The files that a run reads, kept so that no output replaces a file which another item still needs.
///
/// Takes constant memory for a list of any length: a possible hit is looked up in the list again. Main thread only.
final class ListedSources {
  private let list: WorkList
  private var all = FileSet()
  private var ofSeveral = FileSet()
  /// The files that every item reads and no list names.
  private var ofAll: [FileIdentity: String] = [:]

  /// Reads all items of all shards.
  ///
  /// - Parameters:
  ///   - list: a list that can be read repeatedly.
  ///   - others: files that every item reads.
  ///   - control: any request stops it early.
  init(
    of list: WorkList, and others: [String], until control: SessionControl
  ) throws(AudioError) {
    self.list = list
    for path in others {
      if let file = FileIdentity(ofFileAt: path) { ofAll[file] = path }
    }
    try list.forEachFile { file in
      guard control.request == nil else { return false }
      if let identity = FileIdentity(ofFileAt: file.source), all.insert(identity) {
        _ = ofSeveral.insert(identity)
      }
      return true
    }
  }

  /// Checks that the output of `item` replaces no file that another item reads. It may replace its own source.
  func requireUnread(_ output: String, by item: ListedFile) throws(AudioError) {
    guard let identity = FileIdentity(ofFileAt: output) else { return }
    if let path = ofAll[identity] { throw Self.refusal(of: output, "every source needs '\(path)'") }
    let isOwn = FileIdentity(ofFileAt: item.source) == identity
    guard isOwn ? ofSeveral.mayContain(identity) : all.mayContain(identity) else { return }
    var reader: ListedFile?
    try list.forEachFile { file in
      guard file.number != item.number, FileIdentity(ofFileAt: file.source) == identity else {
        return true
      }
      reader = file
      return false
    }
    guard let reader else { return }
    throw Self.refusal(of: output, "it is the source of item \(reader.number), too")
  }

  private static func refusal(of output: String, _ reason: String) -> AudioError {
    AudioError(
      .invalidParameter, cannot: "replace", output, because: reason,
      advice: "write to other files")
  }
}

/// A set of files in constant memory. It contains each inserted file, and very few others by mistake.
///
/// A Bloom filter ("Space/time trade-offs in hash coding with allowable errors", Communications of the ACM 13, 1970) of
/// 8 MiB. With a million files in it, 2 of 10^11 other files are false positives.
struct FileSet: Sendable {
  private var words = [UInt64](repeating: 0, count: 1 << 20)
  /// The bits per file. The optimum is ln 2 times the filter's bits per file, which is 16 at 2.9 million files.
  private static let bitsOfEach: UInt64 = 16

  /// - Returns: whether it may have been in the set before.
  mutating func insert(_ file: FileIdentity) -> Bool {
    var wasThere = true
    for place in Self.places(of: file) {
      let bit: UInt64 = 1 << (place % 64)
      if words[place / 64] & bit == 0 {
        wasThere = false
        words[place / 64] |= bit
      }
    }
    return wasThere
  }

  func mayContain(_ file: FileIdentity) -> Bool {
    Self.places(of: file).allSatisfy { words[$0 / 64] & (1 << ($0 % 64)) != 0 }
  }

  /// The positions of its bits, from two hashes: Kirsch and Mitzenmacher, "Less hashing, same performance", 2006.
  private static func places(of file: FileIdentity) -> some Sequence<Int> {
    let first = mixed(file.number ^ mixed(file.device))
    let second = mixed(first) | 1
    return (0..<bitsOfEach).lazy.map { Int((first &+ $0 &* second) >> 38) }
  }

  /// The step of SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014).
  private static func mixed(_ value: UInt64) -> UInt64 {
    var mixed = value &+ 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
