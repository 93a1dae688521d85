// SPDX-License-Identifier: Apache-2.0
/// Times the looks of a device thread at its device, and its wake-ups of the session. Lengths are in samples
/// per channel.
///
/// Every wake-up costs energy. So a thread whose samples may wait sleeps by the system's clock instead of the
/// device's periods, and wakes the session only for a whole latency of samples. The samples left in a
/// playback's buffer (capture: the room) when the thread should wake bound its lateness: at least a quarter
/// of a second if the buffer is large enough.
///
/// These looks also measure the device's clock. So the first looks, also after a failure, come as often as
/// periods. The rests differ in length: looks always at one point between two steps of the device's pointer
/// would make the steps seem drift.
///
/// Device thread only.
struct PollSchedule {
  /// The longest rest between two looks, the exact rest of a playing device; 0 if the thread waits for
  /// each period.
  let rest: Int
  /// The most by which rests differ: a period of the device, which holds at least one step of its pointer.
  private let variation: Int
  /// The number of samples worth waking the session for.
  private let worth: Int
  private let sampleRate: Int
  private let periodSize: Int
  /// The samples that passed the ring since the session was woken, and the time of that wake-up.
  private var passed = 0
  private var woken = MonotonicTime(nanoseconds: 0)
  private var isFirst = true
  /// The number of looks that still come as often as periods.
  private var closeLooks: Int
  /// The end of the rest within its variation, from 0 to 2³². Multiples of the golden ratio cover it evenly.
  private var phase: UInt32 = 0

  /// Milliseconds.
  private static let longestRest = 250
  /// The harmless lateness of a wake-up, in milliseconds.
  private static let reserve = 250
  /// Enough looks to measure their scatter (``ReadingWindow``).
  private static let closeLooks = 9
  /// 2³² over the golden ratio.
  private static let goldenStep: UInt32 = 0x9E37_79B9

  /// - Parameter latency: how long samples may wait; nil if each period moves at once.
  init(_ latency: Duration?, _ parameters: DeviceParameters) {
    sampleRate = parameters.format.sampleRate
    periodSize = parameters.periodSize
    closeLooks = Self.closeLooks
    guard let latency, latency > .zero else {
      rest = 0
      variation = 0
      worth = 0
      return
    }
    let rate = sampleRate
    func samples(_ milliseconds: Int) -> Int { max(milliseconds * rate / 1_000, 1) }
    let most = DeviceLength.time(latency).samplesPerChannel(at: rate)
    let looks = (most + samples(Self.longestRest) - 1) / samples(Self.longestRest)
    let least = min(parameters.periodSize, parameters.bufferSize / 2)
    let safe = max(parameters.bufferSize - samples(Self.reserve), least)
    rest = max(1, min(most / max(looks, 1), safe))
    variation = min(parameters.periodSize, rest / 4)
    // Half a rest less: early or late looks must not add one more look.
    worth = max(1, most - rest / 2)
  }

  /// Whether the thread rests between two looks.
  var hasRests: Bool {
    @_noAllocation @_noLocks get { rest > 0 }
  }

  /// The rest of a capture's thread after a read.
  ///
  /// - Parameter held: samples per channel that the device still holds.
  /// - Returns: `.none` if the thread is to wait for the next period.
  @_noAllocation @_noLocks
  mutating func nextRest(holding held: Int) -> Rest {
    if !hasRests { return .none }
    // A short read does not count as a look.
    if held > rest / 8 { return .readAgain }
    if closeLooks > 0, periodSize < rest {
      closeLooks -= 1
      return .none
    }
    phase &+= Self.goldenStep
    let shorter = Int((UInt64(variation) * UInt64(phase)) >> 32)
    return .samples(rest - shorter)
  }

  /// The action before the next look.
  enum Rest: BitwiseCopyable {
    /// Wait for a period.
    case none
    /// Read again without a rest.
    case readAgain
    /// Sleep for this many samples.
    case samples(Int)
  }

  /// The length of a rest in whole milliseconds, rounded up.
  @_noAllocation @_noLocks
  func milliseconds(of rest: Int) -> Int { (rest * 1_000 + sampleRate - 1) / sampleRate }

  /// Resumes close looks after the device was restarted, to measure its clock again soon.
  @_noAllocation @_noLocks
  mutating func lookClosely() { closeLooks = Self.closeLooks }

  /// Notes that `count` samples passed the ring.
  ///
  /// - Parameter time: when they passed.
  /// - Returns: whether to wake the session: for the first samples, which show that the device works, then by
  ///   count or time.
  @_noAllocation @_noLocks
  mutating func isWakeUpDue(after count: Int, at time: MonotonicTime) -> Bool {
    passed += count
    let waited = time.seconds(since: woken) * Double(sampleRate)
    let isWorth = passed >= worth || !isFirst && waited >= Double(worth)
    guard isWorth || isFirst else { return false }
    if isWorth { passed = 0 }
    woken = time
    isFirst = false
    return true
  }
}
