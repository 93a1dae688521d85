// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Synchronization
import Testing

/// Reads a stream to its end in blocks of random length and keeps the samples without the silence.
final class ReadingThread: Sendable {
  private let running: OtherThread.Running
  private let collected: Collected

  init(_ reader: PullReader, blocks: ClosedRange<Int>) {
    let collected = Collected()
    running = OtherThread.run {
      var all: [Float] = []
      var state = PullRead.State.running
      var generator = SeededRandom(seed: 1)
      while state == .running, reader.wait(atMost: .milliseconds(20_000)) {
        let channelCount = reader.format?.channelCount ?? 1
        let size = Int.random(in: blocks, using: &generator)
        var block = [Float](repeating: -9, count: size * channelCount)
        var span = block.mutableSpan
        do {
          let result = try reader.read(into: &span)
          state = result.state
          let length = result.samplesPerChannel * channelCount
          if result.samplesPerChannel + result.silence != block.count / channelCount
            || block[length...].contains(where: { $0 != 0 })
          {
            Issue.record("the rest of a block is not silence")
          }
          all += block[..<length]
        } catch {
          Issue.record("\(error)")
          return
        }
      }
      collected.samples.withLock { $0 = all }
    }
    self.collected = collected
  }

  private final class Collected: Sendable {
    let samples = Mutex([Float]())
  }

  /// Waits for the end of the stream.
  func samples() -> [Float] {
    running.wait()
    return collected.samples.withLock { $0 }
  }
}
