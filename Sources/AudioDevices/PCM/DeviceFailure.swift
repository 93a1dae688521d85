// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// What keeps a device from moving samples: libasound's errno by its meaning.
enum DeviceFailure: Hashable, Sendable, BitwiseCopyable {
  /// Its buffer ran over or empty (EPIPE).
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

  /// What kind of gap it makes; nil where it means that the device is lost.
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
  /// - Parameter code: what a C function answered: a negative errno where it failed.
  @_noAllocation @_noLocks
  init(alsaCode code: CInt) {
    if code < 0 { self = DeviceFailure(errno: -code) } else { self = nil }
  }
}

/// What a call that moves or counts samples came to.
enum Transfer: BitwiseCopyable {
  /// So many samples per channel, at least 0.
  case samples(Int)
  /// There is nothing to take, or no room, yet (EAGAIN).
  case notReady
  /// Nothing happened: call again (EINTR).
  case interrupted
  case failed(DeviceFailure)

  /// - Parameter code: what a C function answered.
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

/// What waiting for a device came to.
enum Readiness: BitwiseCopyable {
  /// It can move samples.
  case ready
  /// The time is over.
  case notYet
  /// It needs recovery.
  case failed(DeviceFailure)

  /// - Parameter code: what `snd_pcm_wait` answered.
  @_noAllocation @_noLocks
  init(alsaCode code: CInt) {
    switch code {
    case 1: self = .ready
    case 0, -EINTR, -EAGAIN: self = .notYet
    default: self = .failed(DeviceFailure(errno: -code))
    }
  }
}

/// What became of a device that had failed.
enum Recovery: BitwiseCopyable {
  /// It was started anew; a capture was asked to at that instant.
  case restarted(asked: MonotonicTime)
  /// It goes on where the system's sleep had interrupted it, as it was asked to at that instant.
  case resumed(asked: MonotonicTime)
  /// It does not come back.
  case lost(DeviceFailure)
}
