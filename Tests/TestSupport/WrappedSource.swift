// SPDX-License-Identifier: Apache-2.0
import Testing

/// A source that wraps another one, changes its description, or acts before each read.
package final class WrappedSource: WrappingSource {
  package let source: any AudioSource
  private let carried: Metadata?
  private let change: (inout SourceDescription) -> Void
  private let turn: () throws -> Void

  /// - Parameters:
  ///   - carried: its metadata; nil = the metadata of `base`.
  ///   - change: changes the description of `base`.
  ///   - turn: runs before each read; its error fails the test.
  package init(
    _ base: any AudioSource, carrying carried: Metadata? = nil,
    changing change: @escaping (inout SourceDescription) -> Void = { _ in },
    beforeEachRead turn: @escaping () throws -> Void = {}
  ) {
    source = base
    self.carried = carried
    self.change = change
    self.turn = turn
  }

  package func initialize(
    proposing proposal: StreamFormat?, wakeup: Wakeup
  ) throws(AudioError) -> SourceDescription {
    var description = try source.initialize(proposing: proposal, wakeup: wakeup)
    change(&description)
    return description
  }

  package func metadata() throws(AudioError) -> Metadata? {
    if let carried { return carried }
    return try source.metadata()
  }

  package func read<Sample: AudioSample>(
    into output: inout OutputSpan<Sample>
  ) throws(AudioError) -> SourceStatus {
    do { try turn() } catch { Issue.record(error) }
    return try source.read(into: &output)
  }
}
