internal import Synchronization

/// The drift of a device's clock, written by its thread at the end and read by any other.
struct DriftRecord: ~Copyable, Sendable {
  private let partsPerMillion = Atomic<UInt64>(0)
  private let uncertainty = Atomic<UInt64>(0)
  /// 0 while there is nothing; stored last.
  private let span = Atomic<UInt64>(0)

  @_noAllocation @_noLocks
  func store(_ drift: ClockDrift?) {
    guard let drift else { return }
    partsPerMillion.store(drift.partsPerMillion.bitPattern, ordering: .relaxed)
    uncertainty.store(drift.uncertainty.bitPattern, ordering: .relaxed)
    span.store(drift.span.bitPattern, ordering: .releasing)
  }

  func load() -> ClockDrift? {
    let span = Double(bitPattern: span.load(ordering: .acquiring))
    guard span > 0 else { return nil }
    return ClockDrift(
      partsPerMillion: Double(bitPattern: partsPerMillion.load(ordering: .relaxed)),
      uncertainty: Double(bitPattern: uncertainty.load(ordering: .relaxed)), span: span)
  }
}
