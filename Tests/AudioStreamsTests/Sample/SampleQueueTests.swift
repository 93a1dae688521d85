// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AudioStreams

@Suite struct SampleQueueTests {
  @Test func givesBackWhatWasAppendedInOrder() {
    let queue = SampleQueue<Float>()
    var next: Float = 0
    var expected: Float = 0
    for round in 1...200 {
      queue.append(atMost: round) { output in
        for _ in 0..<round / 2 {
          output.append(next)
          next += 1
        }
      }
      let taken = min(queue.count, round / 3)
      for index in 0..<taken { #expect(queue.readable[index] == expected + Float(index)) }
      expected += Float(taken)
      queue.consume(taken)
    }
    #expect(queue.count == Int(next - expected))
  }

  @Test func keepsWhatAFailingFillHadWritten() {
    struct Stop: Error {}
    let queue = SampleQueue<Double>()
    #expect(throws: Stop.self) {
      try queue.append(atMost: 4) { output throws(Stop) in
        output.append(1)
        throw Stop()
      }
    }
    #expect(queue.count == 1)
    #expect(queue.readable[0] == 1)
  }
}
