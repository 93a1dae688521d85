// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Foundation
import TestProcess
import Testing

import AudioKernels
@testable import AudioStreams

/// A real filter, compared with its run on the whole file.
@Suite(.enabled(if: Sox.isInstalled, "sox is not installed")) struct SoxTests {
  @Test(arguments: [[16_384], [480], [1, 30_000]])
  func aLowPassIsTheSameAsOnTheWholeFile(_ blocks: [Int]) throws {
    let samples = Noise.integers(100_000, seed: 31).map { $0 / 2 }
    let scratch = ScratchDirectory()
    let bytes = samples.flatMap { sample in
      let word = Float(sample).bitPattern.littleEndian
      return (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
    }
    let input = try scratch.write(bytes)
    let sox = "sox -V1 -t f32 -r 48000 -c 2"
    let command = "\(sox) '\(input)' -t f32 '\(scratch.file("out"))' lowpass 1000"
    #expect(try TestProcess(["/bin/sh", "-c", command]).wait(atMost: 60).exitCode == 0)
    let expected = try contents(scratch.file("out"))

    let outcome = try ProgramHarness<Float>(
      "\(sox) - -t f32 - lowpass 1000", layout: SampleLayout(.f32, .little), channels: 2
    ).run(samples, blocks: blocks)
    #expect(outcome.error == nil)
    let found = outcome.samples.flatMap { sample in
      let word = Float(sample).bitPattern.littleEndian
      return (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
    }
    #expect(found.count == bytes.count)
    #expect(found == expected)
  }
}

private enum Sox {
  static var isInstalled: Bool {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
      FileManager.default.isExecutableFile(atPath: "\($0)/sox")
    }
  }
}
