// SPDX-License-Identifier: Apache-2.0
internal import CSpeexDSP

/// The needed functions of libspeexdsp, loaded for the first canceller.
@safe
private struct SpeexLibrary: Sendable {
  typealias Create = @convention(c) (Int32, Int32, Int32, Int32) -> OpaquePointer?
  typealias Cancel =
    @convention(c) (
      OpaquePointer, UnsafePointer<Int16>, UnsafePointer<Int16>, UnsafeMutablePointer<Int16>
    ) -> Void
  typealias Control = @convention(c) (OpaquePointer, Int32, UnsafeMutableRawPointer?) -> Int32
  typealias Destroy = @convention(c) (OpaquePointer) -> Void
  typealias CreateFilter = @convention(c) (Int32, Int32) -> OpaquePointer?
  typealias Filter = @convention(c) (OpaquePointer, UnsafeMutablePointer<Int16>) -> Int32

  /// The library of the header in the build.
  private static let name = "libspeexdsp.so.1"
  private static let loaded = SpeexLibrary()

  let create: Create
  let cancel: Cancel
  let control: Control
  let destroy: Destroy
  let createFilter: CreateFilter
  let filter: Filter
  let controlFilter: Control
  let destroyFilter: Destroy

  private init?() {
    guard let library = LoadedLibrary(Self.name),
      let create: Create = unsafe library.function("speex_echo_state_init_mc"),
      let cancel: Cancel = unsafe library.function("speex_echo_cancellation"),
      let control: Control = unsafe library.function("speex_echo_ctl"),
      let destroy: Destroy = unsafe library.function("speex_echo_state_destroy"),
      let createFilter: CreateFilter = unsafe library.function("speex_preprocess_state_init"),
      let filter: Filter = unsafe library.function("speex_preprocess_run"),
      let controlFilter: Control = unsafe library.function("speex_preprocess_ctl"),
      let destroyFilter: Destroy = unsafe library.function("speex_preprocess_state_destroy")
    else { return nil }
    unsafe self.create = create
    unsafe self.cancel = cancel
    unsafe self.control = control
    unsafe self.destroy = destroy
    unsafe self.createFilter = createFilter
    unsafe self.filter = filter
    unsafe self.controlFilter = controlFilter
    unsafe self.destroyFilter = destroyFilter
  }

  static func load() throws(AudioError) -> SpeexLibrary {
    guard let loaded else {
      throw AudioError(
        .unsupported, cannot: "cancel", "echo",
        because: LoadedLibrary(name) == nil
          ? "\(name) cannot be loaded" : "\(name) lacks the functions for it",
        advice: "install it\(LoadedLibrary(name) == nil ? "" : " anew") (on Debian libspeexdsp1)")
    }
    return loaded
  }
}

/// libspeexdsp's states of one canceller; freed with this. Session thread only.
///
/// Its filter is the multidelay block frequency adaptive filter of J. S. Soo and K. K. Pang (IEEE Trans. ASSP 38, 1990) with
/// the learning rate of J.-M. Valin, "On adjusting the learning rate in frequency domain echo cancellation with double-talk"
/// (IEEE Trans. ASLP 15, 2007). Samples are 16-bit integers on both sides.
@safe
struct EchoCanceller: ~Copyable {
  private let library: SpeexLibrary
  private let state: OpaquePointer
  private let residual: OpaquePointer?

  /// The most attenuation of residual echo in decibels, alone and while the near voice speaks. Measured with the material of
  /// `Scripts/echo-figures`: the library's own values, −40 and −15, take 0.07 PESQ more of the near voice.
  private static let suppression: (alone: Int32, near: Int32) = (-20, -10)

  /// - Parameters:
  ///   - frameLength: samples per channel of a call.
  ///   - tail: the length of the filter, in samples per channel.
  ///   - near: the channels of the microphone.
  ///   - played: the channels of the loudspeaker.
  ///   - suppressesResidual: for one microphone channel.
  /// - Throws: `unsupported` without libspeexdsp; `unavailable`.
  init(
    frameLength: Int, tail: Int, sampleRate: Int, near: Int, played: Int, suppressesResidual: Bool
  ) throws(AudioError) {
    let library = try SpeexLibrary.load()
    guard
      let state = unsafe library.create(
        Int32(frameLength), Int32(tail), Int32(near), Int32(played))
    else { throw Self.refusal }
    let filter =
      suppressesResidual
      ? unsafe library.createFilter(Int32(frameLength), Int32(sampleRate)) : nil
    guard unsafe filter != nil || !suppressesResidual else {
      unsafe library.destroy(state)
      throw Self.refusal
    }
    self.library = library
    unsafe self.state = state
    unsafe residual = filter
    var rate = Int32(sampleRate)
    _ = unsafe library.control(state, SPEEX_ECHO_SET_SAMPLING_RATE, &rate)
    if let filter = unsafe filter { unsafe Self.configure(filter, for: state, library) }
  }

  private static func configure(
    _ filter: OpaquePointer, for state: OpaquePointer, _ library: SpeexLibrary
  ) {
    _ = unsafe library.controlFilter(
      filter, SPEEX_PREPROCESS_SET_ECHO_STATE, UnsafeMutableRawPointer(state))
    // Noise stays, since a recogniser wants it.
    for (key, value) in [
      (SPEEX_PREPROCESS_SET_NOISE_SUPPRESS, 0),
      (SPEEX_PREPROCESS_SET_ECHO_SUPPRESS, suppression.alone),
      (SPEEX_PREPROCESS_SET_ECHO_SUPPRESS_ACTIVE, suppression.near),
    ] {
      var decibels: Int32 = value
      _ = unsafe library.controlFilter(filter, key, &decibels)
    }
  }

  deinit {
    if let residual = unsafe residual { unsafe library.destroyFilter(residual) }
    unsafe library.destroy(state)
  }

  private static var refusal: AudioError {
    AudioError(.unavailable, cannot: "cancel", "echo", because: "libspeexdsp gives no canceller")
  }

  /// Removes the echo from a frame. The corresponding C function is `speex_echo_cancellation`.
  func cancel(_ near: [Int16], _ played: [Int16], into output: inout [Int16]) {
    unsafe library.cancel(state, near, played, &output)
  }

  /// Attenuates the residual echo if that was asked for, and delays the frame by its length then. The corresponding C
  /// function is `speex_preprocess_run`.
  func suppress(_ output: inout [Int16]) {
    if let residual = unsafe residual { _ = unsafe library.filter(residual, &output) }
  }
}
