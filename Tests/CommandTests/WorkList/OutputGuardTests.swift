// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Foundation
import Testing

@testable import rawaudio

/// Outputs of one run, between the moment in which a worker takes one and the note that it is complete.
@Suite struct OutputGuardTests {
  private let directory = TemporaryDirectory()

  private func reason(_ body: () throws -> OutputGuard.Decision) -> String {
    do {
      return "\(try body())"
    } catch {
      return (error as? AudioError)?.reason ?? "\(error)"
    }
  }

  private static let shared =
    "it is the output of another source of this list, too, or of another run"

  /// A file that is in place and not noted yet belongs to this run, at every policy.
  @Test(arguments: [ExistingOutput.fail, .skip, .replace])
  func inPlaceBeforeItsNote(policy: ExistingOutput) throws {
    let guarded = OutputGuard(policy)
    let output = directory.file("out.wav").path
    #expect(reason { try guarded.claim(output) } == "write(replacing: false)")
    #expect(reason { try guarded.decide(on: output) } == Self.shared)
    try directory.write([1, 2, 3], "out.wav")
    #expect(reason { try guarded.decide(on: output) } == Self.shared)
    #expect(reason { try guarded.claim(output) } == Self.shared)
    #expect(guarded.wrote(output))
    guarded.note(output)
    guarded.release(output)
    #expect(reason { try guarded.claim(output) } == Self.shared)
    #expect(guarded.wrote(output))
  }

  /// An output that failed is free for the next source of its name, and an earlier run's file is no output of this run.
  @Test func failureReleases() throws {
    let output = directory.file("out.wav").path
    let failing = OutputGuard(.fail)
    #expect(reason { try failing.claim(output) } == "write(replacing: false)")
    failing.release(output)
    #expect(reason { try failing.claim(output) } == "write(replacing: false)")
    try directory.write([1, 2, 3], "out.wav")
    #expect(reason { try OutputGuard(.fail).claim(output) } == "it already exists")
    #expect(reason { try OutputGuard(.skip).claim(output) } == "skip")
    let replacing = OutputGuard(.replace)
    #expect(reason { try replacing.claim(output) } == "write(replacing: true)")
    #expect(reason { try replacing.claim(output) } == Self.shared)
  }
}
