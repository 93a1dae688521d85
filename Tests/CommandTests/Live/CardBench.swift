// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestProcess
import Testing

/// A directory with a virtual card: its input, its played samples, and its log.
///
/// The card has no clock unless a test sets `SPEED`, so results are independent of the machine's load.
struct CardBench {
  private let directory = TemporaryDirectory()
  /// The card's settings, without the common prefix of their names.
  var settings: [String: String]
  /// Further variables.
  var variables: [String: String] = [:]

  /// - Parameter input: the samples that the card records, written to `fed.raw`.
  init(_ settings: [String: String] = [:], input: [UInt8]? = nil) throws {
    self.settings = ["SPEED": "0", "LOG": "card.log"].merging(settings) { $1 }
    guard let input else { return }
    self.settings["INFILE"] = "fed.raw"
    try directory.write(input, "fed.raw")
  }

  /// Runs `rawaudio` in the directory until it ends.
  func run(_ arguments: String...) throws -> ProcessRun { try start(arguments).wait() }

  /// Starts `rawaudio` in the directory.
  func start(
    _ arguments: [String], output: TestProcess.Output = .pipe
  ) throws -> RunningProcess {
    try directory.start(arguments, environment: environment, output: output)
  }

  /// Runs a line of the shell in the directory.
  func pipeline(_ line: String) throws -> ProcessRun {
    try directory.pipeline(line, environment: environment)
  }

  func write(_ bytes: [UInt8], to name: String) throws {
    try directory.write(bytes, name)
  }

  func bytes(of name: String) throws -> [UInt8] {
    try directory.bytes(name)
  }

  /// Returns the WAV file of that name; its header and size must agree.
  func wave(_ name: String) throws -> WaveFile {
    try #require(WaveFile(parsing: bytes(of: name)), "\(name) is no valid WAV file")
  }

  /// The sorted names of its files.
  var names: [String] { directory.names }

  func exists(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: directory.file(name).path)
  }

  func path(_ name: String) -> String { directory.file(name).path }

  /// Waits for a file created by a `touch` event of the card.
  ///
  /// - Returns: false if the file is missing after half a minute.
  func awaitFile(_ name: String) -> Bool {
    for _ in 0..<3_000 {
      if exists(name) { return true }
      usleep(10_000)
    }
    return false
  }

  /// Waits until a file has more bytes than `size`.
  ///
  /// - Returns: false if it has not after half a minute.
  func awaitSize(_ size: Int, of name: String) -> Bool {
    for _ in 0..<3_000 {
      if (try? bytes(of: name).count) ?? 0 > size { return true }
      usleep(10_000)
    }
    return false
  }

  /// Returns the counts in this card's log at its close: `xruns`, `lost`, `played`, and the last `position`.
  func counts(_ log: String = "card.log") throws -> [String: Int] {
    let lines = String(decoding: try bytes(of: log), as: UTF8.self).split(separator: "\n")
    let words = lines.last?.split(separator: " ") ?? []
    guard words.count > 3, words[3] == "close" else { return [:] }
    var counts = ["position": Int(words[2]) ?? 0]
    for word in words.dropFirst(4) {
      let parts = word.split(separator: "=")
      counts[String(parts[0])] = Int(parts[1])
    }
    return counts
  }

  private var environment: [String: String] {
    var environment = ["ALSA_CONFIG_PATH": VirtualCard.configuration.path]
    for (name, value) in settings { environment["VIRTUAL_CARD_\(name)"] = value }
    return environment.merging(variables) { $1 }
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips the tests if the card was not built.
  static var needsVirtualCard: Self {
    .enabled(if: VirtualCard.isBuilt, "the virtual card is not built; run 'make virtual-card'")
  }
}
