internal import CALSA

/// An open ALSA PCM.
///
/// Always in non-blocking mode: a blocking read hangs for ever when, for example, a JACK server dies,
/// whereas `snd_pcm_wait` can be bounded. `deinit` closes silently.
/// Corresponds to `snd_pcm_t`.
@safe
struct PCMHandle: ~Copyable, @unchecked Sendable {
  let name: String
  let direction: DeviceDirection
  /// Only for the calls in this folder; libasound locks inside, so any thread may use it.
  let pcm: OpaquePointer

  /// The corresponding C function is `snd_pcm_open`.
  init(opening name: String, for direction: DeviceDirection) throws(AudioError) {
    var code = 0
    do {
      try self.init(opening: name, for: direction, code: &code)
    } catch {
      throw KernelSound().explain(error, code: code, opening: name, direction)
    }
  }

  /// - Parameter code: becomes what `snd_pcm_open` answered.
  init(
    opening name: String, for direction: DeviceDirection, code: inout Int
  ) throws(AudioError) {
    let stream = direction == .capture ? SND_PCM_STREAM_CAPTURE : SND_PCM_STREAM_PLAYBACK
    var pcm: OpaquePointer?
    var answer: CInt = 0
    defer { code = Int(answer) }
    try callALSA("snd_pcm_open", cannot: "open device", name) {
      answer = unsafe snd_pcm_open(&pcm, name, stream, SND_PCM_NONBLOCK)
      return answer
    }
    guard let pcm = unsafe pcm else {
      throw AudioError(.notFound, cannot: "open device", name, because: "no such device")
    }
    self.name = name
    self.direction = direction
    unsafe self.pcm = pcm
  }

  deinit { unsafe snd_pcm_close(pcm) }
}
