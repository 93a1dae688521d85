// SPDX-License-Identifier: Apache-2.0
/// Divides a stream of unknown length into a limited number of columns. Each is as long as all others, a power of two.
/// At the limit, pairs of columns are joined.
struct ColumnCount: Sendable {
  /// The largest number of columns.
  let limit: Int
  /// The length of a column in samples per channel.
  private(set) var length: Int64

  /// - Parameters:
  ///   - limit: even.
  ///   - shortest: the first length of a column in samples per channel.
  init(limit: Int, shortest: Int64 = 1) {
    self.limit = max(2, limit + limit % 2)
    length = shortest
  }

  /// The column of a sample, which may exceed the limit.
  func column(of sample: Int64) -> Int { Int(clamping: sample / length) }

  /// Joins every column with its neighbour.
  mutating func halve() { length *= 2 }

  /// The columns at a place of a picture, for a stream of `total` samples per channel.
  ///
  /// - Parameter place: one of `count` places.
  func columns(at place: Int, of count: Int, total: Int64) -> Range<Int> {
    let samples = samples(at: place, of: count, total: total)
    return Int(samples.lowerBound / length)..<Int(samples.upperBound / length)
  }

  /// The samples per channel at a place of a picture, rounded to whole columns. They may extend beyond the stream's
  /// end.
  func samples(at place: Int, of count: Int, total: Int64) -> Range<Int64> {
    func edge(_ place: Int) -> Int64 {
      let (high, low) = total.multipliedFullWidth(by: Int64(place))
      return Int64(count).dividingFullWidth((high, low)).quotient
    }
    let first = edge(place) / length * length
    // At least one column.
    let end = max(first + 1, edge(place + 1))
    return first..<((end + length - 1) / length * length)
  }
}
