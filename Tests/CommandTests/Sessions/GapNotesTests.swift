// SPDX-License-Identifier: Apache-2.0
import AudioDevices
import Testing

@testable import rawaudio

/// The gaps in the journal of a service.
@Suite struct GapNotesTests {
  private func gap(at position: Int64, lost: Int64?) -> LocatedGap {
    LocatedGap(
      gap: DeviceGap(
        cause: .xrun, position: position, lostSamplesPerChannel: lost, uncertainty: 0,
        occurrences: 1),
      sampleRate: 48_000)
  }

  @Test func oneAMinuteForEachDevice() {
    var notes = GapNotes()
    let first = notes.take(gap(at: 48_000, lost: 10), of: "a", at: 0)
    #expect(first == "device 'a': overrun at 0:00:01.000 (sample 48000): 10 samples")
    #expect(notes.take(gap(at: 50_000, lost: 5), of: "a", at: 100) == nil)
    #expect(notes.take(gap(at: 60_000, lost: nil), of: "a", at: 59_000) == nil)
    #expect(notes.take(gap(at: 60_000, lost: 1), of: "b", at: 59_000) != nil)
    #expect(notes.due(at: 59_999) == [])
    #expect(notes.due(at: 60_000) == ["device 'a': 2 more gaps since the last line, 5 samples"])
    // The next minute begins with that line.
    #expect(notes.take(gap(at: 70_000, lost: 7), of: "a", at: 60_001) == nil)
    #expect(
      notes.due(at: 119_000, all: true) == ["device 'a': 1 more gap since the last line, 7 samples"]
    )
    #expect(notes.due(at: 400_000) == [])
    #expect(notes.take(gap(at: 80_000, lost: 7), of: "a", at: 400_000) != nil)
  }
}
