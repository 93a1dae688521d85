// SPDX-License-Identifier: Apache-2.0
internal import CMD5

/// The MD5 of a file's samples, by FLAC's convention: interleaved, little-endian, integers signed and in as few whole
/// bytes as possible (RFC 9639, section 8.2). A FLAC file of these samples states this digest. Files of equal samples
/// have equal digests in any container.
///
/// Session thread only.
final class SampleDigest {
  /// The form of a writer's bytes.
  private enum Form {
    case asStored
    case bigEndian(bytesPerSample: Int)
    case offsetBinary
    /// 32-bit integers of which only the low bytes count.
    case low(bytes: Int, isBig: Bool)
  }

  private var context = MD5_CTX()
  private let form: Form
  private var arranged: [UInt8] = []

  /// - Parameter significantBits: the used bits of a sample; nil = all.
  /// - Returns: nil for a lossy codec, which does not store samples.
  init?(_ encoding: SampleEncoding, layout: SampleLayout, significantBits: Int?) {
    let isBig = layout.byteOrder == .big
    if let bits = significantBits ?? (layout.storage == .s24In32 ? 24 : nil) {
      guard !encoding.isLossy || encoding.bytesPerSample != nil else { return nil }
      form = .low(bytes: (bits + 7) / 8, isBig: isBig)
    } else {
      guard let size = encoding.bytesPerSample, layout.bytesPerSample == size else { return nil }
      form =
        encoding == .u8
        ? .offsetBinary
        : isBig && size > 1 ? .bigEndian(bytesPerSample: size) : .asStored
    }
    unsafe MD5Init(&context)
  }

  /// - Parameter bytes: whole samples.
  func update(_ bytes: UnsafeRawBufferPointer) {
    switch form {
    case .asStored: return unsafe add(bytes)
    case .bigEndian(let size):
      arrange(count: bytes.count) { unsafe bytes[$0 / size * size + size - 1 - $0 % size] }
    case .offsetBinary: arrange(count: bytes.count) { unsafe bytes[$0] ^ 0x80 }
    case .low(let kept, let isBig):
      arrange(count: bytes.count / 4 * kept) {
        unsafe bytes[$0 / kept * 4 + (isBig ? 3 - $0 % kept : $0 % kept)]
      }
    }
  }

  private func arrange(count: Int, _ byte: (Int) -> UInt8) {
    arranged.removeAll(keepingCapacity: true)
    for index in 0..<count { arranged.append(byte(index)) }
    unsafe arranged.withUnsafeBytes { bytes in unsafe add(bytes) }
  }

  private func add(_ bytes: UnsafeRawBufferPointer) {
    guard let start = unsafe bytes.bindMemory(to: UInt8.self).baseAddress else { return }
    unsafe MD5Update(&context, start, bytes.count)
  }

  /// Returns the digest of 16 bytes. Call it once.
  func finish() -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: Int(MD5_DIGEST_LENGTH))
    unsafe MD5Final(&digest, &context)
    return digest
  }
}
