// SPDX-License-Identifier: Apache-2.0
// The functions that programs in other languages call, each as a C header would declare it. `Scripts/package/wheel.py` links
// them into the shared library of the Python package, which exports them and nothing else.
//
// A handle belongs to the caller, who frees it. One thread at a time uses a handle; threads with handles of their own work at
// the same time. No function keeps memory of the caller.

internal import AudioStreams

/// `void *rawaudio_resampler_make(int64_t from, int64_t to, int64_t channels, const char *quality, const char *input,
/// const char *output, bool is_live, int64_t helpers, char *failure, int64_t room)`
///
/// Begins a rate conversion. It takes a lock, and computes a filter when a pair of rates is new.
///
/// - Parameters:
///   - inputRate: in hertz.
///   - outputRate: in hertz.
///   - quality: the name of a ``ResamplerQuality``.
///   - input: the encoding of the samples that come: `f32`, `s16`, ….
///   - output: that of those that are wanted.
///   - isLive: whether samples come with the shortest delay, as in a live session; otherwise as in a file's conversion.
///   - helpers: the most threads that help the caller. They start when the stream is long, and end with the handle.
///   - failure: gets the sentence of an error, which a zero ends.
///   - room: the bytes of `failure`.
/// - Returns: a handle; null if it failed.
@_cdecl("rawaudio_resampler_make")
public func makeResampler(
  _ inputRate: Int, _ outputRate: Int, _ channelCount: Int, _ quality: UnsafePointer<CChar>,
  _ input: UnsafePointer<CChar>, _ output: UnsafePointer<CChar>, _ isLive: Bool, _ helpers: Int,
  _ failure: UnsafeMutablePointer<CChar>, _ room: Int
) -> UnsafeMutableRawPointer? {
  do throws(AudioError) {
    let resampler = try unsafe ArrayResampler(
      from: StreamFormat(sampleRate: inputRate, channelCount: channelCount), to: outputRate,
      quality: String(cString: quality), input: String(cString: input),
      output: String(cString: output), isLive: isLive, helpers: helpers)
    return unsafe Unmanaged.passRetained(resampler).toOpaque()
  } catch {
    unsafe write(error.description, to: failure, room)
    return nil
  }
}

/// `int64_t rawaudio_resampler_process(void *resampler, const void *samples, int64_t count, bool is_last, void *target)`
///
/// Converts the next samples of a stream.
///
/// - Parameters:
///   - samples: interleaved, in the encoding of the input.
///   - count: in samples per channel.
///   - isLast: whether the stream ends with them.
///   - target: has room for ⌈n × output rate / input rate⌉ samples per channel less those that have come, n being the
///     length of the stream so far with these samples.
/// - Returns: the samples per channel that are in `target` now.
@_cdecl("rawaudio_resampler_process")
public func processSamples(
  _ resampler: UnsafeRawPointer, _ samples: UnsafeRawPointer, _ count: Int, _ isLast: Bool,
  _ target: UnsafeMutableRawPointer
) -> Int {
  let resampler = unsafe Unmanaged<ArrayResampler>.fromOpaque(resampler).takeUnretainedValue()
  return unsafe resampler.process(samples, count, isLast: isLast, to: target)
}

/// `void rawaudio_resampler_free(void *resampler)`
@_cdecl("rawaudio_resampler_free")
public func freeResampler(_ resampler: UnsafeRawPointer) {
  unsafe Unmanaged<ArrayResampler>.fromOpaque(resampler).release()
}

