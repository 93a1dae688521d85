// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AudioDevices

@Suite struct AlsaSuggestionTests {
  private static let offer = AlsaDevice.Answer.offer(
    AlsaOffer(sampleRates: [48_000], channelCounts: [2], encodings: [.s16]))

  private func device(_ name: String, _ answer: AlsaDevice.Answer?) -> AlsaDevice {
    AlsaDevice(name: name, description: "", capture: answer, playback: nil)
  }

  @Test func theDefaultWhereItWorks() {
    let devices = [device("default", Self.offer), device("hw:CARD=PCH,DEV=0", Self.offer)]
    #expect(
      AlsaSuggestion(for: .capture, among: devices)
        == AlsaSuggestion(
          name: "default",
          reason: "it is the default; 'hw:CARD=PCH,DEV=0' is the card itself, without conversions"))
    #expect(
      AlsaSuggestion(for: .capture, among: [devices[0]])
        == AlsaSuggestion(name: "default", reason: "it is the default"))
    #expect(AlsaSuggestion(for: .playback, among: devices) == nil)
  }

  @Test func elseACardThatIsFreeElseWhatWorks() {
    let busy = device("default", .unavailable(reason: "no such device"))
    let cards = [
      device("hw:CARD=A,DEV=0", .inUse(by: [])), device("hw:CARD=B,DEV=0", Self.offer),
      device("other", Self.offer),
    ]
    #expect(AlsaSuggestion(for: .capture, among: [busy] + cards)?.name == "hw:CARD=B,DEV=0")
    #expect(AlsaSuggestion(for: .capture, among: [busy, cards[0], cards[2]])?.name == "other")
    #expect(AlsaSuggestion(for: .capture, among: [busy, device("null", Self.offer)]) == nil)
    #expect(AlsaSuggestion(for: .capture, among: [device("pulse", .notAsked)]) == nil)
  }
}
