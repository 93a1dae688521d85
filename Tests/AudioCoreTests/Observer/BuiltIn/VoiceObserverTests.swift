// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestProcess
import TestSupport
import Testing

@testable import AudioCore

/// A `VoiceObserver` tells who speaks, and from which sample on.
@Suite struct VoiceObserverTests {
  private func model() throws -> VoiceModel {
    let folder = ScratchDirectory()
    return try VoiceModel(path: folder.write(VoiceNumbers.loud.bytes))
  }

  private func talk(_ loud: Range<Int>, length: Int) -> [Double] {
    (0..<length).map { (loud.contains($0) ? 0.5 : 0.001) * sin(Double($0) * 0.3) }
  }

  @Test(arguments: [nil, 160, 5_000])
  func everySourceHasItsOwnChanges(samplesPerCall: Int?) throws {
    let session = Session()
    try session.addRemote(
      try GivenSource(talk(4_096..<16_384, length: 32_000), rate: 16_000), id: "anna",
      group: "hall")
    try session.addRemote(
      try GivenSource(talk(20_480..<32_000, length: 32_000), rate: 16_000), id: "ben")
    try session.setSink(NullSink(), at: .playback)
    var told: [SpeechChange] = []
    try session.register(
      VoiceObserver(
        .beforeMixing, try model(), hold: .samples(1_600),
        parameters: FrameParameters(samplesPerCall: samplesPerCall)
      ) { told.append($0) })
    _ = try session.run()
    func change(_ id: SourceID, _ begins: Bool, _ position: Int64, _ length: Int64 = 0)
      -> SpeechChange
    {
      SpeechChange(
        position: .beforeMixing, key: SourceKey(id, in: id == "anna" ? "hall" : nil),
        begins: begins, samplePosition: position, samplesPerChannel: length, sampleRate: 16_000)
    }
    #expect(
      told.filter { $0.key?.id == "anna" }
        == [change("anna", true, 3_584), change("anna", false, 15_872, 12_288)])
    let ben = told.filter { $0.key?.id == "ben" }
    #expect(ben.count == 2)
    #expect(ben.first == change("ben", true, 19_968))
    #expect(ben.last?.begins == false)
    #expect((31_488...32_000).contains(ben.last?.samplePosition ?? 0))
  }

  @Test func framesAtAnotherRateGivePositionsAtThatRate() throws {
    let session = Session()
    try session.setLocal(try GivenSource(talk(4_096..<16_384, length: 32_000), rate: 16_000))
    try session.setSink(NullSink(), at: .publish)
    var told: [SpeechChange] = []
    try session.register(
      VoiceObserver(.record, try model(), parameters: FrameParameters(sampleRate: 48_000)) {
        told.append($0)
      })
    _ = try session.run()
    #expect(told.map(\.begins) == [true, false])
    #expect(told.map(\.sampleRate) == [48_000, 48_000])
    for (change, place) in zip(told, [3 * 3_584, 3 * 15_872]) {
      #expect(abs(change.samplePosition - Int64(place)) <= 1_536)
    }
  }
}
