// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import AudioStreams

/// Held samples come back in order and bit by bit, with or without an exact `Float`.
@Suite struct DelayBufferTests {
  /// Longer than several chunks, in pieces that fit none.
  @Test(arguments: [1, 1_000, 1 << 30])
  func givesBackEveryBit(_ expectedCount: Int) {
    let narrow = Noise.integers(300_000, seed: 1, bits: 16)
    let wide = Noise.integers(300_000, seed: 2, bits: 32).map { $0 / 3 }
    let odd = [
      -0.0, .infinity, -.infinity, .nan, Double(bitPattern: 0x7FF8_0000_0000_0001), 0x1p-149,
      0x1p-150,
      0x1p-1074, .greatestFiniteMagnitude, Double(Float.greatestFiniteMagnitude), 0x1.000001p0,
    ]
    let samples = narrow + wide + odd + narrow + odd + wide
    check(samples, expectedCount)
    check(samples.map { Float($0) }, expectedCount)
  }

  private func check<Sample: AudioSample & BitPatterned>(_ samples: [Sample], _ expectedCount: Int)
  {
    let hold = DelayBuffer<Sample>(expectedCount: expectedCount)
    let output = SampleQueue<Sample>()
    var generator = SplitMix64(seed: 7)
    var (put, found) = (0, 0)
    var firstDifference: Int?
    while found < samples.count {
      let count = min(samples.count - put, Int(generator.next() % 50_000))
      hold.append(samples.span.extracting(put..<put + count))
      put += count
      #expect(hold.count == put - found)
      let taken = put == samples.count ? hold.count : Int(generator.next() % UInt64(hold.count + 1))
      hold.move(taken, to: output)
      for index in 0..<taken where output.readable[index].pattern != samples[found + index].pattern
      {
        firstDifference = firstDifference ?? found + index
      }
      output.removeAll()
      found += taken
    }
    #expect(firstDifference == nil)
    #expect(hold.isEmpty)
  }

  /// 24 bits fit into a `Float`, so an hour of them takes half the memory.
  @Test func doublesThatAreExactAsFloatsAreNarrow() {
    var narrow = [Float](repeating: 1, count: 4)
    let exact: [Double] = [0.5, -0.0, .infinity, 0x1.FFFFFEp0]
    let isExact = unsafe exact.withUnsafeBufferPointer { source in
      unsafe narrow.withUnsafeMutableBufferPointer { target in
        guard let from = source.baseAddress, let to = target.baseAddress else { return false }
        return unsafe KernelTable.current.narrow(from, 4, to)
      }
    }
    #expect(isExact)
    #expect(narrow.map(\.bitPattern) == exact.map { Float($0).bitPattern })
    for sample in [0.1, 0x1p-160, Double(bitPattern: 0x7FF8_0000_0000_0001), 0x1p200] {
      let isExact = unsafe withUnsafePointer(to: sample) { source in
        unsafe narrow.withUnsafeMutableBufferPointer { target in
          guard let to = target.baseAddress else { return true }
          return unsafe KernelTable.current.narrow(source, 1, to)
        }
      }
      #expect(!isExact, "\(sample)")
    }
  }
}

/// A floating-point type with comparable bits.
protocol BitPatterned {
  var pattern: UInt64 { get }
}

extension Float: BitPatterned {
  var pattern: UInt64 { UInt64(bitPattern) }
}

extension Double: BitPatterned {
  var pattern: UInt64 { bitPattern }
}
