// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The power of each frequency over time, in memory that does not grow with the length of the audio.
///
/// A column is the mean power of the spectra whose middle lies in it. A row shows the strongest of its bins, so that a
/// sine has its level at any height. NaN and infinite samples count as silence.
struct Spectrogram {
  let channelCount: Int
  let sampleRate: Int
  let rows: SpectrumRows
  private(set) var division: ColumnCount
  /// The sums of powers of each channel, column by column, and the number of spectra in them.
  private var sums: [[Float]]
  private var counts: [[Int32]]
  private var batch: SpectrumBatch
  /// The channel and the column of each stretch in the batch.
  private var targets: [(channel: Int, column: Int)] = []
  /// The powers of the last batch.
  private var powers: [Float] = []
  /// The samples of each channel from `historyStart` on.
  private var history: [[Float]]
  /// In samples per channel; negative for the silence in front of the sound.
  private var historyStart: Int64
  /// The position of the next spectrum's stretch of time.
  private var next: Int64 = 0
  /// In samples per channel.
  private(set) var length: Int64 = 0

  /// - Parameters:
  ///   - places: the number of columns in a picture.
  ///   - rowCount: the number of rows.
  ///   - size: the size of the transform.
  init(
    channelCount: Int, sampleRate: Int, places: Int, rowCount: Int, size: Int,
    _ window: SpectrumWindow, _ scale: FrequencyScale
  ) {
    self.channelCount = channelCount
    self.sampleRate = sampleRate
    rows = SpectrumRows(rowCount, on: scale, size: size, sampleRate: sampleRate)
    division = ColumnCount(limit: 2 * places, shortest: Int64(max(1, size / 128)))
    sums = Array(repeating: [], count: channelCount)
    counts = Array(repeating: [], count: channelCount)
    batch = SpectrumBatch(size: size, window)
    history = Array(repeating: Array(repeating: 0, count: size / 2), count: channelCount)
    historyStart = Int64(-size / 2)
  }

  /// The samples per channel from one spectrum to the next: at most half a transform.
  private var hop: Int64 { min(division.length, Int64(batch.size / 2)) }

  /// Takes interleaved samples.
  mutating func append<Sample: AudioSample>(_ samples: Span<Sample>) {
    for channel in 0..<channelCount {
      switch samples.known {
      case .single(let samples): keep(samples, channel, of: channelCount, in: &history[channel])
      case .double(let samples): keep(samples, channel, of: channelCount, in: &history[channel])
      }
    }
    length += Int64(samples.count / channelCount)
    takeSpectra(upTo: historyStart + Int64(history[0].count))
  }

  /// Takes the last spectra after the last sample.
  mutating func finish() {
    for channel in 0..<channelCount {
      history[channel] += Array(repeating: 0, count: 2 * batch.size)
    }
    takeSpectra(upTo: .max)
    finishBatch()
    history = []
  }

  /// - Parameter end: of the known samples.
  private mutating func takeSpectra(upTo end: Int64) {
    let half = Int64(batch.size / 2)
    while next < length {
      let column = division.column(of: next)
      if column >= division.limit {
        finishBatch()
        halve()
        continue
      }
      let middle = next + hop / 2
      guard middle + half <= end else { break }
      for channel in 0..<channelCount {
        if batch.count == SpectrumBatch.capacity { finishBatch() }
        batch.add(history[channel], from: Int(middle - half - historyStart))
        targets.append((channel, column))
      }
      next += hop
    }
    // Remove samples seldom: it moves all others.
    let used = Int(next + hop / 2 - half - historyStart)
    guard used > 1 << 16 else { return }
    for channel in 0..<channelCount { history[channel].removeFirst(used) }
    historyStart += Int64(used)
  }

  private mutating func finishBatch() {
    guard batch.count > 0 else { return }
    let height = rows.bins.count
    batch.finish(rows, into: &powers)
    for (stretch, target) in targets.enumerated() {
      let missing = (target.column + 1) * height - sums[target.channel].count
      if missing > 0 {
        sums[target.channel] += Array(repeating: 0, count: missing)
        counts[target.channel] += Array(repeating: 0, count: missing / height)
      }
      counts[target.channel][target.column] += 1
      let from = stretch * height
      let to = target.column * height
      var column = sums[target.channel].mutableSpan
      for row in 0..<height { column[to + row] += powers[from + row] }
    }
    targets.removeAll(keepingCapacity: true)
  }

  private mutating func halve() {
    division.halve()
    let height = rows.bins.count
    for channel in 0..<channelCount {
      let count = counts[channel].count / 2
      for column in 0..<count {
        for row in 0..<height {
          sums[channel][column * height + row] =
            sums[channel][2 * column * height + row]
            + sums[channel][(2 * column + 1) * height + row]
        }
        counts[channel][column] = counts[channel][2 * column] + counts[channel][2 * column + 1]
      }
      sums[channel].removeLast(sums[channel].count - count * height)
      counts[channel].removeLast(counts[channel].count - count)
    }
  }

  /// The levels of a column of a picture in decibels, row by row. A sine of amplitude 1 has 0 dB, silence −∞.
  func levels(_ channel: Int, at place: Int, of count: Int) -> [Float] {
    let height = rows.bins.count
    var powers = [Float](repeating: 0, count: height)
    var spectra: Int32 = 0
    let range = division.columns(at: place, of: count, total: length)
    for column in range.clamped(to: 0..<counts[channel].count) {
      spectra += counts[channel][column]
      for row in 0..<height { powers[row] += sums[channel][column * height + row] }
    }
    return powers.map { 10 * log10($0 / Float(max(1, spectra))) }
  }
}

/// Appends one channel of interleaved samples to `history`.
private func keep<Sample: AudioSample>(
  _ samples: Span<Sample>, _ channel: Int, of width: Int, in history: inout [Float]
) {
  let begin = history.count
  let count = samples.count / width
  history += repeatElement(0, count: count)
  unsafe history.withUnsafeMutableBufferPointer { history in
    unsafe samples.withUnsafeBufferPointer { samples in
      guard let to = history.baseAddress, let from = samples.baseAddress else { return }
      for index in 0..<count {
        let sample = unsafe from[index * width + channel]
        unsafe to[begin + index] = sample.isFinite ? Float(sample) : 0
      }
    }
  }
}
