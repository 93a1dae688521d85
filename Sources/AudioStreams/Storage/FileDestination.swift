// SPDX-License-Identifier: Apache-2.0
/// The destination of a sink, and how the file gets its name and reaches the disk.
package struct FileDestination {
  package let location: FileLocation
  private var overwrites = false
  package private(set) var replacement = FileReplacement.inPlace
  package private(set) var synchronization = FileSynchronization.never
  private var isDrawing = false
  /// Whether a pattern, a list or a table makes the name, and the user has not typed it. Then it is that of a regular
  /// file, or of none yet: others may have put a link, a pipe or a device there. May be changed until ``open(_:)``.
  package var isNameGenerated = false
  /// How long a session that is asked to finish waits for a reader that takes nothing. May be changed until ``open(_:)``.
  package var stallLimit = StalledReader.limit

  /// - Parameters:
  ///   - path: the file; `-` is standard output.
  ///   - overwrites: whether an existing file may be replaced.
  ///   - replacement: when it is replaced.
  ///   - synchronization: when written bytes are forced onto the disk.
  ///   - isDrawing: whether it holds no sound, and so must not replace an input.
  package init(
    path: String, overwrites: Bool, replacement: FileReplacement = .onCompletion,
    synchronization: FileSynchronization = .never, isDrawing: Bool = false
  ) {
    location = path == "-" ? .descriptor(1, name: "standard output") : .path(path)
    self.overwrites = overwrites
    self.replacement = replacement
    self.synchronization = synchronization
    self.isDrawing = isDrawing
  }

  /// Writes to a descriptor that is already open; `name` is its name in errors.
  package init(descriptor: Int32, name: String) {
    location = .descriptor(descriptor, name: name)
  }

  /// Throws if checks show, without making the file, that it cannot be made.
  package func check() throws(AudioError) {
    if case .path(let path) = location {
      try OutputFile.check(path: path, overwrites: overwrites, isNameGenerated: isNameGenerated)
    }
  }

  package func open(_ wakeup: Wakeup) throws(AudioError) -> OutputFile {
    let file =
      switch location {
      case .path(let path):
        try OutputFile(
          path: path, overwrites: overwrites, replacement, isDrawing: isDrawing,
          isNameGenerated: isNameGenerated, wakeup: wakeup)
      case .descriptor(let number, let name): try OutputFile(number, name: name)
      }
    file.descriptor.wakeup = wakeup
    file.descriptor.stallLimit = stallLimit
    return file
  }

  /// Throws if a recording, or its folder, was removed: the program's end would lose it.
  package func requireName(of file: OutputFile) throws(AudioError) {
    if case .path = location, replacement == .inPlace { try file.descriptor.requireName() }
  }

  /// Completes the file, and gives it its name if it has none yet.
  package func commit(_ file: OutputFile) throws(AudioError) {
    try requireName(of: file)
    try file.commit(synchronizing: synchronization != .never)
  }
}
