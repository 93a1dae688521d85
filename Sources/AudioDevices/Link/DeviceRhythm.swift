// SPDX-License-Identifier: Apache-2.0
/// When a device's thread looks at its device, and when it wakes the session. Lengths are in samples per channel.
///
/// Every wake-up costs energy. So where samples may wait the thread sleeps by the system's clock instead of the
/// device's periods, and wakes the session only for a whole latency of samples. What the device's buffer still holds,
/// or has room for, when the thread should wake is what it may be late by: never less than a quarter of a second
/// where the buffer is large enough.
///
/// The looks at a device are also what its clock is known by. So the first ones, also after a failure, come as often as
/// its periods, and rests differ in length: looks that always came at the same point between two steps of the device's
/// pointer would take the steps for drift.
///
/// Device thread only.
struct DeviceRhythm {
  /// The longest rest between two looks, of which none of a playing device is shorter; 0 where the thread waits for each
  /// period.
  let rest: Int
  /// By how much rests differ: a period of the device, in which its pointer has moved by a step at least.
  private let variation: Int
  /// How much is worth waking the session for.
  private let worth: Int
  private let sampleRate: Int
  private let periodSize: Int
  /// What passed the ring since the session was woken, and when that was.
  private var passed = 0
  private var woken = MonotonicTime(nanoseconds: 0)
  private var isFirst = true
  /// How many looks are still to come as often as periods.
  private var closeLooks: Int
  /// Between 0 and 2³² where in its variation the rest ends. Multiples of the golden ratio cover it evenly.
  private var phase: UInt32 = 0

  /// Milliseconds.
  private static let longestRest = 250
  /// How late a thread may wake without a loss, in milliseconds.
  private static let reserve = 250
  /// As many as tell how far looks scatter (``ReadingWindow``).
  private static let closeLooks = 9
  /// 2³² over the golden ratio.
  private static let goldenStep: UInt32 = 0x9E37_79B9

  /// - Parameter latency: how long samples may wait; nil where every period counts.
  init(_ latency: Duration?, _ parameters: AlsaParameters) {
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
    // Half a rest less: looks come a little late or early, and must not become one more.
    worth = max(1, most - rest / 2)
  }

  /// Whether the thread rests between two looks.
  var hasRests: Bool {
    @_noAllocation @_noLocks get { rest > 0 }
  }

  /// How long the thread of a capture may rest now that it has read what there was.
  ///
  /// - Parameter held: samples per channel that the device still holds.
  /// - Returns: `.none` where it is to wait for the next period.
  @_noAllocation @_noLocks
  mutating func nextRest(holding held: Int) -> Rest {
    if !hasRests { return .none }
    // A read that gave less than there was is no look.
    if held > rest / 8 { return .readAgain }
    if closeLooks > 0, periodSize < rest {
      closeLooks -= 1
      return .none
    }
    phase &+= Self.goldenStep
    let shorter = Int((UInt64(variation) * UInt64(phase)) >> 32)
    return .samples(rest - shorter)
  }

  /// What to do before the next look.
  enum Rest: BitwiseCopyable {
    /// Wait for a period.
    case none
    /// Nothing: there is more to read.
    case readAgain
    /// Sleep for so long.
    case samples(Int)
  }

  /// How long a rest is, in whole milliseconds.
  @_noAllocation @_noLocks
  func milliseconds(of rest: Int) -> Int { (rest * 1_000 + sampleRate - 1) / sampleRate }

  /// The device was started anew: its clock is to be known again soon.
  @_noAllocation @_noLocks
  mutating func lookClosely() { closeLooks = Self.closeLooks }

  /// `count` samples passed the ring.
  ///
  /// - Parameter time: when that was.
  /// - Returns: whether the session is to be woken: for the first samples, which show that the device works, and then
  ///   where it is worth it, or would be by time.
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
