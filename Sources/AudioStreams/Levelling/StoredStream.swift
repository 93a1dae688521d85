// SPDX-License-Identifier: Apache-2.0

/// A stream in a temporary file, which can be read more than once: with a gain, and through a limiter. One thread.
final class StoredStream {
  let format: StreamFormat
  private let name: String
  private let file: FileDescriptor
  private var length: Int64 = 0
  /// The layout of the samples in the file: the session's sample type.
  private var stored = SampleLayout(SampleStorage.f64)

  /// - Parameter name: in errors.
  init(_ format: StreamFormat, named name: String) throws(AudioError) {
    self.format = format
    self.name = name
    file = try SpooledFile.empty(named: name)
  }

  func append<Sample: AudioSample>(_ samples: Span<Sample>) throws(AudioError) {
    length += Int64(samples.count)
    stored =
      Sample.precision == .double
      ? SampleLayout(SampleStorage.f64) : SampleLayout(SampleStorage.f32)
    do throws(AudioError) {
      _ = try unsafe samples.bytes.withUnsafeBytes {
        (bytes: UnsafeRawBufferPointer) throws(AudioError) in try unsafe file.writeAll(bytes)
      }
    } catch {
      var failure = error
      failure.action = "spool the data for"
      throw failure
    }
  }

  /// Reads all of the stream.
  ///
  /// - Parameters:
  ///   - gain: in decibels.
  ///   - setting: of the limiter; nil if there is none.
  ///   - wakeup: may abandon the reading.
  ///   - take: gets the samples; reading ends once it answers `readerGone`.
  /// - Returns: the limiter's largest reduction, in decibels.
  /// - Throws: `interrupted`, `inputOutput`; the error of `take`.
  func read(
    gain: Double, through setting: LimiterSetting?, _ wakeup: Wakeup?,
    _ take: (Span<Double>) throws(AudioError) -> SinkStatus
  ) throws(AudioError) -> Double {
    let factor = Decibels.factor(gain)
    let tally = LimiterStatistics()
    let limiter = setting.map { LimiterStage<Double>(format: format, $0, tally: tally) }
    let block = BlockSize.samplesPerChannel(format) * format.channelCount
    let samples = SampleQueue<Double>()
    let output = SampleQueue<Double>()
    var place: Int64 = 0
    while place < length {
      if wakeup?.request == .abandon {
        throw AudioError(
          .interrupted, cannot: "level", name, because: "the session was abandoned")
      }
      let count = Int(min(Int64(block), length - place))
      try read(count, at: place, into: samples)
      place += Int64(count)
      var scaled = samples.writable(0..<count)
      Double.scale(&scaled, by: factor)
      guard let limiter else {
        guard try take(samples.readable) == .accepted else { return 0 }
        samples.removeAll()
        continue
      }
      limiter.process(samples.readable, into: output)
      samples.removeAll()
      guard try take(output.readable) == .accepted else { break }
      output.removeAll()
    }
    while let limiter, !limiter.isFinished {
      limiter.finish(into: output)
      guard try take(output.readable) == .accepted else { break }
      output.removeAll()
    }
    return -Decibels.level(tally.leastGain)
  }

  private func read(
    _ count: Int, at place: Int64, into samples: SampleQueue<Double>
  ) throws(AudioError) {
    let layout = stored
    let size = count * layout.bytesPerSample
    let bytes = ByteQueue(capacity: size)
    while bytes.count < size {
      let offset = place * Int64(layout.bytesPerSample) + Int64(bytes.count)
      let more = try unsafe bytes.append { (target) throws(AudioError) in
        try unsafe file.read(into: target, at: offset)
      }
      guard more > 0 else {
        throw AudioError(
          .inputOutput, cannot: "read", name, because: "its temporary file is cut short")
      }
    }
    samples.append(atMost: count) { output in
      Double.decode(bytes.readable(size), as: layout, into: &output)
    }
  }
}
