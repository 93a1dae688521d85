@testable import AudioCore

/// The chunks of a RIFF file are pieces of it, and what they say is said again by pieces that are made of it.
func readMetadata(_ input: [UInt8]) {
  let source = HeldBytes(input)
  let middle = Int64(input.first ?? 0)
  do throws(AudioError) {
    let (chunks, _) = try RiffChunks.collect(source, from: 0, around: middle..<middle)
    precondition(chunks.reduce(0) { $0 + $1.content.count + 8 } <= 2 * input.count)
    let metadata = Metadata(interpreting: chunks)
    for marker in metadata.markers { precondition(marker.position >= 0 && marker.length >= 0) }
    for loop in metadata.instrument?.loops ?? [] { precondition(!loop.range.isEmpty) }
    let part = metadata.trimmed(from: 10, length: 1_000).converted(to: 44_100)
    for marker in part.markers { precondition((0...1_000).contains(marker.position)) }
    let (points, labels) = CueList.chunks(part.markers, .little)
    let again = Metadata(interpreting: [
      .init(.riff, "cue ", points), .init(.riff, "LIST", labels ?? []),
      .init(.riff, "LIST", RiffMetadata.list(of: part.tags, .little).0),
    ])
    precondition(again.markers.map(\.position) == part.markers.map(\.position))
  } catch {
    fatalError("\(error)")
  }
}
