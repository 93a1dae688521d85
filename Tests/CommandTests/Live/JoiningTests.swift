// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestProcess
import Testing

/// Sessions that programs join: `Tests/Meeting` runs them with `Examples/clients` and checks every sample.
@Suite(.serialized) struct JoiningTests {
  private func hold(_ arguments: String...) throws {
    let folder = Package.folder.appending(path: "Tests/Meeting")
    // Debian's numpy is installed for the system's own Python.
    let run = try RunningProcess(
      URL(fileURLWithPath: "/usr/bin/python3"), ["-B", folder.path] + arguments,
      environment: ["COMMAND_UNDER_TEST": BuiltProducts.rawaudio.path, "MEETING_LIMIT": "200"]
    ).wait()
    let told = String(decoding: run.standardOutput, as: UTF8.self)
    #expect(run.ending == .exit(0), "\(told)\(run.standardError)")
    #expect(told.contains("  ok: "))
  }

  @Test func aMeeting() throws { try hold("meeting") }
  @Test func clientsInShellAndSwift() throws { try hold("clients") }
  @Test func aHundredHostileClients() throws { try hold("hostile", "6") }
  @Test(arguments: ["late", "slow", "observers", "flood"])
  func clientsThatAskForAllTheyMay(_ kind: String) throws { try hold("limits", kind) }
  @Test func nothingIsLeftOfThoseWhoCameAndWent() throws { try hold("come-and-go", "500") }
}
