// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import Foundation
import TestSupport
import Testing

/// The complete output of a source.
struct Recording {
  var description: SourceDescription
  var samples: [Double]
  var truncation: Truncation?
}

func record(_ source: SoundFileSource, skipping skipped: Int64 = 0, block: Int = 600) throws
  -> Recording
{
  defer { source.dispose() }
  let description = try source.initialize(proposing: nil, wakeup: Wakeup())
  try source.start()
  if skipped > 0 { try source.skip(samplesPerChannel: skipped) }
  var samples: [Double] = []
  let channels = description.format.channelCount
  let queue = TestQueue(capacity: (block + channels - 1) / channels * channels)
  while try queue.take(from: source, into: &samples) == .ready {}
  source.stop()
  return Recording(
    description: description, samples: samples, truncation: source.truncation)
}

/// A block of free samples for `read(into:)`.
@safe
final class TestQueue {
  private let storage: UnsafeMutableBufferPointer<Double>

  init(capacity: Int) { unsafe storage = .allocate(capacity: capacity) }
  deinit { unsafe storage.deallocate() }

  func take(from source: SoundFileSource, into samples: inout [Double]) throws -> SourceStatus {
    var output = unsafe OutputSpan(buffer: storage, initializedCount: 0)
    let status = try source.read(into: &output)
    let count = unsafe output.finalize(for: storage)
    unsafe samples.append(contentsOf: storage[..<count])
    return status
  }
}

/// Writes `samples` through a sink, in blocks of `block` samples, and completes it.
func store(
  _ samples: [Double], _ sink: SoundFileSink, _ format: StreamFormat, block: Int = 960
) throws {
  defer { sink.dispose() }
  try sink.begin(format)
  var start = 0
  while start < samples.count {
    let end = min(samples.count, start + block * format.channelCount)
    _ = try sink.write(samples.span.extracting(start..<end))
    start = end
  }
  try sink.stop(.finished)
}

/// Writes `samples` to a file.
func store(
  _ samples: [Double], in path: String, _ file: FileFormat, _ format: StreamFormat,
  overwrite: Bool = false
) throws {
  try store(samples, SoundFileSink(path: path, format: file, overwrite: overwrite), format)
}

/// Writes ``material(_:channels:bits:rate:)`` of 16 bits to a file, with as many channels as `format` has.
func storeMaterial(
  _ sampleFrames: Int, in path: String, _ file: FileFormat, _ format: StreamFormat,
  rate: Double = 48_000, overwrite: Bool = false
) throws {
  try store(
    material(sampleFrames, channels: format.channelCount, bits: 16, rate: rate), in: path, file,
    format, overwrite: overwrite)
}

/// Writes `samples` to an initialised sink.
func feed(_ samples: [Double], _ sink: SoundFileSink) throws {
  _ = try sink.write(samples.span)
}

/// Returns deterministic samples on the grid of `bits`: both extremes of the range, then a quiet-to-loud chord.
func material(_ sampleFrames: Int, channels: Int, bits: Int, rate: Double = 48_000) -> [Double] {
  let scale = Double(1 << (bits - 1))
  var samples: [Double] = []
  for index in 0..<sampleFrames {
    for channel in 0..<channels {
      let time = Double(index) / rate
      let tone = 0.45 * sin(2 * .pi * 440 * Double(channel + 1) * time)
      let other = 0.3 * sin(2 * .pi * 1_234.5 * time + Double(channel))
      samples.append(((tone + other) * scale).rounded() / scale)
    }
  }
  if sampleFrames > 2 {
    for channel in 0..<channels {
      samples[channel] = -1
      samples[channels + channel] = (scale - 1) / scale
    }
  }
  return samples
}

/// Returns the ratio of `signal` to its difference from `other`, in decibels.
func signalToNoise(_ signal: ArraySlice<Double>, _ other: ArraySlice<Double>) -> Double {
  var power = 0.0
  var noise = 0.0
  for (left, right) in zip(signal, other) {
    power += left * left
    noise += (left - right) * (left - right)
  }
  return noise == 0 ? .infinity : 10 * log10(power / noise)
}
