// SPDX-License-Identifier: Apache-2.0
/// A reversed source: its last sample comes first.
///
/// Like a ``SpooledSource``, it reads its source to the end into a temporary file before it delivers samples. Samples
/// stay unchanged. Metadata about positions is dropped and reported. Session thread only.
package final class ReversedSource: AudioSource, ComposedSource {
  private let spooled: SpooledSource
  package var sources: [any AudioSource] { [spooled] }
  /// The samples per channel still to deliver.
  private var remaining: Int64 = 0
  private var width = 1
  private var layout = SampleLayout(SampleStorage.f32)
  private var file: FileDescriptor?

  /// - Parameters:
  ///   - base: a source that ends, and is not live.
  ///   - limit: the largest size of the temporary file in bytes.
  package init(
    _ base: any AudioSource, limit: Int64 = SoundFileSource.usualSpoolLimit
  ) {
    spooled = SpooledSource(base, limit: limit)
  }

  /// Whether the source continues behind its stored part.
  package var isCutShort: Bool { spooled.isCutShort }

  package var takesProposedFormat: Bool { spooled.takesProposedFormat }

  package func initialize(
    proposing proposal: StreamFormat?, wakeup: Wakeup
  ) throws(AudioError) -> SourceDescription {
    let description = try spooled.initialize(proposing: proposal, wakeup: wakeup)
    file = spooled.spool?.file
    width = description.format.channelCount
    remaining = description.samplesPerChannel ?? 0
    let isSingle = description.encoding.precision == .single
    layout = isSingle ? SampleLayout(SampleStorage.f32) : SampleLayout(SampleStorage.f64)
    return description
  }

  package func metadata() throws(AudioError) -> Metadata? {
    try spooled.metadata()?.withoutPositions(because: "it is reversed")
  }

  package func start() throws(AudioError) { try spooled.start() }

  package func read<Sample: AudioSample>(
    into output: inout OutputSpan<Sample>
  ) throws(AudioError) -> SourceStatus {
    guard remaining > 0, let file else { return .ended }
    let count = Int(min(remaining, Int64(output.freeCapacity / width)))
    guard count > 0 else { return .ready }
    let size = count * width * layout.bytesPerSample
    let offset = (remaining - Int64(count)) * Int64(width * layout.bytesPerSample)
    let bytes = try file.bytes(size, at: offset)
    guard bytes.count == size else {
      throw AudioError(
        .inputOutput, cannot: "read", file.name, because: "the temporary file is cut short")
    }
    let queue = ByteQueue(holding: reversed(bytes))
    Sample.decode(queue.readable(size), as: layout, into: &output)
    remaining -= Int64(count)
    return .ready
  }

  private func reversed(_ bytes: [UInt8]) -> [UInt8] {
    let frame = width * layout.bytesPerSample
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var end = bytes.count
    while end > 0 {
      result += bytes[end - frame..<end]
      end -= frame
    }
    return result
  }

  package func stop() { spooled.stop() }
  package func dispose() { spooled.dispose() }
}
