internal import CALSA

/// The configurations that a PCM can still take, narrowed by each `set`.
///
/// Use it only while the PCM that it was made of is open. Corresponds to `snd_pcm_hw_params_t`.
@safe
struct HardwareParameters: ~Copyable {
  let device: String
  let pcm: OpaquePointer
  let parameters: OpaquePointer

  /// All configurations of `handle`.
  ///
  /// The corresponding C function is `snd_pcm_hw_params_any`.
  init(of handle: borrowing PCMHandle) throws(AudioError) {
    var allocated: OpaquePointer?
    let name = handle.name
    let pcm = unsafe handle.pcm
    try callALSA("snd_pcm_hw_params_malloc", cannot: "open device", name) {
      unsafe snd_pcm_hw_params_malloc(&allocated)
    }
    guard let parameters = unsafe allocated else {
      throw AudioError(.unavailable, cannot: "open device", name, because: "out of memory")
    }
    do {
      try callALSA("snd_pcm_hw_params_any", cannot: "open device", name) {
        unsafe snd_pcm_hw_params_any(pcm, parameters)
      }
    } catch {
      unsafe snd_pcm_hw_params_free(parameters)
      throw error
    }
    self.device = name
    unsafe self.pcm = pcm
    unsafe self.parameters = parameters
  }

  deinit { unsafe snd_pcm_hw_params_free(parameters) }

  /// Makes this the PCM's configuration. The corresponding C function is `snd_pcm_hw_params`.
  func install() throws(AudioError) {
    try callALSA("snd_pcm_hw_params", cannot: "configure device", device) {
      unsafe snd_pcm_hw_params(pcm, parameters)
    }
  }
}
