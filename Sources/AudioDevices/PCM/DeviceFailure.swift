// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The reason why a device moves no samples: libasound's errno by its meaning.
enum DeviceFailure: Hashable, Sendable, BitwiseCopyable {
  /// Its buffer overran or underran (EPIPE).
  case xrun
  /// The system slept (ESTRPIPE).
  case suspended
  /// It is gone (ENODEV, ENXIO).
  case disconnected
  /// It has moved no sample for too long (ETIMEDOUT).
  case stalled
  /// Any other errno.
  case other(errno: CInt)

  /// - Parameter errno: above 0.
  @_noAllocation @_noLocks
  init(errno: CInt) {
    switch errno {
    case EPIPE: self = .xrun
    case ESTRPIPE: self = .suspended
    case ENODEV, ENXIO: self = .disconnected
    case ETIMEDOUT: self = .stalled
    default: self = .other(errno: errno)
    }
  }

  /// Above 0.
  var errno: CInt {
    @_noAllocation @_noLocks get {
      switch self {
      case .xrun: EPIPE
      case .suspended: ESTRPIPE
      case .disconnected: ENODEV
      case .stalled: ETIMEDOUT
      case .other(let errno): errno
      }
    }
  }

  /// The cause of the resulting gap; nil if the device is lost.
  var cause: DeviceGap.Cause? {
    @_noAllocation @_noLocks get {
      switch self {
      case .xrun: .xrun
      case .suspended: .suspend
      case .other(EIO), .other(EBADFD): .fault
      case .disconnected, .stalled, .other: nil
      }
    }
  }
}

extension DeviceFailure? {
  /// - Parameter code: the result of a C function: a negative errno if it failed.
  @_noAllocation @_noLocks
  init(alsaCode code: CInt) {
    if code < 0 { self = DeviceFailure(errno: -code) } else { self = nil }
  }
}

/// The outcome of a call that moves or counts samples.
enum Transfer: BitwiseCopyable {
  /// The samples per channel, at least 0.
  case samples(Int)
  /// No samples or no room yet (EAGAIN).
  case notReady
  /// Nothing happened: call again (EINTR).
  case interrupted
  case failed(DeviceFailure)

  /// - Parameter code: the result of a C function.
  @_noAllocation @_noLocks
  init(alsaCode code: Int) {
    switch code {
    case 0...: self = .samples(code)
    case -Int(EAGAIN): self = .notReady
    case -Int(EINTR): self = .interrupted
    default: self = .failed(DeviceFailure(errno: CInt(-code)))
    }
  }
}

/// The outcome of a wait for a device.
enum Readiness: BitwiseCopyable {
  /// It can move samples.
  case ready
  /// The time is over.
  case notYet
  /// It needs recovery.
  case failed(DeviceFailure)

  /// - Parameter code: the result of `snd_pcm_wait`.
  @_noAllocation @_noLocks
  init(alsaCode code: CInt) {
    switch code {
    case 1: self = .ready
    case 0, -EINTR, -EAGAIN: self = .notYet
    default: self = .failed(DeviceFailure(errno: -code))
    }
  }
}

/// The outcome of a recovery.
enum Recovery: BitwiseCopyable {
  /// It was restarted; for a capture, `asked` is the time of the request.
  case restarted(asked: MonotonicTime)
  /// It resumed after a system sleep; `asked` is the time of the request.
  case resumed(asked: MonotonicTime)
  /// It does not come back.
  case lost(DeviceFailure)
}
