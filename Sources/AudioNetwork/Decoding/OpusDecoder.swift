// SPDX-License-Identifier: Apache-2.0

/// The needed functions of libopus, loaded for the first stream of Opus.
@safe
private struct OpusLibrary: Sendable {
  typealias Create = @convention(c) (Int32, Int32, UnsafeMutablePointer<Int32>?) -> OpaquePointer?
  typealias Initialize = @convention(c) (OpaquePointer, Int32, Int32) -> Int32
  typealias Decode =
    @convention(c) (
      OpaquePointer, UnsafePointer<UInt8>?, Int32, UnsafeMutablePointer<Float>?, Int32, Int32
    ) -> Int32
  typealias Destroy = @convention(c) (OpaquePointer) -> Void

  private static let name = "libopus.so.0"
  private static let loaded = OpusLibrary()

  let create: Create
  let initialize: Initialize
  let decode: Decode
  let destroy: Destroy

  private init?() {
    guard let library = LoadedLibrary(Self.name),
      let create: Create = unsafe library.function("opus_decoder_create"),
      let initialize: Initialize = unsafe library.function("opus_decoder_init"),
      let decode: Decode = unsafe library.function("opus_decode_float"),
      let destroy: Destroy = unsafe library.function("opus_decoder_destroy")
    else { return nil }
    unsafe self.create = create
    unsafe self.initialize = initialize
    unsafe self.decode = decode
    unsafe self.destroy = destroy
  }

  static func load(for stream: String) throws(AudioError) -> OpusLibrary {
    guard let loaded else {
      throw AudioError(
        .unsupported, cannot: "receive Opus from", stream, because: "\(name) cannot be loaded",
        advice: "apt install libopus0")
    }
    return loaded
  }
}

/// libopus's state of a decoder; freed with this.
@safe
private struct OpusHandle: ~Copyable {
  private let library: OpusLibrary
  private let state: OpaquePointer
  private let channelCount: Int32

  init(_ library: OpusLibrary, channelCount: Int, _ stream: String) throws(AudioError) {
    guard
      let state = unsafe library.create(
        Int32(OpusPacket.sampleRate), Int32(channelCount), nil)
    else {
      throw AudioError(
        .unavailable, cannot: "receive Opus from", stream, because: "libopus gives no decoder")
    }
    unsafe self.state = state
    self.library = library
    self.channelCount = Int32(channelCount)
  }

  deinit { unsafe library.destroy(state) }

  /// Forgets what was decoded. The corresponding C function is `opus_decoder_init`.
  func reset() {
    _ = unsafe library.initialize(state, Int32(OpusPacket.sampleRate), channelCount)
  }

  /// - Returns: samples per channel; negative for a packet that libopus refuses.
  func decode(_ packet: RawSpan, into samples: inout [Float]) -> Int {
    unsafe packet.withUnsafeBytes { bytes in
      unsafe samples.withUnsafeMutableBufferPointer { room in
        let packet = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        return unsafe Int(
          library.decode(
            state, packet, Int32(bytes.count), room.baseAddress,
            Int32(room.count) / channelCount, 0))
      }
    }
  }
}

/// Decodes the packets of Opus one after another. The thread of the network.
final class OpusDecoder {
  private let handle: OpusHandle
  private let channelCount: Int
  private var samples: [Float]

  /// - Parameter stream: in errors.
  /// - Throws: `unsupported` without libopus; `unavailable`.
  init(channelCount: Int, _ stream: String) throws(AudioError) {
    handle = try OpusHandle(OpusLibrary.load(for: stream), channelCount: channelCount, stream)
    self.channelCount = channelCount
    samples = [Float](repeating: 0, count: OpusPacket.longest * channelCount)
  }

  /// Forgets all that was decoded: nothing behind a gap is made of samples before it.
  func reset() { handle.reset() }

  /// Gives the samples of a packet to `take`.
  ///
  /// - Parameters:
  ///   - count: samples per channel that the packet states.
  ///   - known: how many of the first of them are not wanted.
  /// - Returns: false for a packet that cannot be decoded.
  func decode(_ packet: RawSpan, count: Int, known: Int, _ take: (RawSpan) -> Void) -> Bool {
    guard handle.decode(packet, into: &samples) == count else { return false }
    let size = channelCount * MemoryLayout<Float>.size
    let decoded = samples
    unsafe take(decoded.span.bytes.extracting(known * size..<count * size))
    return true
  }
}
