// SPDX-License-Identifier: Apache-2.0
// Whole blocks through the library's own loops: the tests are not optimised, and their own loops over samples take
// longer than the tested code.

extension Array where Element == Double {
  /// Appends samples unchanged.
  package mutating func append<Sample: AudioSample>(_ samples: Span<Sample>) {
    self += unsafe [Double](unsafeUninitializedCapacity: samples.count) { buffer, count in
      var output = unsafe OutputSpan(buffer: buffer, initializedCount: 0)
      Double.accept(samples, into: &output)
      count = unsafe output.finalize(for: buffer)
    }
  }

  /// Adds `samples` from place `start` on, up to the end of the array.
  package mutating func add(_ samples: [Double], at start: Int) {
    let end = Swift.min(count, start + samples.count)
    if start >= end { return }
    var part = Array(self[start..<end])
    var span = part.mutableSpan
    Double.add(samples.span.extracting(first: end - start), to: &span)
    replaceSubrange(start..<end, with: part)
  }

  /// Returns the sums of both, place by place; they have equal lengths.
  package static func sum(_ first: [Double], _ second: [Double]) -> [Double] {
    precondition(first.count == second.count)
    var sum = first
    sum.add(second, at: 0)
    return sum
  }
}
