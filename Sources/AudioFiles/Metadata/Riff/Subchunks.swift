// SPDX-License-Identifier: Apache-2.0
/// The chunks behind the type of a RIFF list: names and contents, which are not copied. The sequence ends with the
/// list, or at bytes that are no chunk.
struct Subchunks: Sequence, IteratorProtocol {
  private var reader: ByteReader
  private let order: ByteOrder

  init(_ list: ArraySlice<UInt8>, _ order: ByteOrder) {
    reader = ByteReader(list)
    self.order = order
  }

  mutating func next() -> (name: String, content: ArraySlice<UInt8>)? {
    guard let name = reader.bytes(4).flatMap({ ChunkCollection.name($0) }),
      let size = reader.integer(4, order), let content = reader.bytes(Int(size))
    else { return nil }
    if size % 2 == 1 { _ = reader.bytes(1) }
    return (name, content)
  }
}
