// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import AudioStreams

@Suite struct OverflowBufferTests {
  /// The oracle is an array.
  @Test(arguments: 0..<20 as Range<UInt64>)
  func goesOutInTheOrderInWhichItCame(seed: UInt64) {
    var numbers = SeededRandom(seed: seed)
    var aside = OverflowBuffer(capacity: 500)
    var expected: [UInt8] = []
    for _ in 0..<2_000 {
      if Bool.random(using: &numbers) {
        let bytes = (0..<Int.random(in: 1...90, using: &numbers)).map { _ in
          UInt8.random(in: 0...255, using: &numbers)
        }
        let fits = expected.count + bytes.count <= 500
        #expect(unsafe bytes.withUnsafeBytes { unsafe aside.append($0) } == fits)
        if fits { expected += bytes }
      } else if let first = aside.first {
        let count = Int.random(in: 1...first.count, using: &numbers)
        #expect(Array(first) == Array(expected.prefix(first.count)))
        aside.removeFirst(count)
        expected.removeFirst(count)
      }
      #expect(aside.count == expected.count)
      #expect(aside.isEmpty == expected.isEmpty)
    }
  }
}
