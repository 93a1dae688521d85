/// The part of a recording that is being written.
final class OpenedPart {
  let sink: SoundFileSink
  let path: String
  /// Where it begins in the stream.
  var position: Int64
  private(set) var samplesPerChannel: Int64 = 0
  /// How many samples are known to fit.
  private var fitting: Int64 = 0
  private let channelCount: Int

  init(_ sink: SoundFileSink, _ path: String, at position: Int64) {
    self.sink = sink
    self.path = path
    self.position = position
    channelCount = sink.encoder?.channelCount ?? 1
  }

  var isEmpty: Bool { samplesPerChannel == 0 }

  func write<Sample: AudioSample>(_ samples: Span<Sample>) throws(AudioError) -> SinkStatus {
    let status = try sink.write(samples)
    let count = Int64(samples.count / channelCount)
    samplesPerChannel += count
    fitting -= count
    return status
  }

  /// How many more samples per channel are known to fit; 0 where there is no room.
  func samplesPerChannelThatFit(in limit: Int64) throws(AudioError) -> Int64 {
    if fitting <= 0 { fitting = try sink.samplesPerChannelThatFit(in: limit) }
    return fitting
  }
}
