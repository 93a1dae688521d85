// SPDX-License-Identifier: Apache-2.0
/// Where a sink writes to, and how the file comes to its name and onto the disk.
package struct FileDestination {
  package let location: FileLocation
  private let overwrites: Bool
  package let replacement: FileReplacement
  package let synchronization: FileSynchronization
  private let isDrawing: Bool

  /// - Parameters:
  ///   - path: the file; `-` is standard output.
  ///   - overwrites: whether an existing file may be replaced.
  ///   - replacement: when it is.
  ///   - synchronization: when what was written is forced onto the disk.
  ///   - isDrawing: whether it is no sound, and so never takes the place of an input.
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

  /// A descriptor that is already open; `name` is what errors call it.
  package init(descriptor: Int32, name: String) {
    location = .descriptor(descriptor, name: name)
    overwrites = false
    replacement = .inPlace
    synchronization = .never
    isDrawing = false
  }

  /// Throws where the file cannot be made, as far as that shows without making it.
  package func check() throws(AudioError) {
    if case .path(let path) = location { try OutputFile.check(path: path, overwrites: overwrites) }
  }

  package func open(_ wakeup: Wakeup) throws(AudioError) -> OutputFile {
    let file =
      switch location {
      case .path(let path):
        try OutputFile(
          path: path, overwrites: overwrites, replacement, isDrawing: isDrawing, wakeup: wakeup)
      case .descriptor(let number, let name): try OutputFile(number, name: name)
      }
    file.descriptor.wakeup = wakeup
    return file
  }

  /// A recording that somebody has removed, or its folder, would be lost with the end of the program.
  package func requireName(of file: OutputFile) throws(AudioError) {
    if case .path = location, replacement == .inPlace { try file.descriptor.requireName() }
  }

  /// Everything is in the file: it gets its name, where it has none yet.
  package func commit(_ file: OutputFile) throws(AudioError) {
    try requireName(of: file)
    try file.commit(synchronizing: synchronization != .never)
  }
}
