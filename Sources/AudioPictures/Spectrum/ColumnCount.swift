// SPDX-License-Identifier: Apache-2.0
/// How a stream of unknown length is divided into columns, so many at most: each is as long as all others, a power of
/// two, and where they become too many, two of them become one.
struct ColumnCount: Sendable {
  /// More columns than this are never needed.
  let limit: Int
  /// How many samples per channel a column covers.
  private(set) var length: Int64

  /// - Parameters:
  ///   - limit: even.
  ///   - shortest: how many samples per channel a column covers at first.
  init(limit: Int, shortest: Int64 = 1) {
    self.limit = max(2, limit + limit % 2)
    length = shortest
  }

  /// The column of a sample, which may lie beyond the limit.
  func column(of sample: Int64) -> Int { Int(clamping: sample / length) }

  /// Joins every column with its neighbour.
  mutating func halve() { length *= 2 }

  /// The columns that a place in a picture shows, of a stream of `total` samples per channel.
  ///
  /// - Parameter place: of `count` places.
  func columns(at place: Int, of count: Int, total: Int64) -> Range<Int> {
    let samples = samples(at: place, of: count, total: total)
    return Int(samples.lowerBound / length)..<Int(samples.upperBound / length)
  }

  /// The samples per channel that a place in a picture shows: whole columns, but for the stream's end.
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
