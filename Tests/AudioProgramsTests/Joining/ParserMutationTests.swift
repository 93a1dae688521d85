// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import AudioPrograms

/// A short version of `make fuzz`: legal lines and packets, changed at random.
@Suite struct ParserMutationTests {
  private static let lines = [
    #"{"join":"anna","group":"room","rate":16000,"encoding":"f32","framing":"packets","latency":0}"#,
    #"{"observe":"before-mixing","source":"anna","rate":16000,"channels":1,"samplesPerCall":1600}"#,
    #"{"observe":"mixed","mode":"read-write","latency":100}"#, #"{"control":1,"events":true}"#,
    #"{"set":"anna","gain":-6.5e0,"muted":true}"#, #"{"set":"anna","muted":"everywhere"}"#,
    #"{"remove":"a\u0062"}"#, #"{"status":true}"#,
  ]

  private func change(_ bytes: inout [UInt8], using random: inout SeededRandom) {
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      guard !bytes.isEmpty else { return }
      let place = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0..<5, using: &random) {
      case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
      case 1: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
      case 2: bytes.remove(at: place)
      case 3: bytes.insert(contentsOf: bytes[place...].prefix(20), at: place)
      default: bytes = Array(bytes[..<place])
      }
    }
  }

  /// A line is accepted or refused with a message of one line, no longer than any reply.
  @Test(arguments: 0..<20) func lines(_ seed: Int) {
    var random = SeededRandom(seed: UInt64(seed))
    for text in Self.lines {
      for _ in 0..<300 {
        var bytes = Array(text.utf8)
        change(&bytes, using: &random)
        for read in [{ _ = try FirstLine(bytes) }, { _ = try ControlCommand(bytes) }] {
          do {
            try read()
          } catch let error as AudioError {
            let reply = ReplyLine.refused(error)
            #expect(reply.count { $0 == 0x0A } == 1 && reply.count < 4_096)
          } catch {
            Issue.record(error)
          }
        }
      }
    }
  }

  /// The packets of a stream are independent of its cuts, even in a refused stream.
  @Test(arguments: 0..<20) func packets(_ seed: Int) {
    var random = SeededRandom(seed: UInt64(seed))
    for _ in 0..<100 {
      var bytes: [UInt8] = []
      for index in 0..<5 {
        let count = 2 * Int.random(in: 0...20, using: &random)
        bytes += PacketReaderTests.header(index == 0 ? 0 : nil, count)
        bytes += (0..<count).map { UInt8($0) }
      }
      change(&bytes, using: &random)
      let lengths = (0..<9).map { _ in Int.random(in: 1...40, using: &random) }
      #expect(Self.told(bytes, cut: [1_000]) == Self.told(bytes, cut: lengths))
    }
  }

  /// Returns each packet's position and the number of its bytes; last the error.
  private static func told(_ bytes: [UInt8], cut lengths: [Int]) -> [String] {
    var reader = PacketReader(sampleFrameSize: 2)
    var packets: [(UInt64?, Int)] = []
    var error: AudioError?
    var (start, turn) = (0, 0)
    do throws(AudioError) {
      while start < bytes.count {
        let end = min(bytes.count, start + lengths[turn % lengths.count])
        turn += 1
        try unsafe reader.read(bytes.span.bytes.extracting(start..<end)) {
          (header) throws(AudioError) in
          packets.append((header.position, 0))
        } append: { (piece) throws(AudioError) in
          packets[packets.count - 1].1 += piece.byteCount
        }
        start = end
      }
    } catch let fault {
      error = fault
    }
    return packets.map { "\($0)" } + ["\(reader.isBetweenPackets)", error?.description ?? ""]
  }
}
