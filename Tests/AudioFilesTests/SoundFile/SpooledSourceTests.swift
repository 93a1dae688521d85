// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import AudioFiles

/// A spool repeats its source at every read.
@Suite struct SpooledSourceTests {
  private func read(_ source: any AudioSource) throws -> (samples: [Double], length: Int64?) {
    let session = try Session(local: source)
    let sink = try session.collect(.publish, precision: .double)
    var length: Int64?
    session.onStart = { length = $0.sources.first?.description.samplesPerChannel }
    _ = try session.run()
    return (sink.samples, length)
  }

  @Test(arguments: [(SampleEncoding.s16, 16), (.s24, 24), (.f32, 24), (.f64, 53)])
  func isExactTwice(_ encoding: SampleEncoding, _ bits: Int) throws {
    let samples = Noise.integers(2 * 40_000, seed: 1, bits: bits)
    let base = try GivenSource(samples, channels: 2, encoding: encoding, pieces: [999, 1])
    let spool = SpooledSource(base)
    for _ in 0..<2 {
      let (found, length) = try read(spool)
      #expect(firstDifference(found, samples) == nil)
      #expect(length == 40_000)
    }
    #expect(base.calls == [.initialize, .start, .stop, .dispose])
  }

  @Test func countsBackFromTheEndOfAPipe() throws {
    let samples = Noise.integers(1_000, seed: 2)
    let spool = SpooledSource(
      WrappedSource(try GivenSource(samples, pieces: [7])) { $0.samplesPerChannel = nil })
    let found = try read(TrimmedSource(spool, from: .fromEnd(.samples(10)))).samples
    #expect(found == Array(samples.suffix(10)))
  }

  @Test func aKnownLengthNeedsNoFile() throws {
    let samples = Noise.integers(1_000, seed: 3)
    let base = try GivenSource(samples)
    // No file could hold it.
    let found = try read(SpooledSource(base, needsLengthOnly: true, limit: 0)).samples
    #expect(firstDifference(found, samples) == nil)
    #expect(base.calls == [.initialize, .start, .stop, .dispose])
  }

  @Test func theLimitIsTold() throws {
    let base = try GivenSource(Noise.integers(1_000, seed: 4))
    #expect(errorKind { try read(SpooledSource(base, limit: 3_999)) } == .unsupported)
    #expect(base.calls == [.initialize, .start, .stop, .dispose])
  }

  @Test func aFailureReleasesTheSource() throws {
    let base = try GivenSource(Noise.integers(1_000, seed: 5), pieces: [10])
    base.failingRead = (after: 500, error: .diskFull)
    #expect(throws: AudioError.diskFull) { try read(SpooledSource(base)) }
    #expect(base.calls == [.initialize, .start, .stop, .dispose])
  }

  @Test func aLiveSourceIsRefused() throws {
    #expect(
      errorKind { try read(SpooledSource(try GivenSource([0], isLive: true))) } == .unsupported)
  }
}
