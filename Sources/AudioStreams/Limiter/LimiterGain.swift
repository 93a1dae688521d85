// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The gain of a look-ahead limiter, from the peaks that it has to lower: ``LimiterGains`` and its memory.
@safe
final class LimiterGain {
  /// The window in sample frames: a gain comes out `window` − 1 sample frames after its own.
  let window: Int
  private let limit: Float
  private let memory: UnsafeMutablePointer<Int64>
  private var gains: LimiterGains

  /// - Parameters:
  ///   - window: at least 1.
  ///   - limit: the magnitude above which a peak requires a gain.
  ///   - release: the time constant in sample frames: the gain goes 1 − 1 ⁄ e of the way back in it.
  init(window: Int, limit: Float, release: Double) {
    self.window = window
    self.limit = limit
    let size = LimiterGains.memorySize(window: window)
    unsafe memory = .allocate(capacity: size)
    unsafe memory.initialize(repeating: 0, count: size)
    gains = unsafe LimiterGains(
      window: window, release: -expm1(-1 / max(1e-3, release)), memory: memory)
  }

  deinit { unsafe memory.deallocate() }

  /// Whether the gain is 1, and stays 1 until a peak is above the limit.
  var isAtRest: Bool { gains.isAtRest }

  /// Takes the peaks of the next sample frames. Writes the gain of each sample frame `window` − 1 earlier.
  ///
  /// - Parameters:
  ///   - peaks: `count` magnitudes; nil if none is above the limit. Infinite ones require no gain.
  ///   - factors: `count` numbers.
  func write(
    _ peaks: UnsafePointer<Float>?, _ count: Int, to factors: UnsafeMutablePointer<Double>
  ) {
    unsafe KernelTable.current.levels.limiterGains(&gains, peaks, count, limit, factors)
  }
}
