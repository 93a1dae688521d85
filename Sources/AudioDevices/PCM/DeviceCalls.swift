// SPDX-License-Identifier: Apache-2.0
internal import CALSA
internal import Glibc

// The only exits from the code that the compiler proves free of allocation and locks. Each function here is one C
// call of a device thread; nothing else belongs in this file. A C result becomes a type here; nil means success.

extension PCMHandle {
  /// Reads up to `count` samples per channel. The corresponding C function is `snd_pcm_readi`.
  @_semantics("no_performance_analysis")
  borrowing func read(into bytes: UnsafeMutableRawPointer, _ count: Int) -> Transfer {
    unsafe Transfer(alsaCode: snd_pcm_readi(pcm, bytes, snd_pcm_uframes_t(count)))
  }

  /// Writes up to `count` samples per channel. The corresponding C function is `snd_pcm_writei`.
  @_semantics("no_performance_analysis")
  borrowing func write(_ bytes: UnsafeRawPointer, _ count: Int) -> Transfer {
    unsafe Transfer(alsaCode: snd_pcm_writei(pcm, bytes, snd_pcm_uframes_t(count)))
  }

  /// Waits until the device is ready, at most for the time. The corresponding C function is `snd_pcm_wait`.
  @_semantics("no_performance_analysis")
  borrowing func wait(milliseconds: Int) -> Readiness {
    unsafe Readiness(alsaCode: snd_pcm_wait(pcm, CInt(milliseconds)))
  }

  /// The corresponding C function is `snd_pcm_state`.
  @_semantics("no_performance_analysis")
  borrowing func state() -> snd_pcm_state_t { unsafe snd_pcm_state(pcm) }

  /// The corresponding C function is `snd_pcm_prepare`.
  @_semantics("no_performance_analysis")
  borrowing func prepare() -> DeviceFailure? {
    unsafe DeviceFailure?(alsaCode: snd_pcm_prepare(pcm))
  }

  /// The corresponding C function is `snd_pcm_start`.
  @_semantics("no_performance_analysis")
  borrowing func start() -> DeviceFailure? {
    unsafe DeviceFailure?(alsaCode: snd_pcm_start(pcm))
  }

  /// The corresponding C function is `snd_pcm_resume`.
  @_semantics("no_performance_analysis")
  borrowing func resume() -> DeviceFailure? {
    unsafe DeviceFailure?(alsaCode: snd_pcm_resume(pcm))
  }

  /// The corresponding C function is `snd_pcm_drop`.
  @_semantics("no_performance_analysis")
  borrowing func drop() -> DeviceFailure? {
    unsafe DeviceFailure?(alsaCode: snd_pcm_drop(pcm))
  }

  /// The corresponding C function is `snd_pcm_pause`.
  @_semantics("no_performance_analysis")
  borrowing func pause(_ isOn: Bool) -> DeviceFailure? {
    unsafe DeviceFailure?(alsaCode: snd_pcm_pause(pcm, isOn ? 1 : 0))
  }

  /// The corresponding C function is `snd_pcm_drain`.
  @_semantics("no_performance_analysis")
  borrowing func drain() -> DeviceFailure? {
    unsafe DeviceFailure?(alsaCode: snd_pcm_drain(pcm))
  }

  /// Samples per channel that can be moved now. The corresponding C function is `snd_pcm_avail`.
  @_semantics("no_performance_analysis")
  borrowing func available() -> Transfer { unsafe Transfer(alsaCode: snd_pcm_avail(pcm)) }

  /// Skips up to `count` samples per channel; returns their number. The corresponding C function is
  /// `snd_pcm_forward`.
  @_semantics("no_performance_analysis")
  borrowing func skip(_ count: Int) -> Int {
    unsafe max(snd_pcm_forward(pcm, snd_pcm_uframes_t(count)), 0)
  }

  /// The corresponding C function is `snd_pcm_status`.
  @_semantics("no_performance_analysis")
  borrowing func read(into status: borrowing DeviceStatus) -> DeviceFailure? {
    unsafe DeviceFailure?(alsaCode: snd_pcm_status(pcm, status.status))
  }
}

extension DeviceStatus {
  /// Samples per channel that can be moved. The corresponding C function is `snd_pcm_status_get_avail`.
  @_semantics("no_performance_analysis")
  borrowing func available() -> Int { unsafe Int(snd_pcm_status_get_avail(status)) }

  /// The corresponding C function is `snd_pcm_status_get_state`.
  @_semantics("no_performance_analysis")
  borrowing func isRunning() -> Bool {
    unsafe snd_pcm_status_get_state(status) == SND_PCM_STATE_RUNNING
  }

  /// Copies the time of the status. The corresponding C function is `snd_pcm_status_get_htstamp`.
  @_semantics("no_performance_analysis")
  borrowing func copyTime(to time: inout timespec) {
    unsafe snd_pcm_status_get_htstamp(status, &time)
  }
}

extension DeviceSignals {
  /// The corresponding C function is `sem_post`.
  @_semantics("no_performance_analysis")
  borrowing func signalSession() { session.signal() }

  /// The corresponding C function is `sem_clockwait`.
  @_semantics("no_performance_analysis")
  borrowing func waitForSession(milliseconds: Int) {
    device.wait(atMost: .milliseconds(milliseconds))
  }
}

/// The corresponding C function is `sqrt`.
@_semantics("no_performance_analysis")
func squareRoot(_ number: Double) -> Double { number.squareRoot() }

/// The corresponding C function is `usleep`.
@_semantics("no_performance_analysis")
func nap(milliseconds: Int) { usleep(useconds_t(milliseconds * 1_000)) }