/// `void *rawaudio_voice_make(int64_t rate, int64_t channels, const char *input, const char *path, char *failure, int64_t
/// room)`
///
/// Begins to tell speech from other sounds in a stream.
///
/// - Parameters:
///   - rate: in hertz.
///   - input: the encoding of the samples that come.
///   - path: the file of the model; empty = the installed one.
///   - failure: gets the sentence of an error, which a zero ends.
///   - room: the bytes of `failure`.
/// - Returns: a handle; null if it failed.
@_cdecl("rawaudio_voice_make")
public func makeVoice(
  _ rate: Int, _ channelCount: Int, _ input: UnsafePointer<CChar>, _ path: UnsafePointer<CChar>,
  _ failure: UnsafeMutablePointer<CChar>, _ room: Int
) -> UnsafeMutableRawPointer? {
  do throws(AudioError) {
    let voice = try unsafe ArrayVoice(
      of: StreamFormat(sampleRate: rate, channelCount: channelCount),
      input: SampleLayout(named: String(cString: input)), path: Pathname(cString: path).text)
    return unsafe Unmanaged.passRetained(voice).toOpaque()
  } catch {
    unsafe write(error.description, to: failure, room)
    return nil
  }
}

/// `int64_t rawaudio_voice_process(void *voice, const void *samples, int64_t count, bool is_last, float *probabilities)`
///
/// Takes the next samples of a stream.
///
/// - Parameters:
///   - samples: interleaved, in the encoding of the input.
///   - count: in samples per channel.
///   - isLast: whether the stream ends with them.
///   - probabilities: has room for one for each 32 ms of the stream so far with these samples, and three more, less those
///     that have come.
/// - Returns: the number of probabilities written.
@_cdecl("rawaudio_voice_process")
public func processVoice(
  _ voice: UnsafeRawPointer, _ samples: UnsafeRawPointer, _ count: Int, _ isLast: Bool,
  _ probabilities: UnsafeMutablePointer<Float>
) -> Int {
  let voice = unsafe Unmanaged<ArrayVoice>.fromOpaque(voice).takeUnretainedValue()
  return unsafe voice.process(samples, count, isLast: isLast, to: probabilities)
}

/// `int64_t rawaudio_voice_stretches(const float *probabilities, int64_t count, double on, double off, int64_t hold, int64_t
/// *stretches)`
///
/// Finds the stretches of speech in the probabilities of a whole stream.
///
/// - Parameters:
///   - on: the probability from which it is speech.
///   - off: the probability below which it is none.
///   - hold: the longest pause within a stretch, in samples at 16 kHz.
///   - stretches: has room for two numbers for each probability: the first step of a stretch, and that behind its last one.
/// - Returns: the number of stretches written.
@_cdecl("rawaudio_voice_stretches")
public func findStretches(
  _ probabilities: UnsafePointer<Float>, _ count: Int, _ on: Double, _ off: Double, _ hold: Int,
  _ stretches: UnsafeMutablePointer<Int64>
) -> Int {
  var speech = SpeechStretches(SpeechThreshold(on: on, off: off), hold: Int64(hold))
  var found = 0
  func tell(_ change: SpeechStretches.Change?) {
    guard case .ended(let samples) = change else { return }
    unsafe stretches[2 * found] = samples.lowerBound / VoiceActivity.stepLength
    unsafe stretches[2 * found + 1] = samples.upperBound / VoiceActivity.stepLength
    found += 1
  }
  for index in 0..<count {
    let start = Int64(index) * VoiceActivity.stepLength
    let samples = start..<start + VoiceActivity.stepLength
    tell(
      speech.take(unsafe VoiceActivity.Step(samples: samples, probability: probabilities[index])))
  }
  tell(speech.finish())
  return found
}

/// `void rawaudio_voice_free(void *voice)`
@_cdecl("rawaudio_voice_free")
public func freeVoice(_ voice: UnsafeRawPointer) {
  unsafe Unmanaged<ArrayVoice>.fromOpaque(voice).release()
}

/// Writes as much of a text as there is room for, and a zero.
private func write(_ text: String, to target: UnsafeMutablePointer<CChar>, _ room: Int) {
  var count = 0
  for byte in text.utf8.prefix(room - 1) {
    unsafe target[count] = CChar(bitPattern: byte)
    count += 1
  }
  unsafe target[count] = 0
}
