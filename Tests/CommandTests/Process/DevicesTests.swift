// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// `rawaudio devices` with an ALSA configuration of one device.
@Suite struct DevicesTests {
  private func directory() throws -> TemporaryDirectory {
    let directory = TemporaryDirectory()
    let configuration = """
      pcm.quiet {
        type null
        hint { show on description "Nothing to hear" }
      }

      """
    try Data(configuration.utf8).write(to: directory.file("asound.conf"))
    return directory
  }

  @Test func forPrograms() throws {
    let directory = try directory()
    let run = try runCommand(
      "devices", "--json",
      environment: ["ALSA_CONFIG_PATH": directory.file("asound.conf").path])
    let read = try JSONSerialization.jsonObject(with: Data(run.standardOutput))
    let devices = try #require(read as? [[String: Any]])
    let quiet = try #require(devices.first { $0["name"] as? String == "quiet" })
    #expect(quiet["description"] as? String == "Nothing to hear")
    let capture = try #require(quiet["capture"] as? [String: Any])
    #expect(capture["status"] as? String == "available")
    #expect((capture["sampleRates"] as? [Int])?.contains(44_100) == true)
    #expect((capture["encodings"] as? [String])?.contains("s16") == true)
    run.expectExit(0)
  }

  @Test func forPeople() throws {
    let directory = try directory()
    let run = try runCommand(
      "devices", environment: ["ALSA_CONFIG_PATH": directory.file("asound.conf").path])
    #expect(run.outputText.hasPrefix("quiet  Nothing to hear\n  capture: 8000, "))
    #expect(run.ending == .exit(0))
  }
}
