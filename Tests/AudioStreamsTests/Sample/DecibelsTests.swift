// SPDX-License-Identifier: Apache-2.0
import AudioStreams
import Testing

@Suite struct DecibelsTests {
  @Test func zeroDecibelsIsExactlyOne() {
    #expect(Decibels.factor(0) == 1)
    #expect(abs(Decibels.factor(20) - 10) < 1e-14)
  }
}
