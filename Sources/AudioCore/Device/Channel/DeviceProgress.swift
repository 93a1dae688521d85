internal import Glibc

/// How a device gets on, as its thread sees it; decides when waiting and recovering have no more use.
struct DeviceProgress {
  /// Samples per channel that only a device at work can have moved since its last start.
  private let proof: Int
  /// Milliseconds without a sample after which a device is lost.
  private let stallLimit: Int
  private var lastMove: Int
  private var movedSinceRecovery = 0
  private var faults = 0
  /// Nothing moved since the last recovery.
  private var isInGap = false
  private var vainWaits = 0

  @_noAllocation @_noLocks
  init(proof: Int, stallLimit: Int) {
    self.proof = proof
    self.stallLimit = stallLimit
    lastMove = monotonicMilliseconds()
  }

  /// `count` samples per channel went through.
  @_noAllocation @_noLocks
  mutating func moved(_ count: Int) {
    rested()
    vainWaits = 0
    isInGap = false
    movedSinceRecovery += count
    if movedSinceRecovery >= proof { faults = 0 }
  }

  /// The thread had no use for the device; that it moved nothing says nothing about it.
  @_noAllocation @_noLocks
  mutating func rested() { lastMove = monotonicMilliseconds() }

  /// Waits until the device can move samples, at most 100 ms.
  ///
  /// - Returns: 0 or above to try again, else the negative errno to recover from.
  @_noAllocation @_noLocks
  mutating func wait(for handle: borrowing PCMHandle) -> Int {
    // A device that says it is ready and then moves nothing must not make the thread spin.
    if vainWaits > 1 { nap(milliseconds: 1) }
    let code = handle.waitUntilReady()
    vainWaits = code == 1 ? vainWaits + 1 : 0
    return code >= 0 && isStalled() ? -Int(ETIMEDOUT) : code
  }

  /// Whether the device failed again and again and has not worked since.
  @_noAllocation @_noLocks
  func isFailing() -> Bool { faults > 1 }

  /// Brings the device back after `failure`.
  ///
  /// A card whose every start fails soon, with nothing or a few stray samples in between, gets eight
  /// attempts.
  ///
  /// - Returns: as ``PCMHandle/recover(from:isRepeated:noting:)``.
  @_noAllocation @_noLocks
  mutating func recover(
    _ handle: borrowing PCMHandle, from failure: Int, noting channel: borrowing DeviceChannel
  ) -> Int {
    if isStalled() { return failure }
    if isInGap { nap(milliseconds: 5) }
    if failure != -Int(EPIPE), failure != -Int(ESTRPIPE) { faults += 1 }
    if faults > 8 { return failure }
    movedSinceRecovery = 0
    defer { isInGap = true }
    return handle.recover(from: failure, isRepeated: isInGap, noting: channel)
  }

  @_noAllocation @_noLocks
  private func isStalled() -> Bool { monotonicMilliseconds() - lastMove > stallLimit }
}
