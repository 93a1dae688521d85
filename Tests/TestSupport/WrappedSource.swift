// SPDX-License-Identifier: Apache-2.0
import Testing

/// Another source, of which a test changes what it says of itself, or does something before each read.
package final class WrappedSource: WrappingSource {
  package let source: any AudioSource
  private let carried: Metadata?
  private let change: (inout SourceDescription) -> Void
  private let turn: () throws -> Void

  /// - Parameters:
  ///   - carried: what it carries; nil = what `base` does.
  ///   - change: of what `base` says.
  ///   - turn: before each read; what it throws is a failure of the test.
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
