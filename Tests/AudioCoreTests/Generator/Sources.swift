// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AudioStreams

/// Returns a source's samples, read in portions of `portion` samples per channel, at most `limit` per channel.
func readAll<Sample: AudioSample>(
  _ source: any AudioSource, as type: Sample.Type = Double.self,
  proposing format: StreamFormat? = nil, portion: Int = 1_000, limit: Int = .max
) throws -> [Sample] {
  let description = try source.initialize(proposing: format, wakeup: Wakeup())
  defer { source.dispose() }
  try source.start()
  let width = description.format.channelCount
  let queue = SampleQueue<Sample>()
  while queue.count < limit {
    let status = try queue.append(atMost: min(portion * width, limit - queue.count)) {
      output throws(AudioError) in
      try source.read(into: &output)
    }
    if case .ended = status { break }
  }
  source.stop()
  return (0..<queue.count).map { queue.readable[$0] }
}
