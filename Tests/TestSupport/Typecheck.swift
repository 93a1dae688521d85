// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestProcess

/// Compiles an observer against the tested library.
package enum Typecheck {
  /// Returns the compiler's messages for an observer with `statement` in its callback and `member` beside it.
  package static func diagnostics(observing statement: String, member: String = "") throws -> String
  {
    try diagnostics(of: program(statement, member))
  }

  /// Returns the compiler's messages for `program`.
  package static func diagnostics(of program: String) throws -> String {
    let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let file = directory.appending(path: "observer.swift")
    try program.write(to: file, atomically: true, encoding: .utf8)
    // `-typecheck` alone skips the checks of lifetimes and ownership.
    let compiler = try TestProcess(
      ["/usr/bin/env", "swiftc", "-emit-sil", "-o", "/dev/null", "-parse-as-library"]
        + ["-swift-version", "6"] + moduleFolders.flatMap { ["-I", $0.path] } + [file.path])
    let outcome = compiler.wait(atMost: 600)
    let said = String(decoding: outcome.standardError, as: UTF8.self)
    return outcome.exitCode == 0 || said.contains("error: ")
      ? said : "error: it ended with status \(outcome.status): \(said)"
  }

  private static func program(_ statement: String, _ member: String) -> String {
    """
    import AudioCore
    import Foundation

    func later(_ work: @escaping () -> Void) {}

    final class Observer: RecordObserver {
      var kept: AudioFrameCopy<Float>?
      var total: Float = 0
      \(member)
      func record(_ frame: inout AudioFrame<Float>) -> Bool {
        \(statement)
        return true
      }
    }
    """
  }

  /// The folders of the built module and of the maps of its C modules.
  private static var moduleFolders: [URL] {
    let running = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    let files = [running] + CommandLine.arguments.map { URL(filePath: $0) }
    let built = files.map { $0.deletingLastPathComponent().appending(path: "Modules") }
    let sources = URL(filePath: #filePath).appending(path: "../../../Sources").standardized
    let maps = ["CSndfile", "CALSA", "CMD5", "CPNG", "CLinux"].map { sources.appending(path: $0) }
    return built.filter { FileManager.default.fileExists(atPath: $0.path) } + maps
  }
}
