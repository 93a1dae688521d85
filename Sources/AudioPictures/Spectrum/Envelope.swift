// SPDX-License-Identifier: Apache-2.0
/// The extremes and the power of every channel over time, in memory that does not grow with the length of the audio.
///
/// NaN and infinite samples are skipped. Samples beyond the range of 32-bit floating point are clipped to it.
struct Envelope {
  /// The extremes and the power of one channel in a stretch of time.
  struct Column: Sendable, Hashable {
    /// The lowest and the highest sample; `lowest` is above `highest` if there was none.
    var lowest = Float.infinity
    var highest = -Float.infinity
    var sumOfSquares = 0.0
    var count: Int64 = 0

    mutating func join(_ other: Column) {
      lowest = min(lowest, other.lowest)
      highest = max(highest, other.highest)
      sumOfSquares += other.sumOfSquares
      count += other.count
    }

    /// The root of the mean of the squares.
    var rms: Double { count == 0 ? 0 : (sumOfSquares / Double(count)).squareRoot() }
  }

  let channelCount: Int
  private(set) var division: ColumnCount
  private var columns: [[Column]]
  /// In samples per channel.
  private(set) var length: Int64 = 0

  /// - Parameter places: the number of columns in a picture. The envelope is at least sixteen times as fine.
  init(channelCount: Int, places: Int) {
    self.channelCount = channelCount
    division = ColumnCount(limit: 32 * places)
    columns = Array(repeating: [], count: channelCount)
  }

  /// Takes interleaved samples.
  mutating func append<Sample: AudioSample>(_ samples: Span<Sample>) {
    switch samples.known {
    case .single(let samples): take(samples)
    case .double(let samples): take(samples)
    }
  }

  private mutating func take<Sample: AudioSample>(_ samples: Span<Sample>) {
    let total = samples.count / channelCount
    var taken = 0
    while taken < total {
      let column = division.column(of: length)
      if column == division.limit {
        halve()
        continue
      }
      let count = min(total - taken, Int(clamping: Int64(column + 1) * division.length - length))
      for channel in 0..<channelCount {
        let part = measure(samples, from: taken * channelCount + channel, count, by: channelCount)
        if columns[channel].count == column { columns[channel].append(Column()) }
        columns[channel][column].join(part)
      }
      taken += count
      length += Int64(count)
    }
  }

  private mutating func halve() {
    division.halve()
    for channel in 0..<channelCount {
      for column in 0..<division.limit / 2 {
        var joined = columns[channel][2 * column]
        joined.join(columns[channel][2 * column + 1])
        columns[channel][column] = joined
      }
      columns[channel].removeLast(division.limit / 2)
    }
  }

  /// The extremes and the power of `channel` in the samples of ``samples(at:of:)``.
  func column(_ channel: Int, at place: Int, of count: Int) -> Column {
    var whole = Column()
    let range = division.columns(at: place, of: count, total: length)
    for column in range.clamped(to: 0..<columns[channel].count) {
      whole.join(columns[channel][column])
    }
    return whole
  }

  /// The samples per channel in a column of a picture: all of its own, and on either side at most a sixteenth of them
  /// more.
  func samples(at place: Int, of count: Int) -> Range<Int64> {
    division.samples(at: place, of: count, total: length).clamped(to: 0..<length)
  }

  /// The extremes and the power of a whole channel.
  func whole(_ channel: Int) -> Column {
    columns[channel].reduce(into: Column()) { $0.join($1) }
  }
}

private func measure<Sample: AudioSample>(
  _ samples: Span<Sample>, from start: Int, _ count: Int, by width: Int
) -> Envelope.Column {
  var (lowest, highest) = (Sample.infinity, -Sample.infinity)
  var sum = 0.0
  var finite = 0
  var index = start
  for _ in 0..<count {
    let sample = samples[index]
    index += width
    guard sample.isFinite else { continue }
    lowest = min(lowest, sample)
    highest = max(highest, sample)
    sum += Double(sample) * Double(sample)
    finite += 1
  }
  if finite == 0 { return Envelope.Column() }
  func narrowed(_ sample: Sample) -> Float {
    let end = Sample(Float.greatestFiniteMagnitude)
    return Float(max(-end, min(end, sample)))
  }
  return Envelope.Column(
    lowest: narrowed(lowest), highest: narrowed(highest), sumOfSquares: sum, count: Int64(finite))
}

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
