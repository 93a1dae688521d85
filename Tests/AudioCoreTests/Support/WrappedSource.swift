// SPDX-License-Identifier: Apache-2.0
import AudioStreams
import Testing

/// Another source, of which a test changes what it says of itself, or does something before each read.
final class WrappedSource: AudioSource {
  private let base: any AudioSource
  private let carried: Metadata?
  private let change: (inout SourceDescription) -> Void
  private let turn: () throws -> Void

  /// - Parameters:
  ///   - carried: what it carries; nil = what `base` does.
  ///   - change: of what `base` says.
  ///   - turn: before each read; what it throws is a failure of the test.
  init(
    _ base: any AudioSource, carrying carried: Metadata? = nil,
    changing change: @escaping (inout SourceDescription) -> Void = { _ in },
    beforeEachRead turn: @escaping () throws -> Void = {}
  ) {
    self.base = base
    self.carried = carried
    self.change = change
    self.turn = turn
  }

  func initialize(
    proposing proposal: StreamFormat?, wakeup: Wakeup
  ) throws(AudioError) -> SourceDescription {
    var description = try base.initialize(proposing: proposal, wakeup: wakeup)
    change(&description)
    return description
  }

  func metadata() throws(AudioError) -> Metadata? {
    if let carried { return carried }
    return try base.metadata()
  }

  func start() throws(AudioError) { try base.start() }

  func read<Sample: AudioSample>(
    into output: inout OutputSpan<Sample>
  ) throws(AudioError) -> SourceStatus {
    do { try turn() } catch { Issue.record(error) }
    return try base.read(into: &output)
  }

  func stop() { base.stop() }
  func dispose() { base.dispose() }
}
