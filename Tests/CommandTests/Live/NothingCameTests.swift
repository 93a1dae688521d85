// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// A recording without a sample: an old file is as it was, and there is no new one, however the run ends.
///
/// `Tests/Network` has the same of a server of RTSP.
@Suite(.needsVirtualCard) struct NothingCameTests {
  enum End: String, CaseIterable {
    /// A card that stands still from its first sample.
    case alsa
    /// A sender that never sends; with `--reopen` silence stands for it.
    case rtp, reopenedRTP
    /// A pipe that stays open.
    case pipe
    /// A session that no program joins: silence is its sum.
    case joined

    /// The command without its output.
    func command(_ port: Int) -> String {
      let rtp = "capture -D 'rtp://127.0.0.1:\(port)?l16/48000/2'"
      return switch self {
      case .alsa: "capture -D card"
      case .rtp: "\(rtp) --timeout 1h"
      case .reopenedRTP: "\(rtp) --timeout 100ms --reopen"
      case .pipe: "convert - \(NothingCameTests.headerless)"
      case .joined: "session --listen socket"
      }
    }

    var option: String { self == .joined ? "--mixed" : "-o" }

    /// The line with which the stream has begun, or silence stands for it.
    var sign: String { self == .reopenedRTP ? "is gone" : "precision" }
  }

  private static let headerless =
    "--input-type raw --input-rate 8000 --input-channels 1 --input-format s16"
  private let old = Array("a good recording".utf8)

  private func bench() throws -> CardBench {
    let bench = try CardBench(["SPEED": "1", "EVENTS": "0:stall:3600000"])
    try bench.write(old, to: "old.wav")
    return bench
  }

  /// Runs a command until it tells that it has begun, and sends it a signal.
  private func run(
    _ end: End, _ output: String, _ signal: String, in bench: CardBench
  ) throws -> (code: String, told: String) {
    let command = "\(end.command(try freePort(bench))) \(end.option) \(output)"
    let run = try bench.pipeline(
      """
      mkfifo pipe told; exec 4<>pipe
      rawaudio \(command) -v <&4 2>told & process=$!
      exec 3<told; rm pipe told; grep -m 1 -q '\(end.sign)' <&3
      kill -\(signal) $process; cat <&3 >rest; wait $process; echo $?
      """)
    return (run.outputText.trimmingCharacters(in: .newlines), run.standardError)
  }

  @Test(arguments: End.allCases, ["INT", "TERM", "KILL"])
  func theOldFileIsAsItWas(_ end: End, _ signal: String) throws {
    let bench = try bench()
    let (code, _) = try run(end, "old.wav --force", signal, in: bench)
    #expect(code == Self.code(end, signal))
    #expect(try bench.bytes(of: "old.wav") == old)
    if signal != "KILL", end != .pipe {
      let rest = String(decoding: try bench.bytes(of: "rest"), as: UTF8.self)
      #expect(rest.contains("rawaudio: 'old.wav' is not written: no sample came\n"))
      #expect(!rest.contains("is complete"))
    }
  }

  /// No part is empty; the command for parts is not run. A killed program removes nothing.
  @Test(arguments: End.allCases, ["INT", "TERM", "KILL"])
  func noPartIsMade(_ end: End, _ signal: String) throws {
    let bench = try bench()
    for pattern in ["part-%02d.wav", "%Y/%H%M%S.flac"] {
      let more = end == .pipe ? "--split 60" : "--on-part 'touch ran'"
      let (code, _) = try run(end, "\(pattern) \(more)", signal, in: bench)
      #expect(code == Self.code(end, signal))
      let left = Set(bench.names).subtracting(["rest", "card.log", "socket"])
      #expect(signal == "KILL" ? !left.contains("ran") : left == ["old.wav"])
      #expect(try bench.bytes(of: "old.wav") == old)
      _ = try bench.pipeline("rm -f socket")
    }
  }

