// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import AudioCore

/// The place of a live session that is now, by which logs tell the time of day of a sample.
@Suite struct PresentTests {
  private static let rate = 48_000

  /// The leads of the present over the clock in seconds, once the session runs.
  private func leads(_ session: Session, _ time: VirtualTime) throws -> [Double] {
    session.time = time
    var begin: MonotonicTime?
    var leads: [Double] = []
    let onWait = time.onWait
    time.onWait = {
      begin = begin ?? time.now
      onWait()
    }
    session.onProgress = { progress in
      guard let begin, let present = progress.present else { return }
      let elapsed = Double(time.now.elapsed(since: begin).inNanoseconds) / 1e9
      leads.append(Double(present.position) / Double(present.sampleRate) - elapsed)
    }
    _ = try session.run()
    time.onWait = {}
    return leads
  }

  private func sound(_ seconds: Int) -> [Double] {
    Noise.integers(seconds * Self.rate).map { $0 / 4 }
  }

  @Test func aFileThatIsReadAheadIsNotThePresent() throws {
    let session = Session(), time = VirtualTime()
    try session.setLocal(try VirtualLiveSource(sound(3), device: "microphone", time))
    try session.addRemote(try GivenSource(sound(3), encoding: .s24, pieces: [48_000]))
    try session.setSink(CollectingSink(precision: .double), at: .publish)
    try session.setSink(CollectingSink(precision: .double), at: .mixed)
    let leads = try leads(session, time)
    #expect(leads.count > 50)
    #expect(
      leads.allSatisfy { (-0.1...0.021).contains($0) }, "\(leads.min() ?? 0) \(leads.max() ?? 0)")
  }

  @Test func aSourceThatJoinsLateIsNotTheStart() throws {
    let session = Session(), time = VirtualTime()
    session.end = .onRequest
    session.duration = .time(.seconds(4))
    session.mixSampleRate = Self.rate
    session.mixChannelCount = 1
    try session.setSink(CollectingSink(precision: .double), at: .playback)
    let voice = sound(1)
    var waits = 0
    time.onWait = { [unowned session] in
      waits += 1
      if waits == 100 { try? session.addRemote(VirtualLiveSource(voice, time), id: "anna") }
    }
    let leads = try leads(session, time)
    #expect(leads.count > 50)
    #expect(
      leads.allSatisfy { (-0.1...0.021).contains($0) }, "\(leads.min() ?? 0) \(leads.max() ?? 0)")
  }
}
