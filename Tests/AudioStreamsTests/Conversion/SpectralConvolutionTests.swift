// SPDX-License-Identifier: Apache-2.0
import AudioKernels
import Foundation
import TestSupport
import Testing

@testable import AudioStreams

/// Transforms and blocks: by the definition of the Fourier transform, and beside the conversion in one step.
@Suite struct SpectralConvolutionTests {
  /// Every radix, alone and beside others, in and beyond the nearest cache.
  @Test(arguments: [2, 3, 4, 5, 7, 8, 12, 35, 49, 60, 147, 210, 256, 280, 480, 525])
  func aTransformIsTheSumThatDefinesIt(_ size: Int) throws {
    let tables = TransformTables(size: size)
    #expect(tables.radices.reduce(1, *) == size)
    let signals: [[Double]] = (0..<8).map { Noise.samples(size, seed: UInt64($0)) }
    // The real parts of four signals, value after value, then the imaginary ones.
    var values = [0, 4].flatMap { first in
      (0..<size).flatMap { index in (first..<first + 4).map { signals[$0][index] } }
    }
    _ = unsafe values.withUnsafeMutableBytes { bytes in
      unsafe tables.withPlan { plan in
        guard let base = bytes.baseAddress else { return }
        unsafe KernelTable.current.fourier.transform(plan, base)
      }
    }
    for bin in stride(from: 0, to: size, by: max(1, size / 24)) {
      let place = Int(tables.place(ofBin: bin)) * 4
      for lane in 0..<4 {
        var (real, imaginary) = (0.0, 0.0)
        for index in 0..<size {
          let angle = -2 * Double.pi * Double(bin * index % size) / Double(size)
          let (a, b) = (signals[lane][index], signals[lane + 4][index])
          real += a * cos(angle) - b * sin(angle)
          imaginary += a * sin(angle) + b * cos(angle)
        }
        #expect(abs(values[place + lane] - real) < 1e-12 * Double(size), "bin \(bin)")
        let other = values[4 * size + place + lane]
        #expect(abs(other - imaginary) < 1e-12 * Double(size), "bin \(bin)")
      }
    }
  }

  @Test func blocksHoldWholePeriodsAndAllTaps() throws {
    for rates in [(44_100, 48_000), (48_000, 16_000), (8_000, 48_000), (192_000, 44_100)] {
      let ratio = ResamplingRatio(from: rates.0, to: rates.1)
      for quality in ResamplerQuality.allCases {
        let taps = quality.tapCount(for: ratio)
        let blocks = try #require(SpectralBlocks(ratio, taps: taps))
        #expect(blocks.hop % ratio.step == 0 && blocks.outputHop % ratio.phaseCount == 0)
        #expect(blocks.hop * ratio.phaseCount == blocks.outputHop * ratio.step)
        #expect(blocks.inputSize * ratio.phaseCount == blocks.outputSize * ratio.step)
        #expect(blocks.hop + taps - 1 <= blocks.inputSize)
      }
    }
    #expect(SpectralBlocks(ResamplingRatio(from: 44_100, to: 47_999), taps: 192) == nil)
  }

  /// The response is that of the filter of one step, computed from its coefficients, to the stop band that half samples
  /// fold back.
  @Test(arguments: [(ResamplerQuality.fast, 1e-5), (.high, 1e-7), (.best, 1e-9)])
  func theResponseIsThatOfOneStep(_ quality: ResamplerQuality, _ tolerance: Double) {
    let ratio = ResamplingRatio(from: 1, to: 4)
    let design = quality.design(for: ratio)
    let filter = PolyphaseFilter<Double>(ratio: ratio, design)
    let response = design.response(atMultiplesOf: 1.0 / 64, count: 64)
    for (bin, gain) in response.enumerated() {
      var sum = 0.0
      for row in 0..<4 {
        for tap in 0..<design.taps {
          let time = Double(row) / 4 + Double(design.taps / 2 - 1 - tap)
          let place = row * design.taps + tap
          sum += filter.coefficients[place] * cos(Double.pi * Double(bin) / 64 * time) / 4
        }
      }
      #expect(abs(sum - gain) < tolerance)
    }
  }

  /// Signals that differ by magnitudes: a lane does not touch another.
  @Test func channelsStayApart() throws {
    let loud: [Double] = Noise.samples(30_000)
    let format = try StreamFormat(sampleRate: 44_100, channelCount: 2)
    let filter = ResamplerFilter<Double>(
      ratio: ResamplingRatio(from: 44_100, to: 48_000), quality: .best, isInBlocks: true)
    let output = try run(
      Resampler(from: format, sampleRate: 48_000, filter: filter),
      on: loud.flatMap { [$0, 0] })
    #expect(stride(from: 1, to: output.count, by: 2).allSatisfy { output[$0] == 0 })
  }
}
