// SPDX-License-Identifier: Apache-2.0
import Testing

/// Plug-ins in a device's stream: no failure of theirs loses a sample of the recording.
@Suite(.needsVirtualCard) struct LivePluginTests {
  private static let length = 40_000

  private func capture(_ observer: String) throws -> (run: ProcessRun, isWhole: Bool) {
    let fed = DeviceBytes.noise(4 * Self.length)
    var bench = try CardBench(input: fed)
    bench.variables = try FaultyPlugins.environment()
    let run = try bench.run(
      "capture", "-D", "card", "-r", "44100", "-d", "\(Self.length)S", "-o", "take.wav",
      "--observe", observer)
    return (run, try bench.exists("take.wav") && bench.wave("take.wav").samples == fed)
  }

  @Test(arguments: [
    "record:ladspa=faulty:late", "record:ladspa=faulty:print", "record:ladspa=faulty:fork",
    "record,block=64:lv2=test gain",
  ])
  func nothingMoves(_ observer: String) throws {
    let (run, isWhole) = try capture(observer)
    #expect(run.ending == .exit(0))
    #expect(isWhole)
  }

  /// The original replaces the missing output.
  @Test(arguments: [
    ("crash", "it was killed by signal 11 (segmentation fault)"),
    ("exit", "it ended the process that it lives in"),
    ("hungry", "it was killed by signal 11 (segmentation fault)"),
  ])
  func theRecordingGoesOn(_ label: String, _ reason: String) throws {
    let (run, isWhole) = try capture("record:ladspa=faulty:\(label)")
    #expect(
      run.standardError.contains("rawaudio: observer 'record:ladspa=faulty:\(label)': \(reason) ("))
    #expect(run.standardError.contains("; from there on the sound went on as it was\n"))
    #expect(run.ending == .exit(0))
    #expect(isWhole)
  }

  @Test func oneThatHangsIsLeftBehind() throws {
    let (run, isWhole) = try capture("record,timeout=0.5s:ladspa=faulty:hang")
    #expect(run.standardError.contains("samples per channel came too late; the original went on\n"))
    #expect(run.ending == .exit(0))
    #expect(isWhole)
  }

  /// A plug-in that fails at its start is an error before the recording.
  @Test func oneThatCannotBeMade() throws {
    let (run, _) = try capture("record:ladspa=faulty:unborn")
    run.expectExit(1, "cannot run 'faulty:unborn': it was killed by signal 11 (segmentation fault)")
  }
}
