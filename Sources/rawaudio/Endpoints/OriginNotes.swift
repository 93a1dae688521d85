// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore
internal import Synchronization

/// The fields of GUANO that the files of a recording state besides their times. The file that some of them come from is
/// read anew for each part.
final class OriginNotes: Sendable {
  private struct State {
    var isTold = false
    var onFailure: (@Sendable (AudioError) -> Void)?
  }

  private let request: OriginRequest
  private let state = Mutex(State())
  /// The largest file with fields, in bytes.
  private static let largest = 1 << 15
  /// The fields that a recorder itself knows.
  private static let own: Set = ["GUANO|Version", "Timestamp", "Length", "Samplerate"]

  init(_ request: OriginRequest) { self.request = request }

  /// Called on the thread that writes, with the first failure only. A recording never ends by one.
  var onFailure: (@Sendable (AudioError) -> Void)? {
    get { state.withLock { $0.onFailure } }
    set { state.withLock { $0.onFailure = newValue } }
  }

  /// Adds the fields to a part's metadata.
  func add(to metadata: inout Metadata) {
    let fields = fields()
    metadata.changeGuano { guano in
      if let location = request.location { guano["Loc Position"] = location.guanoPosition }
      for (field, value) in fields where !Self.own.contains(field) { guano[field] = value }
    }
  }

  private func fields() -> [(field: String, value: String)] {
    guard let path = request.notesPath else { return [] }
    do throws(AudioError) {
      return try Self.fields(in: path)
    } catch {
      let tell = state.withLock { state in
        defer { state.isTold = true }
        return state.isTold ? nil : state.onFailure
      }
      tell?(error)
      return []
    }
  }

  private static func fields(in path: String) throws(AudioError) -> [(String, String)] {
    func failure(_ reason: String, _ advice: String) -> AudioError {
      AudioError(
        .malformed, cannot: "read the fields of", path, because: reason, advice: advice)
    }
    // A pipe could keep a recording waiting.
    guard isRegularFile(path) != false else {
      throw failure("it is no regular file", "give a file")
    }
    let bytes = try FileDescriptor(reading: path, wakeup: nil).nextBytes(largest + 1)
    guard bytes.count <= largest, let text = String(validUTF8: bytes) else {
      throw failure(
        bytes.count > largest ? "it is larger than \(largest >> 10) KiB" : "it is no UTF-8",
        "write a few lines such as 'Make: Dodotronic'")
    }
    var fields: [(String, String)] = []
    for line in text.split(whereSeparator: \.isNewline) where !line.allSatisfy(\.isWhitespace) {
      guard let colon = line.firstIndex(of: ":"), colon > line.startIndex, !line.utf8.contains(0)
      else {
        throw failure("'\(line)' is no field", "write lines such as 'Make: Dodotronic'")
      }
      fields.append((line[..<colon].trimmed, line[line.index(after: colon)...].trimmed))
    }
    return fields
  }
}
