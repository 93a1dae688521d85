// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore
internal import Glibc

/// Sources given as arguments, of which some are folders.
struct FolderSources: Sendable, Hashable {
  var paths: [String]
  /// The container of all files in folders. Nil = any.
  var container: Container?
  /// The folder of the outputs, which is no source even if it lies below one. Nil = none.
  var outputs: String?

  /// The arguments, a folder with a slash at its end: its files lie in it.
  var places: [String] {
    paths.map { isFolder($0) && !$0.hasSuffix("/") ? $0 + "/" : $0 }
  }

  /// All files, at once.
  ///
  /// - Throws: the first failure.
  func files() throws(AudioError) -> [String] {
    var files: [String] = []
    for file in FolderWalk(self) { files.append(try file.get()) }
    return files
  }

  /// Tells the number of files in each folder.
  func tell(on console: Console) {
    guard console.verbosity == .verbose else { return }
    for path in paths where isFolder(path) {
      var one = self
      one.paths = [path]
      let count = FolderWalk(one).count { (try? $0.get()) != nil }
      console.detail("'\(path)' holds \(count.counted("sound file"))")
    }
  }
}

/// The files of ``FolderSources``, or the failures instead, one after another: those of a folder and of the folders below, in the order of the
/// bytes of their names.
///
/// The end of a name tells a sound file. Hidden files are left out, and so are the incomplete outputs of this program. A
/// link to a folder is not followed, because it may lead back. Only the names in the folders on the way are held.
struct FolderWalk: Sequence, IteratorProtocol {
  private let sources: FolderSources
  private var arguments: ArraySlice<String>
  /// The folders on the way, each with the names to come, the next one last.
  private var folders: [(path: Pathname, names: [[UInt8]])] = []
  /// Whether the folder among the arguments holds no file so far.
  private var isEmpty = true
  /// The next file or failure. Nil at the end.
  private(set) var upcoming: Result<String, AudioError>?

  init(_ sources: FolderSources) {
    self.sources = sources
    arguments = sources.paths[...]
    upcoming = find()
  }

  /// Returns ``upcoming``, and goes on.
  mutating func next() -> Result<String, AudioError>? {
    defer { if upcoming != nil { upcoming = find() } }
    return upcoming
  }

  private mutating func find() -> Result<String, AudioError>? {
    while true {
      guard let last = folders.indices.last else {
        guard let path = arguments.popFirst() else { return nil }
        guard isFolder(path) else { return .success(path) }
        isEmpty = true
        if let failure = enter(path.hasSuffix("/") ? path : path + "/") { return .failure(failure) }
        continue
      }
      guard let name = folders[last].names.popLast() else {
        let folder = folders.removeLast().path
        if folders.isEmpty, isEmpty { return .failure(Self.empty(folder.text)) }
        continue
      }
      let path = folders[last].path.appending(name)
      var status = stat()
      guard unsafe lstat(path.cString, &status) == 0 else { continue }
      if status.st_mode & S_IFMT == S_IFDIR {
        guard FileIdentity(status) != sources.outputs.flatMap(Self.folder) else { continue }
        if let failure = enter(path.text + "/") { return .failure(failure) }
        continue
      }
      // A link to nothing is told when it is opened.
      let isLink = status.st_mode & S_IFMT == S_IFLNK
      let isLost = unsafe isLink && stat(path.cString, &status) != 0
      guard isSound(name), isLost || status.st_mode & S_IFMT == S_IFREG else { continue }
      isEmpty = false
      return .success(path.text)
    }
  }

  /// - Parameter path: with a slash at its end.
  private mutating func enter(_ path: String) -> AudioError? {
    do throws(AudioError) {
      // The folder that an argument names may be a link.
      let linkFlag = folders.isEmpty ? 0 : O_NOFOLLOW
      let name = folders.isEmpty ? path : String(path.dropLast())
      let descriptor = try openFile(
        name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | linkFlag, action: "read")
      guard let stream = unsafe fdopendir(descriptor) else {
        close(descriptor)
        throw AudioError(systemCode: errno, cannot: "read", path)
      }
      let names = unsafe FolderEntries.names(closing: stream)
        .filter { $0.first != UInt8(ascii: ".") }.sorted { $1.lexicographicallyPrecedes($0) }
      folders.append((Pathname(path), names))
      return nil
    } catch {
      isEmpty = false
      return error
    }
  }

  private func isSound(_ name: [UInt8]) -> Bool {
    let name = Pathname(bytes: name).text
    guard let container = sources.container else { return Container.isSound(fileName: name) }
    return Container(fileName: name) == container
  }

  private static func folder(_ path: String) -> FileIdentity? {
    var status = stat()
    return unsafe stat(Pathname(path).cString, &status) == 0 ? FileIdentity(status) : nil
  }

  private static func empty(_ path: String) -> AudioError {
    AudioError(
      .notFound, cannot: "find sources in", path,
      because: "no name in the folder ends like that of a sound file",
      advice: "name the files themselves")
  }
}

/// Whether the path leads to a folder.
func isFolder(_ path: String) -> Bool {
  var status = stat()
  return unsafe stat(Pathname(path).cString, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
}
