// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AudioCore

@Suite struct AnswerTimelineTests {
  @Test func withoutGapsAnswersFollowTheStream() {
    var timeline = AnswerTimeline()
    #expect(timeline.run > .max / 2)
    timeline.take(500)
    #expect(timeline.position == 500)
  }

  @Test func answersBehindAGapStandBehindIt() {
    var timeline = AnswerTimeline()
    timeline.skip(30, after: 100)
    timeline.skip(12, after: 100)
    timeline.skip(5, after: 150)
    #expect(timeline.run == 100)
    timeline.take(60)
    #expect(timeline.position == 60)
    #expect(timeline.run == 40)
    timeline.take(40)
    #expect(timeline.position == 142)
    #expect(timeline.run == 50)
    timeline.take(50)
    #expect(timeline.position == 197)
    #expect(timeline.run > .max / 2)
  }

  @Test func aGapBeforeTheNextAnswerCountsAtOnce() {
    var timeline = AnswerTimeline()
    timeline.skip(7, after: 0)
    #expect(timeline.position == 7)
    #expect(timeline.run > .max / 2)
    timeline.skip(3, after: 0)
    #expect(timeline.position == 10)
  }
}
