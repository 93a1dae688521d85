// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Test signals of tones, made by formula, as WAV files of 32-bit floating point at 48 kHz.
struct LoudnessSignal {
  static let sampleRate = 48_000
  let channelCount: Int
  private var data: [UInt8] = []
  private var position = 0

  init(channelCount: Int = 2) { self.channelCount = channelCount }

  var file: [UInt8] {
    WaveBytes.file(
      data, bits: 32, isFloat: true, channelCount: channelCount, sampleRate: Self.sampleRate)
  }

  /// Adds one tone to all channels, its peak at `level` dBFS; nil = silence.
  mutating func add(_ level: Double?, seconds: Double, frequency: Double = 1_000) {
    add(Array(repeating: level, count: channelCount), seconds: seconds, frequency: frequency)
  }

  /// Adds a tone with a peak at one of `levels` in each channel.
  mutating func add(_ levels: [Double?], seconds: Double, frequency: Double = 1_000) {
    let count = Int((seconds * Double(Self.sampleRate)).rounded())
    // 48,000 samples are a whole number of periods of a whole number of hertz.
    let period = Self.sampleRate / greatestDivisor(Self.sampleRate, Int(frequency))
    let amplitudes = levels.map { $0.map { pow(10, $0 / 20) } ?? 0 }
    var block: [Float] = []
    for index in 0..<period {
      let phase = 2 * Double.pi * frequency * Double(position + index) / Double(Self.sampleRate)
      for amplitude in amplitudes { block.append(Float(amplitude * sin(phase))) }
    }
    append(block, count: count)
  }

  /// Adds `count` sample frames, with an equal sample in all channels.
  mutating func add(count: Int, _ value: (Int) -> Double) {
    var block: [Float] = []
    for index in 0..<count {
      let sample = Float(value(index))
      for _ in 0..<channelCount { block.append(sample) }
    }
    append(block, count: count)
  }

  private mutating func append(_ block: [Float], count: Int) {
    let bytes = unsafe block.withUnsafeBytes { unsafe Array($0) }
    let size = count * channelCount * 4
    let start = data.count
    data.reserveCapacity(start + size + bytes.count)
    while data.count < start + size { data.append(contentsOf: bytes) }
    data.removeLast(data.count - start - size)
    position += count
  }

  private func greatestDivisor(_ one: Int, _ other: Int) -> Int {
    other == 0 ? one : greatestDivisor(other, one % other)
  }
}

/// The report of `rawaudio measure --json` on one file.
struct MeasuredLoudness {
  private let object: [String: Any]

  init(_ signal: LoudnessSignal) throws {
    let directory = TemporaryDirectory()
    try directory.write(signal.file, "signal.wav")
    self = try MeasuredLoudness(of: "signal.wav", in: directory)
  }

  init(of name: String, in directory: TemporaryDirectory) throws {
    let run = try directory.run("measure", "--json", name)
    guard run.ending == .exit(0),
      let objects = try JSONSerialization.jsonObject(with: Data(run.standardOutput))
        as? [[String: Any]], objects.count == 1
    else { throw CocoaError(.fileReadUnknown) }
    object = objects[0]
  }

  subscript(_ key: String) -> Double? { object[key] as? Double }

  var channels: [[String: Any]] { object["channels"] as? [[String: Any]] ?? [] }

  func isNull(_ key: String) -> Bool { object[key] is NSNull }
}
