// SPDX-License-Identifier: Apache-2.0
internal import CALSA
internal import Glibc

// The only exits from the code that the compiler proves free of allocation and locks. Each function here is one C
// call of a device thread; nothing else belongs in this file. A C result becomes a type here; nil means success.

extension PCMHandle {
  /// Reads up to `count` samples per channel.
  @_semantics("no_performance_analysis")
  borrowing func read(into bytes: UnsafeMutableRawPointer, _ count: Int) -> Transfer {
    unsafe Transfer(alsaCode: snd_pcm_readi(pcm, bytes, snd_pcm_uframes_t(count)))
  }

  /// Writes up to `count` samples per channel.
  @_semantics("no_performance_analysis")
  borrowing func write(_ bytes: UnsafeRawPointer, _ count: Int) -> Transfer {
    unsafe Transfer(alsaCode: snd_pcm_writei(pcm, bytes, snd_pcm_uframes_t(count)))
  }

  /// Waits until the device is ready, at most for the time.
  @_semantics("no_performance_analysis")
  borrowing func wait(milliseconds: Int) -> Readiness {
    unsafe Readiness(alsaCode: snd_pcm_wait(pcm, CInt(milliseconds)))
  }

  @_semantics("no_performance_analysis")
  borrowing func state() -> snd_pcm_state_t { unsafe snd_pcm_state(pcm) }

  @_semantics("no_performance_analysis")
  borrowing func prepare() -> DeviceFailure? {
    unsafe DeviceFailure?(alsaCode: snd_pcm_prepare(pcm))
  }

  @_semantics("no_performance_analysis")
  borrowing func start() -> DeviceFailure? {
    unsafe DeviceFailure?(alsaCode: snd_pcm_start(pcm))
  }

  @_semantics("no_performance_analysis")
  borrowing func resume() -> DeviceFailure? {
    unsafe DeviceFailure?(alsaCode: snd_pcm_resume(pcm))
  }

  @_semantics("no_performance_analysis")
  borrowing func drop() -> DeviceFailure? {
    unsafe DeviceFailure?(alsaCode: snd_pcm_drop(pcm))
  }

  @_semantics("no_performance_analysis")
  borrowing func pause(_ isOn: Bool) -> DeviceFailure? {
    unsafe DeviceFailure?(alsaCode: snd_pcm_pause(pcm, isOn ? 1 : 0))
  }

  @_semantics("no_performance_analysis")
  borrowing func drain() -> DeviceFailure? {
    unsafe DeviceFailure?(alsaCode: snd_pcm_drain(pcm))
  }

  /// Samples per channel that can be moved now.
  @_semantics("no_performance_analysis")
  borrowing func available() -> Transfer { unsafe Transfer(alsaCode: snd_pcm_avail(pcm)) }

  /// Skips up to `count` samples per channel; returns their number.
  @_semantics("no_performance_analysis")
  borrowing func skip(_ count: Int) -> Int {
    unsafe max(snd_pcm_forward(pcm, snd_pcm_uframes_t(count)), 0)
  }

  @_semantics("no_performance_analysis")
  borrowing func read(into status: borrowing DeviceStatus) -> DeviceFailure? {
    unsafe DeviceFailure?(alsaCode: snd_pcm_status(pcm, status.status))
  }
}

extension DeviceStatus {
  /// Samples per channel that can be moved.
  @_semantics("no_performance_analysis")
  borrowing func available() -> Int { unsafe Int(snd_pcm_status_get_avail(status)) }

  @_semantics("no_performance_analysis")
  borrowing func isRunning() -> Bool {
    unsafe snd_pcm_status_get_state(status) == SND_PCM_STATE_RUNNING
  }

  /// Copies the time of the status.
  @_semantics("no_performance_analysis")
  borrowing func copyTime(to time: inout timespec) {
    unsafe snd_pcm_status_get_htstamp(status, &time)
  }
}

extension DeviceSignals {
  /// The corresponding C function is `sem_clockwait`.
  @_semantics("no_performance_analysis")
  borrowing func waitForSession(milliseconds: Int) {
    device.wait(atMost: .milliseconds(milliseconds))
  }
}

@_semantics("no_performance_analysis")
func nap(milliseconds: Int) { usleep(useconds_t(milliseconds * 1_000)) }
