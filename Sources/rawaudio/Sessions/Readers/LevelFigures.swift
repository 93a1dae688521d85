// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import Synchronization

/// The levels of a recording's channels between two updates of its metrics: the writing thread adds, the session thread
/// takes.
final class LevelFigures: Sendable {
  /// The level of one channel; 1 is full scale.
  struct Figure {
    fileprivate(set) var peak = 0.0
    /// The sum of the squares without the mean of each tenth of a second.
    private var squares = 0.0
    private var count: Int64 = 0
    private var sum = 0.0

    var rms: Double { count > 0 ? (squares / Double(count)).squareRoot() : 0 }
    var mean: Double { count > 0 ? sum / Double(count) : 0 }

    fileprivate mutating func add(_ channel: MonitoredLevel.Channel) {
      peak = max(peak, channel.peak)
      for level in channel.levels {
        squares += level.meanSquare * Double(level.samplesPerChannel)
        sum += channel.mean * Double(level.samplesPerChannel)
        count += level.samplesPerChannel
      }
    }
  }

  private let figures = Mutex<[Figure]>([])

  func add(_ stretch: MonitoredLevel) {
    figures.withLock { figures in
      while figures.count < stretch.channels.count { figures.append(Figure()) }
      for (index, channel) in stretch.channels.enumerated() { figures[index].add(channel) }
    }
  }

  /// The levels since the last call, channel by channel; empty if nothing has come.
  func take() -> [Figure] {
    figures.withLock { figures in
      defer { figures = [] }
      return figures
    }
  }
}
