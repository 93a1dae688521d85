// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@Suite struct LiveStopTests {
  /// A device without a clock: it always has samples until it is stopped, and then it holds a rest.
  private final class Torrent: AudioSource {
    private var rest = 300
    private(set) var isStopped = false
    private(set) var isDisposed = false

    func initialize(
      proposing proposal: StreamFormat?, wakeup: Wakeup
    ) throws(AudioError) -> SourceDescription {
      SourceDescription(
        format: try StreamFormat(sampleRate: 48_000, channelCount: 1), encoding: .s16,
        pace: .arrival)
    }

    func read<Sample: AudioSample>(
      into output: inout OutputSpan<Sample>
    ) throws(AudioError) -> SourceStatus {
      let count = isStopped ? min(rest, 100) : 100
      if count == 0 { return .ended }
      if isStopped { rest -= count }
      output.append(repeating: 0.5, count: count)
      return .ready
    }

    func stop() { isStopped = true }
    func dispose() { isDisposed = true }
  }

  @Test func aSourceThatNeverPausesIsStoppedAndItsRestDelivered() throws {
    let session = Session()
    let torrent = Torrent()
    try session.setLocal(torrent)
    let sink = try session.collect(.publish)
    session.onProgress = { progress in
      if progress.samplesPerChannel == 500 { session.control.requestStop(.finish) }
    }
    #expect(try session.run().outcome == .stopped)
    #expect(sink.samples.count == 800)
    #expect(torrent.isDisposed)
    session.onProgress = nil
  }
}
