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

/// Measures `count` samples that lie `width` apart.
private func measure<Sample: AudioSample>(
  _ samples: Span<Sample>, from start: Int, _ count: Int, by width: Int
) -> Envelope.Column {
  precondition(start >= 0 && start + (count - 1) * width < samples.count)
  return unsafe samples.withUnsafeBufferPointer { samples in
    guard let first = samples.baseAddress, count > 0 else { return Envelope.Column() }
    let found = unsafe extremes(first + start, count, by: width)
    return found.isFinite ? found.column(count) : unsafe measureFinite(first + start, count, width)
  }
}

/// Four samples at a time, since a sum would wait for the one before.
@inline(__always)
private func extremes<Sample: AudioSample>(
  _ samples: UnsafePointer<Sample>, _ count: Int, by width: Int
) -> Extremes<Sample> {
  var (first, second) = (Extremes<Sample>(), Extremes<Sample>())
  var (third, fourth) = (Extremes<Sample>(), Extremes<Sample>())
  var index = 0
  while index + 4 <= count {
    let place = unsafe samples + index * width
    unsafe first.add(place[0])
    unsafe second.add(place[width])
    unsafe third.add(place[2 * width])
    unsafe fourth.add(place[3 * width])
    index += 4
  }
  while index < count {
    unsafe first.add(samples[index * width])
    index += 1
  }
  first.join(second)
  third.join(fourth)
  first.join(third)
  return first
}

/// Skips NaN and infinite samples.
private func measureFinite<Sample: AudioSample>(
  _ samples: UnsafePointer<Sample>, _ count: Int, _ width: Int
) -> Envelope.Column {
  var found = Extremes<Sample>()
  var finite = 0
  for index in 0..<count {
    let sample = unsafe samples[index * width]
    guard sample.isFinite else { continue }
    found.add(sample)
    finite += 1
  }
  return found.column(finite)
}

private struct Extremes<Sample: AudioSample> {
  private var lowest = Sample.infinity
  private var highest = -Sample.infinity
  private var sum = 0.0
  /// 0, or NaN if a sample was NaN or infinite.
  private var rest: Sample = 0

  var isFinite: Bool { rest == 0 }

  @inline(__always)
  mutating func add(_ sample: Sample) {
    lowest = sample < lowest ? sample : lowest
    highest = sample > highest ? sample : highest
    sum += Double(sample) * Double(sample)
    rest += sample - sample
  }

  @inline(__always)
  mutating func join(_ other: Extremes) {
    lowest = min(lowest, other.lowest)
    highest = max(highest, other.highest)
    sum += other.sum
    rest += other.rest
  }

  @inline(__always)
  func column(_ count: Int) -> Envelope.Column {
    if count == 0 { return Envelope.Column() }
    let end = Sample(Float.greatestFiniteMagnitude)
    func narrowed(_ sample: Sample) -> Float { Float(max(-end, min(end, sample))) }
    return Envelope.Column(
      lowest: narrowed(lowest), highest: narrowed(highest), sumOfSquares: sum, count: Int64(count))
  }
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
