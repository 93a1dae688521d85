// SPDX-License-Identifier: Apache-2.0
internal import CALSA

/// The memory of a status report, allocated once.
///
/// Corresponds to `snd_pcm_status_t`.
@safe
struct DeviceStatus: ~Copyable, @unchecked Sendable {
  /// For the calls in this folder only; one thread at a time.
  let status: OpaquePointer

  /// The corresponding C function is `snd_pcm_status_malloc`.
  init(for device: String) throws(AudioError) {
    unsafe status = try allocateALSA("snd_pcm_status_malloc", cannot: "open device", device) {
      unsafe snd_pcm_status_malloc(&$0)
    }
  }

  deinit { unsafe snd_pcm_status_free(status) }
}
