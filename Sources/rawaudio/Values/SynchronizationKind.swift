internal import AudioCore

/// When a file is forced onto the disk, as a command line says it.
enum SynchronizationKind: String, Sendable, CaseIterable {
  case never
  case end
  case always

  var synchronization: FileSynchronization {
    switch self {
    case .never: .never
    case .end: .onCompletion
    case .always: .regularly
    }
  }
}
