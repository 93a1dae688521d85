// SPDX-License-Identifier: Apache-2.0
import AudioStreams
import Testing

@testable import rawaudio

/// Point 2 of the observer contract, in commands.
@Suite struct SamplesPerCallTests {
  @Test(arguments: [
    (44_100, 1, 4_410), (44_100, 2, 1_024), (16_000, 1, 1_024), (48_000, 2, 960), (22_050, 1, 221),
  ])
  func legal(_ rate: Int, _ channels: Int, _ count: Int) throws {
    let command = try CaptureCommand.parsed(
      "-r", "\(rate)", "-c", "\(channels)", "--samples-per-call", "\(count)")
    #expect(command.observation.samplesPerCall == count)
  }

  @Test(arguments: [
    (48_000, 2, 480, "the smallest is 960"), (22_050, 1, 220, "the smallest is 221"),
    (44_100, 2, 1_023, "1022 and 1024 do"), (48_000, 6, 2_881, "2880 and 2886 do"),
  ])
  func illegal(_ rate: Int, _ channels: Int, _ count: Int, _ advice: String) throws {
    let message = usageMessage { () throws(UsageError) in
      _ = try CaptureCommand.parsed(
        "-r", "\(rate)", "-c", "\(channels)", "--samples-per-call", "\(count)")
    }
    #expect(message?.hasSuffix("; \(advice)") == true)
  }

  @Test func whatTheDeviceDecidesIsCheckedLater() throws {
    let command = try CaptureCommand.parsed("-r", "48000", "--samples-per-call", "480")
    let observation = command.observation
    try observation.checkSamplesPerCall(at: StreamFormat(sampleRate: 48_000, channelCount: 1))
    let stereo = try StreamFormat(sampleRate: 48_000, channelCount: 2)
    #expect(throws: UsageError.self) { try observation.checkSamplesPerCall(at: stereo) }
  }
}