  /// A killed program removes nothing: of one name a file without samples stays.
  @Test(arguments: End.allCases, ["INT", "TERM", "KILL"])
  func noNewFileStays(_ end: End, _ signal: String) throws {
    let bench = try bench()
    let (code, _) = try run(end, "new.wav", signal, in: bench)
    #expect(code == Self.code(end, signal))
    #expect(bench.exists("new.wav") == (signal == "KILL"))
    if signal == "KILL" { #expect(try bench.wave("new.wav").samples == []) }
  }

  private static func code(_ end: End, _ signal: String) -> String {
    switch signal {
    case "KILL": "137"
    case "INT" where end == .pipe: "130"
    case "TERM" where end == .pipe: "143"
    default: "0"
    }
  }

  /// The sender is lost, and the run fails.
  @Test(arguments: ["old.wav --force", "new.wav", "part-%02d.wav --on-part 'touch ran'"])
  func aSenderThatNeverSends(_ output: String) throws {
    let bench = try bench()
    let device = "rtp://127.0.0.1:\(try freePort(bench))?l16/48000/2"
    let run = try bench.pipeline("rawaudio capture -D '\(device)' --timeout 1s -o \(output)")
    #expect(run.ending == .exit(1))
    #expect(
      run.standardError
        == "rawaudio: cannot go on capturing from '\(device)': no packet has come for 1 s, after 0"
        + " samples per channel\n")
    #expect(bench.names == ["old.wav"])
    #expect(try bench.bytes(of: "old.wav") == old)
  }

  /// A device that is gone before its first sample.
  @Test func aDeviceThatIsGoneAtOnce() throws {
    let bench = try CardBench(["SPEED": "1", "EVENTS": "0:nodev"])
    try bench.write(old, to: "old.wav")
    let run = try bench.pipeline("rawaudio capture -D card -o old.wav --force")
    #expect(run.ending == .exit(1))
    #expect(try bench.bytes(of: "old.wav") == old)
  }

  @Test(arguments: ["old.wav --force", "new.wav"])
  func aPipeThatEndsWithNothing(_ output: String) throws {
    let bench = try bench()
    let run = try bench.pipeline(
      "true | rawaudio convert - \(Self.headerless) -o \(output)")
    let name = output.prefix { $0 != " " }
    run.expectExit(0, "'\(name)' is not written: no sample came")
    #expect(bench.names == ["old.wav"])
    #expect(try bench.bytes(of: "old.wav") == old)
  }

  /// The silence in front of the first sample is in the file: the timeline holds.
  @Test func aSenderThatComesLate() throws {
    let bench = try bench()
    let port = try freePort(bench)
    let device = "rtp://127.0.0.1:\(port)?l16/48000"
    let sender = """
      import socket, struct, time
      s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
      time.sleep(0.5)
      for n in range(1000):
          s.sendto(struct.pack('>BBHII', 128, 96, n, n * 480, 7) + b'\\1\\2' * 480, ('127.0.0.1', \(port)))
          time.sleep(0.01)
      """
    try bench.write(Array(sender.utf8), to: "sender.py")
    let run = try bench.pipeline(
      """
      mkfifo told; rawaudio capture -D '\(device)' --timeout 100ms --reopen -d 2 -o old.wav --force -v 2>told &
      process=$!; exec 3<told; rm told; grep -m 1 -q 'is gone' <&3
      /usr/bin/python3 sender.py & sender=$!
      cat <&3 >rest; wait $process; echo $?; kill $sender
      """)
    #expect(run.outputText == "0\n")
    let samples = WaveBytes.int16s(try bench.wave("old.wav").samples)
    #expect(samples.count == 96_000)
    let first = try #require(samples.firstIndex { $0 != 0 })
    #expect(first > 0 && samples[first] == 0x0102)
    let rest = String(decoding: try bench.bytes(of: "rest"), as: UTF8.self)
    #expect(rest.contains("lost device at 0:00:00.000 (sample 0): \(first) samples"))
  }

  /// A port that nothing uses, and whose neighbour is free, too.
  private func freePort(_ bench: CardBench) throws -> Int {
    let run = try bench.pipeline(
      """
      /usr/bin/python3 -c "import socket
      while True:
          one, two = (socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(2))
          one.bind(('127.0.0.1', 0)); port = one.getsockname()[1]
          try:
              if port % 2 == 0: two.bind(('127.0.0.1', port + 1)); print(port); break
          except OSError: pass"
      """)
    return try #require(Int(run.outputText.trimmingCharacters(in: .newlines)))
  }
}
