// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

/// Random graphs of sources, positions and observers against the reference model.
///
/// A failure names the seed and the smallest case that still fails.
@Suite struct ReferenceModelTests {
  /// Returns the difference between the run of a case and the model; nil if there is none.
  private static func fault(
    _ session: SessionCase, planted: ReferenceModel.Planted = .none
  ) -> String? {
    do {
      var model = ReferenceModel(session, planted: planted)
      return try session.run().difference(from: model.run())
    } catch {
      return "\(error)"
    }
  }

  @Test func everySessionGivesWhatTheModelSays() {
    for seed in seeds(50) {
      let session = SessionCase(seed: seed)
      guard Self.fault(session) != nil else { continue }
      let smallest = session.shrunk { Self.fault($0) != nil }
      Issue.record("seed \(seed): \(Self.fault(smallest) ?? "") in \(smallest)")
      return
    }
  }

  /// The cases reveal a fault, and shrinking keeps the parts that reveal it.
  @Test(arguments: [ReferenceModel.Planted.sumOneSampleLate, .lastFrameLost])
  func aPlantedFaultIsFound(_ planted: ReferenceModel.Planted) throws {
    let session = try #require(
      (1...20 as ClosedRange<UInt64>).lazy.map { SessionCase(seed: $0) }
        .first { Self.fault($0, planted: planted) != nil })
    let smallest = session.shrunk { Self.fault($0, planted: planted) != nil }
    let sources = (smallest.local == nil ? 0 : 1) + smallest.remotes.count
    #expect(sources == 1)
    #expect(smallest.observers.count == (planted == .lastFrameLost ? 1 : 0))
    #expect(smallest.room == .max && smallest.wanted.isEmpty && smallest.sumRate == nil)
  }
}
