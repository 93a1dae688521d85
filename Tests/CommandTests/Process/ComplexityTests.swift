// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// What a piece costs does not depend on how many there are: instructions are counted, by valgrind's cachegrind, so that
/// neither the machine nor what runs beside the tests changes the result.
///
/// Machines in the cloud seldom let a program count instructions in the processor (`perf_event_open`). `TESTS_PIECES`
/// names other numbers of pieces, and `TESTS_INSTRUCTIONS` how many a piece may cost: `make complexity` goes to a million
/// with the program as it is installed.
@Suite(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/valgrind")))
struct ComplexityTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let isThorough = environment["TESTS_PIECES"] != nil
  private static let counts = (environment["TESTS_PIECES"] ?? "100,400").split(separator: ",")
    .compactMap { Int($0) }
  /// How many a piece may cost, in a program that is not optimised.
  private static let mostInstructions =
    environment["TESTS_INSTRUCTIONS"].flatMap(Int.init) ?? 600_000
  /// What a file without any costs beside, in pieces.
  private static let piecesOfNothing = 200
  /// Those that are read in the same way as others are left to who looks thoroughly.
  private static let kinds = ManyPieces.allCases.filter { kind in
    let alike: [ManyPieces] = [
      .textsOfFrame, .commentsOfName, .unknownChunks, .loops, .framesOfMP3, .commentsOfOgg,
      .pictureFrames, .annotations,
    ]
    return isThorough || !alike.contains(kind)
  }

  @Test(arguments: kinds) func aPieceCostsNoMoreAmongMany(_ kind: ManyPieces) throws {
    let directory = try TemporaryDirectory()
    for command in Self.isThorough ? ["convert", "info"] : ["convert"] {
      let counts = Self.counts.filter { $0 <= kind.most }
      let costs = try counts.map { count in
        let file = try kind.write(count, in: directory)
        return try instructions(command, file, kind.ending, in: directory)
      }
      for (index, count) in counts.enumerated() {
        // So many times as many pieces, so many times as many instructions, and half as many again for tables that grow.
        #expect(
          costs[index] <= costs[0] / counts[0] * count * 3 / 2, "\(command): \(costs) of \(counts)")
        #expect(
          costs[index] <= (count + Self.piecesOfNothing) * Self.mostInstructions,
          "\(command): \(costs) of \(counts)")
      }
    }
  }

  private func instructions(
    _ command: String, _ file: String, _ ending: String, in directory: TemporaryDirectory
  ) throws -> Int {
    var words = [command, file]
    if command == "convert" {
      // A piece that says texts is not kept as it is.
      words += ["-q", "--tag", "TITLE=x", "--force", "-o", "out.\(ending)"]
    }
    let run = try RunningProcess(
      URL(fileURLWithPath: "/usr/bin/valgrind"),
      [
        "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null",
        "--log-file=counted", BuiltProducts.rawaudio.path,
      ] + words, in: directory.url
    ).wait()
    try #require(run.ending == .exit(0), "\(run.standardError)")
    let log = String(decoding: try directory.bytes("counted"), as: UTF8.self)
    let line = try #require(log.split(separator: "\n").first { $0.contains("I   refs:") }, "\(log)")
    return try #require(Int(line.split(separator: ":")[1].filter(\.isNumber)))
  }
}
