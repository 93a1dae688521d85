// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestProcess
import TestSupport
import Testing

@testable import AudioStreams

/// The network gives what its definition gives in double precision, written out.
@Suite struct VoiceNetworkTests {
  /// Numbers of the size of those of a real network.
  private static func random(seed: UInt64) -> VoiceNumbers {
    var numbers = VoiceNumbers()
    var random = SeededRandom(seed: seed)
    for index in numbers.tensors.indices {
      let count = numbers.tensors[index].numbers.count
      let width = numbers.tensors[index].shape.dropFirst().reduce(1, *)
      let size = 2 / Float(width).squareRoot()
      numbers.tensors[index].numbers = (0..<count).map { _ in
        Float.random(in: -size...size, using: &random)
      }
    }
    return numbers
  }

  /// The models of the streams, since a file takes a while to make.
  private static let streamModel = Result { try model(random(seed: 3)) }

  /// The definition, without any of the network's shapes in memory.
  private struct Definition {
    let numbers: [String: [Double]]
    var state = [Double](repeating: 0, count: 128)
    var cell = [Double](repeating: 0, count: 128)
    var context = [Double](repeating: 0, count: 64)

    init(_ numbers: VoiceNumbers) {
      self.numbers = Dictionary(
        uniqueKeysWithValues: numbers.tensors.map { ($0.name, $0.numbers.map(Double.init)) })
    }

    private func tensor(_ name: String) -> [Double] { numbers[name] ?? [] }

    mutating func probability(_ step: [Double]) -> Double {
      let heard = context + step
      context = Array(step.suffix(64))
      let mirrored = heard + (1...64).map { heard[heard.count - 1 - $0] }
      // columns[time][channel]
      var columns = (0..<4).map { column in
        (0...128).map { bin in
          var (real, imaginary) = (0.0, 0.0)
          for index in 0..<256 {
            let angle = 2 * Double.pi * Double(bin * index) / 256
            let windowed =
              (0.5 - 0.5 * cos(2 * Double.pi * Double(index) / 256))
              * mirrored[column * 128 + index]
            real += windowed * cos(angle)
            imaginary += windowed * sin(angle)
          }
          return hypot(real, imaginary)
        }
      }
      for (layer, (rows, stride)) in [(128, 1), (64, 2), (64, 2), (128, 1)].enumerated() {
        let (weights, biases) = (tensor("encoder.\(layer).weight"), tensor("encoder.\(layer).bias"))
        columns = Swift.stride(from: 0, to: columns.count, by: stride).map { time in
          (0..<rows).map { row in
            var sum = biases[row]
            for tap in 0..<3 where columns.indices.contains(time + tap - 1) {
              let column = columns[time + tap - 1]
              for input in column.indices {
                sum += column[input] * weights[(row * column.count + input) * 3 + tap]
              }
            }
            return max(0, sum)
          }
        }
      }
      let (biases, others) = (tensor("lstm.bias_ih"), tensor("lstm.bias_hh"))
      let (inputs, states) = (tensor("lstm.weight_ih"), tensor("lstm.weight_hh"))
      let gates = (0..<512).map { row in
        var sum = biases[row] + others[row]
        for index in 0..<128 {
          sum += inputs[row * 128 + index] * columns[0][index]
          sum += states[row * 128 + index] * state[index]
        }
        return sum
      }
      func sigmoid(_ value: Double) -> Double { 1 / (1 + exp(-value)) }
      for unit in 0..<128 {
        cell[unit] =
          sigmoid(gates[128 + unit]) * cell[unit] + sigmoid(gates[unit]) * tanh(gates[256 + unit])
        state[unit] = sigmoid(gates[384 + unit]) * tanh(cell[unit])
      }
      let output = tensor("output.weight")
      return sigmoid(
        (0..<128).reduce(tensor("output.bias")[0]) { $0 + output[$1] * max(0, state[$1]) })
    }
  }

  private static func model(_ numbers: VoiceNumbers) throws -> VoiceModel {
    let folder = ScratchDirectory()
    let path = folder.file("numbers")
    try Data(numbers.bytes).write(to: URL(filePath: path))
    return try VoiceModel(path: path)
  }

  @Test(arguments: [1, 2] as [UInt64])
  func everyProbabilityIsThatOfTheDefinition(seed: UInt64) throws {
    let numbers = Self.random(seed: seed)
    let network = VoiceNetwork(try Self.model(numbers))
    var definition = Definition(numbers)
    var random = SeededRandom(seed: seed + 10)
    var probabilities: [Double] = []
    for step in 0..<5 {
      let size = Float(step % 4) * 0.3
      let samples = (0..<512).map { _ in size * Float.random(in: -1...1, using: &random) }
      let expected = definition.probability(samples.map(Double.init))
      probabilities.append(expected)
      #expect(abs(Double(network.probability(samples.span)) - expected) < 1e-5)
    }
    // A network that always gives one number would show nothing.
    #expect((probabilities.max() ?? 0) - (probabilities.min() ?? 0) > 0.01)
  }

  @Test func samplesThatAreNoNumbersAreForgotten() throws {
    let network = VoiceNetwork(try Self.model(.loud))
    let quiet = [Float](repeating: 0, count: 512)
    let loud = (0..<512).map { Float(0.5 * sin(Double($0))) }
    for wrong in [Float.nan, .infinity, -.infinity, .greatestFiniteMagnitude] {
      _ = network.probability([Float](repeating: wrong, count: 512).span)
      _ = network.probability(quiet.span)
      #expect(network.probability(quiet.span) < 0.01)
      #expect(network.probability(loud.span) > 0.99)
    }
  }

