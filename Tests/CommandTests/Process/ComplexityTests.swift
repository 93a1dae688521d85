// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// The cost of a piece is independent of the number of pieces. valgrind's cachegrind counts instructions, so neither
/// the machine nor other processes change the result.
///
/// Cloud machines seldom let a program count instructions in the processor (`perf_event_open`). `TESTS_PIECES` sets
/// other numbers of pieces, and `TESTS_INSTRUCTIONS` the limit per piece: `make complexity` goes to a million with the
/// installed program.
@Suite(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/valgrind")))
struct ComplexityTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let isThorough = environment["TESTS_PIECES"] != nil
  private static let counts = (environment["TESTS_PIECES"] ?? "50,200").split(separator: ",")
    .compactMap { Int($0) }
  /// The limit per piece, for an unoptimised program.
  private static let mostInstructions =
    environment["TESTS_INSTRUCTIONS"].flatMap(Int.init) ?? 600_000
  /// The cost of a file without pieces, in pieces.
  private static let piecesOfNothing = 200
  /// Kinds read like others run only in the thorough test.
  private static let kinds = ManyPieces.allCases.filter { kind in
    let alike: [ManyPieces] = [
      .textsOfFrame, .commentsOfName, .unknownChunks, .loops, .framesOfMP3, .commentsOfOgg,
      .pictureFrames, .annotations,
    ]
    return isThorough || !alike.contains(kind)
  }

  @Test(arguments: kinds) func aPieceCostsNoMoreAmongMany(_ kind: ManyPieces) throws {
    let directory = TemporaryDirectory()
    for command in Self.isThorough ? ["convert", "info"] : ["convert"] {
      let counts = Self.counts.filter { $0 <= kind.most }
      let costs = try counts.map { count in
        let file = try kind.write(count, in: directory)
        return try instructions(command, file, kind.ending, in: directory)
      }
      for (index, count) in counts.enumerated() {
        // The instructions grow in proportion to the pieces, plus half for growing tables.
        #expect(
          costs[index] <= costs[0] / counts[0] * count * 3 / 2, "\(command): \(costs) of \(counts)")
        #expect(
          costs[index] <= (count + Self.piecesOfNothing) * Self.mostInstructions,
          "\(command): \(costs) of \(counts)")
      }
    }
  }

  /// A container of each family; in the thorough test all of them.
  private static let targets =
    ["wav", "flac", "mp3", "m4a"]
    + (isThorough
      ? ["rf64.wav", "w64", "aiff", "caf", "au", "ogg", "opus", "mka", "ac3", "wma"] : [])
  /// With so many the square of one kind's pieces outweighs all other work.
  private static let countsIntoOthers = isThorough ? counts.filter { $0 <= 100_000 } : [500, 2_000]

  /// A run converts a file of each kind, so a kind that costs more among many shows in the sum.
  @Test(arguments: targets) func noContainerCostsMoreInto(another ending: String) throws {
    let directory = TemporaryDirectory()
    let costs = try Self.countsIntoOthers.map { count in
      let files = try Self.kinds.map { try $0.write(min(count, $0.most), in: directory) }
      let options = ["-q", "--jobs", "1", "-o", "\(count)/{stem}.\(ending)"]
      let type = ending == "rf64.wav" ? ["-t", "rf64"] : []
      return try instructions(["convert"] + files + options + type, in: directory)
    }
    for (count, cost) in zip(Self.countsIntoOthers, costs) {
      #expect(
        cost <= costs[0] / Self.countsIntoOthers[0] * count * 3 / 2,
        "\(costs) of \(Self.countsIntoOthers)")
    }
  }

  private func instructions(
    _ command: String, _ file: String, _ ending: String, in directory: TemporaryDirectory
  ) throws -> Int {
    // With `--tag`, a piece with texts is rewritten, not copied.
    let output = ["-q", "--tag", "TITLE=x", "--force", "-o", "out.\(ending)"]
    return try instructions([command, file] + (command == "convert" ? output : []), in: directory)
  }

  private func instructions(_ words: [String], in directory: TemporaryDirectory) throws -> Int {
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
