// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The tensors of a file in the format safetensors. Any thread.
struct Tensors {
  let path: String
  let header: JSONValue
  let bytes: [UInt8]

  init(path: String) throws(AudioError) {
    self.path = path
    var status = stat()
    // A pipe would wait for a writer.
    if unsafe stat(Pathname(path).cString, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      throw Self.failure(path, "it is no regular file")
    }
    let file = try FileDescriptor(reading: path)
    let size = try file.size()
    let length = try file.bytes(8, at: 0).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    guard size >= 8, size < 1 << 24, length <= UInt64(size - 8) else {
      throw Self.failure(path, "its size is not that of the file")
    }
    header = try JSONValue(reading: file.bytes(Int(length), at: 8))
    bytes = try file.bytes(Int(size) - 8 - Int(length), at: 8 + Int64(length))
  }

  private static func failure(_ path: String, _ reason: String) -> AudioError {
    AudioError(
      .malformed, cannot: "read", path, because: reason,
      advice: "install rawaudio's package again, or in its sources say 'make voice-data install'")
  }

  /// The numbers of a tensor, by rows.
  ///
  /// - Throws: `malformed` if the file has no tensor of that name and shape in single precision.
  func numbers(_ name: String, _ shape: [Int]) throws(AudioError) -> [Float] {
    let tensor = header[name]
    let offsets = tensor?["data_offsets"]?.elements?.compactMap(\.int) ?? []
    let count = shape.reduce(1, *)
    guard tensor?["dtype"]?.text == "F32",
      tensor?["shape"]?.elements?.compactMap(\.int) == shape,
      offsets.count == 2, offsets[0] >= 0, offsets[1] - offsets[0] == 4 * count,
      offsets[1] <= bytes.count
    else { throw Self.failure(path, "it holds no tensor '\(name)' of shape \(shape)") }
    return (0..<count).map { index in
      let at = offsets[0] + 4 * index
      let low = UInt32(bytes[at]) | UInt32(bytes[at + 1]) << 8
      return Float(bitPattern: low | UInt32(bytes[at + 2]) << 16 | UInt32(bytes[at + 3]) << 24)
    }
  }
}