  @Test func aFileThatIsNoModelIsRefused() throws {
    let folder = ScratchDirectory()
    let path = folder.file("numbers")
    let whole = VoiceNumbers.loud.bytes
    var other = VoiceNumbers.loud
    other.tensors.removeAll { $0.name == "lstm.bias_hh" }
    let huge = [UInt8](repeating: 0xFF, count: 8) + whole.dropFirst(8)
    for (bytes, reason) in [
      ([], "its size is not that of the file"), (Array(whole.prefix(7)), "its size"),
      (Array(huge), "its size"), (Array("RIFF....WAVEfmt ".utf8), "its size"),
      (Array(whole.dropLast(1)), "it holds no tensor 'output.bias' of shape [1]"),
      (other.bytes, "it holds no tensor 'lstm.bias_hh' of shape [512]"),
      ([2, 0, 0, 0, 0, 0, 0, 0] + Array("{}".utf8), "it holds no tensor 'encoder.0.weight'"),
      ([2, 0, 0, 0, 0, 0, 0, 0] + Array("[1".utf8), "JSON"),
    ] as [([UInt8], String)] {
      try Data(bytes).write(to: URL(filePath: path))
      do throws(AudioError) {
        _ = try VoiceModel(path: path)
        Issue.record("\(reason)")
      } catch {
        #expect(error.kind == .malformed)
        #expect("\(error)".contains(reason), "\(error)")
      }
    }
    #expect(throws: AudioError.self) { try VoiceModel(path: folder.file("nothing")) }
  }

  // MARK: - Streams

  private func steps<Sample: AudioSample>(
    _ samples: [Sample], rate: Int, channels: Int, block: Int, isLive: Bool = false
  ) throws -> [VoiceActivity.Step] {
    let activity = try VoiceActivity(
      StreamFormat(sampleRate: rate, channelCount: channels),
      Self.streamModel.get(), isLive: isLive)
    var steps: [VoiceActivity.Step] = []
    for start in stride(from: 0, to: samples.count, by: block * channels) {
      let end = min(samples.count, start + block * channels)
      try activity.process(samples.span.extracting(start..<end)) { steps.append($0) }
    }
    try activity.finish { steps.append($0) }
    return steps
  }

  @Test(arguments: [8_000, 16_000, 22_050, 44_100, 48_000, 96_000], [false, true])
  func stepsDoNotDependOnBlocks(rate: Int, isLive: Bool) throws {
    let length = rate + 77
    let samples = Noise.integers(2 * length, seed: 5).map { Float($0 / 3) }
    let whole = try steps(samples, rate: rate, channels: 2, block: length, isLive: isLive)
    for block in [1_001, 160, 37] {
      #expect(
        try steps(samples, rate: rate, channels: 2, block: block, isLive: isLive) == whole)
    }
    // The steps follow one another without a gap, to the end, 32 ms each.
    #expect(whole.first?.samples.lowerBound == 0)
    for (step, next) in zip(whole, whole.dropFirst()) {
      #expect(step.samples.upperBound == next.samples.lowerBound)
      #expect(abs(Double(step.samples.count) / Double(rate) - 0.032) < 1.01 / Double(rate))
    }
    #expect(abs(Int(whole.last?.samples.upperBound ?? 0) - length) <= 1)
    let doubles = samples.map(Double.init)
    #expect(try steps(doubles, rate: rate, channels: 2, block: 512, isLive: isLive) == whole)
  }

  @Test func atSixteenKilohertzTheSamplesReachTheNetworkUnchanged() throws {
    let samples = Noise.integers(16_000, seed: 6).map { Float($0 / 3) }
    let network = VoiceNetwork(try Self.streamModel.get())
    let expected = stride(from: 0, to: 15_872, by: 512).map {
      network.probability(samples.span.extracting($0..<$0 + 512))
    }
    let found = try steps(samples, rate: 16_000, channels: 1, block: 333)
    // Each step has the network's output after the step behind it; the last ones are silence.
    #expect(found.dropLast(2).map(\.probability) == Array(expected.dropFirst()))
    let silence = [Float](repeating: 0, count: 512)
    let rest = Array(samples[15_872...]) + silence.dropFirst(128)
    #expect(found.dropLast().last?.probability == network.probability(rest.span))
    #expect(found.last?.probability == network.probability(silence.span))
    #expect(found.last?.samples == 15_872..<16_000)
  }

  @Test func aStretchOutlivesAShortPause() {
    var stretches = SpeechStretches(SpeechThreshold(on: 0.5, off: 0.3), hold: 1_500)
    let table: [(Float, SpeechStretches.Change?)] = [
      (0.4, nil), (0.5, .began(512)), (0.4, nil), (0.2, nil), (0.4, nil), (0.6, nil),
      (0.29, nil), (0.1, nil), (0.45, .ended(512..<3_072)), (0.9, .began(4_608)),
    ]
    for (index, (probability, change)) in table.enumerated() {
      let start = Int64(index) * 512
      let step = VoiceActivity.Step(samples: start..<start + 512, probability: probability)
      #expect(stretches.take(step) == change, "step \(index)")
    }
    #expect(stretches.finish() == .ended(4_608..<5_120))
    #expect(stretches.finish() == nil)
  }
}
