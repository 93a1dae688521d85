// SPDX-License-Identifier: Apache-2.0
extension Array {
  /// An array of the elements that `fill` writes. Swift has this from 6.3 on, as `init(capacity:initializingWith:)`.
  ///
  /// - Parameter capacity: the largest number of elements that `fill` may write.
  package init<Failure: Error>(
    atMost capacity: Int, _ fill: (inout OutputSpan<Element>) throws(Failure) -> Void
  ) throws(Failure) {
    var failure: Failure?
    unsafe self.init(unsafeUninitializedCapacity: capacity) { buffer, count in
      var output = unsafe OutputSpan(buffer: buffer, initializedCount: 0)
      do throws(Failure) { try fill(&output) } catch { failure = error }
      count = unsafe output.finalize(for: buffer)
    }
    if let failure { throw failure }
  }
}
