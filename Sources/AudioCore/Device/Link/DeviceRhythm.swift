// SPDX-License-Identifier: Apache-2.0
/// When a device's thread looks at its device, and when it wakes the session. Lengths are in samples per channel.
///
/// Every wake-up costs energy. So where samples may wait the thread sleeps by the system's clock instead of the
/// device's periods, and wakes the session only for a whole latency of samples. What the device's buffer still holds,
/// or has room for, when the thread should wake is what it may be late by: never less than a quarter of a second
/// where the buffer is large enough.
///
/// Device thread only.
struct DeviceRhythm {
  /// How long the thread rests between two looks; 0 where it waits for each period.
  let rest: Int
  /// How much is worth waking the session for.
  private let worth: Int
  private let sampleRate: Int
  /// What passed the ring since the session was woken.
  private var passed = 0
  private var isFirst = true

  /// Milliseconds.
  private static let longestRest = 250
  /// How late a thread may wake without a loss, in milliseconds.
  private static let reserve = 250

  /// - Parameter latency: how long samples may wait; nil where every period counts.
  init(_ latency: Duration?, _ parameters: AlsaParameters) {
    sampleRate = parameters.format.sampleRate
    guard let latency, latency > .zero else {
      rest = 0
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
    // Half a rest less: looks come a little late or early, and must not become one more.
    worth = max(1, most - rest / 2)
  }

  /// Whether the thread rests between two looks.
  var hasRests: Bool {
    @_noAllocation @_noLocks get { rest > 0 }
  }

  /// How long a rest is, in milliseconds.
  var restMilliseconds: Int {
    @_noAllocation @_noLocks get { (rest * 1_000 + sampleRate - 1) / sampleRate }
  }

  /// `count` samples passed the ring.
  ///
  /// - Returns: whether the session is to be woken: for the first samples, which show that the device works, and then
  ///   where it is worth it.
  @_noAllocation @_noLocks
  mutating func isWakeUpDue(after count: Int) -> Bool {
    passed += count
    let isWorth = passed >= worth
    if isWorth { passed = 0 }
    let isDue = isWorth || isFirst
    isFirst = false
    return isDue
  }
}
