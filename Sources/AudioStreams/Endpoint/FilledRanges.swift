// SPDX-License-Identifier: Apache-2.0
/// The places at which a source put silence into its own stream: samples per channel from the beginning of the stream.
/// Session thread only.
package struct FilledRanges {
  /// In order; neighbours are one range.
  private var ranges: [Range<Int64>] = []

  package init() {}

  /// Adds a range that begins at the end of the last one or behind it.
  package mutating func add(_ range: Range<Int64>) {
    if range.isEmpty { return }
    if let last = ranges.last, last.upperBound == range.lowerBound {
      ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
    } else {
      ranges.append(range)
    }
  }

  /// Removes and returns the ranges before `end`, in samples per channel. A range that crosses `end` is cut there.
  package mutating func take(before end: Int64) -> [Range<Int64>] {
    var taken: [Range<Int64>] = []
    while let first = ranges.first, first.lowerBound < end {
      taken.append(first.lowerBound..<min(first.upperBound, end))
      if first.upperBound > end {
        ranges[0] = end..<first.upperBound
      } else {
        ranges.removeFirst()
      }
    }
    return taken
  }
}
