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
      guard control.request == .none else { return false }
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
