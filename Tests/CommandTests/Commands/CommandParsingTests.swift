// SPDX-License-Identifier: Apache-2.0
import AudioCore
import AudioFiles
import AudioDevices
import Testing

@testable import rawaudio

@Suite struct CommandParsingTests {
  @Test func capture() throws {
    let command = try CaptureCommand.parsed(
      "-D", "hw:1,0", "-r", "44100", "-c", "2", "-f", "S24_3LE", "-t", "WAV", "--samples-per-call",
      "1024", "-d", "1:30", "-o", "take.wav", "--force", "--period-size", "10ms", "--buffer-size",
      "4096", "--gain", "-6", "--dither", "tpdf", "--resampler-quality", "best", "--fail-on",
      "clip",
      "--fail-on", "xrun,truncated")
    #expect(command.device.end == .device("hw:1,0"))
    #expect(command.device.buffering.periodSize == .time(.milliseconds(10)))
    #expect(command.device.buffering.bufferSize == .samplesPerChannel(4_096))
    #expect(command.device.buffering.priority == nil)
    #expect(
      command.output
        == OutputPlan(
          sink: .file("take.wav"), overwrites: true, type: .container(.wav),
          sampleRate: 44_100, channelCount: 2,
          encoding: EncodingName(encoding: .s24, byteOrder: .little), samplesPerCall: 1_024))
    #expect(command.observation.samplesPerCall == 1_024)
    #expect(command.duration == .time(.seconds(90)))
    #expect(command.gain == -6)
    #expect(command.processing.resamplerQuality == .best)
    #expect(command.processing.dither == .tpdf(seed: 0))
    #expect(command.processing.failureConditions == [.clip, .xrun, .truncated])
  }

  @Test func recordingOptions() throws {
    let timeline = try CaptureCommand.parsed(
      "--on-xrun", "mark", "--rate-policy", "RESAMPLE", "--ring-size", "8000ms", "--json"
    ).timeline
    #expect(timeline.onXrun == .mark)
    #expect(timeline.rates?.policy == .resample)
    #expect(timeline.ringSize == .time(.milliseconds(8_000)))
    #expect(timeline.tellsJSON)
    let usual = try CaptureCommand.parsed().timeline
    #expect(usual.onXrun == .fill)
    #expect(usual.rates?.policy == nil)
    #expect(usual.ringSize == nil)
    #expect(!usual.tellsJSON)
    let session = try SessionCommand.parsed(
      "--local", "alsa:default", "--publish", "a.wav", "--on-xrun", "fail", "--ring-size", "96000"
    ).timeline
    #expect(session.onXrun == .fail)
    #expect(session.rates == nil)
    #expect(session.ringSize == .samplesPerChannel(96_000))
    #expect(
      usageMessage { () throws(UsageError) in
        _ = try CaptureCommand.parsed("--on-xrun", "ignore")
      } == "The value 'ignore' is invalid for '--on-xrun <action>': it must be fill, mark or fail")
  }

  @Test func captureByDefault() throws {
    let command = try CaptureCommand.parsed()
    #expect(command.device.end == .device("default"))
    #expect(command.device.buffering.periodSize == nil)
    #expect(command.output == OutputPlan(sink: .standardOutput, overwrites: false))
    #expect(command.observation == ObserverList(main: .record))
    #expect(command.duration == nil)
    #expect(command.processing.resamplerQuality == .high)
    #expect(command.processing.dither == .none)
    #expect(command.processing.failureConditions == [])
  }

  @Test func samplesPerCallIsCheckedAgainstWhatIsKnown() {
    func message(_ words: String...) -> String? {
      CaptureCommand.refusal(of: words)
    }
    #expect(message("--samples-per-call", "480", "-r", "48000", "-c", "2") != nil)
    #expect(message("--samples-per-call", "479", "-r", "48000") != nil)
    #expect(message("--samples-per-call", "480", "-r", "48000") == nil)
    #expect(message("--samples-per-call", "481", "-c", "2") != nil)
    #expect(message("--samples-per-call", "9") != nil)
  }

  @Test func play() throws {
    let command = try PlayCommand.parsed(
      "a.wav", "-", "tone:440", "--start", "1.5", "-d", "3", "--gain", "-3", "-D", "alsa:pulse")
    #expect(command.sources == [.file("a.wav"), .standardInput, .end(try ToneEnd("440"))])
    #expect(command.inputs == Array(repeating: InputDescription(), count: 3))
    #expect(command.start == .time(.milliseconds(1_500)))
    #expect(command.duration == .time(.seconds(3)))
    #expect(command.gain == -3)
    #expect(command.device.end == .device("pulse"))
  }

  @Test func mixAppliesValuesToAllOrInOrder() throws {
    let command = try MixCommand.parsed(
      "a.wav", "b.wav", "--gain", "-6", "--pan", "-1", "--pan", "0.5", "--offset", "0", "--offset",
      "48000S")
    #expect(command.inputs.map(\.source) == [.file("a.wav"), .file("b.wav")])
    #expect(command.inputs.map(\.gain) == [-6, -6])
    #expect(command.inputs.map(\.pan) == [-1, 0.5])
    #expect(command.inputs.map { $0.offset.samples(at: 48_000) } == [0, 48_000])
    #expect(command.output.sink == .standardOutput)
    #expect(try MixCommand.parsed("a.wav", onTerminal: true).output.sink == .device("default"))
    #expect(
      try MixCommand.parsed("a.wav", "-o", "-", onTerminal: true).output.sink == .standardOutput)
  }

  @Test func headerlessInputs() throws {
    let command = try MixCommand.parsed(
      "a.raw", "b.raw", "--input-type", "raw", "--input-rate", "8000", "--input-rate", "16000",
      "--input-channels", "1", "--input-format", "ulaw")
    #expect(command.inputs.map(\.description.sampleRate) == [8_000, 16_000])
    #expect(command.inputs.allSatisfy { $0.description.encoding?.encoding == .ulaw })
    #expect(command.inputs.allSatisfy { $0.description.container == .raw })
  }

  @Test func convert() throws {
    let command = try ConvertCommand.parsed(
      "-", "--input-type", "raw", "--input-rate", "44100", "--input-channels", "2",
      "--input-format",
      "s16", "-o", "take.flac")
    #expect(command.subject == .source(.standardInput))
    #expect(
      command.input
        == InputDescription(
          container: .raw, sampleRate: 44_100, channelCount: 2,
          encoding: EncodingName(encoding: .s16)))
    #expect(command.output.sink == .file("take.flac"))
  }

  @Test func aFormatMayStateRateAndChannels() throws {
    let convert = try ConvertCommand.parsed("a.wav", "-f", "cd", "-o", "b.wav")
    #expect(convert.output.sampleRate == 44_100)
    #expect(convert.output.channelCount == 2)
    #expect(convert.output.encoding?.encoding == .s16)
    let capture = try CaptureCommand.parsed("-f", "dat", "-c", "mono", "-r", "44.1k")
    #expect(capture.output.sampleRate == 44_100)
    #expect(capture.output.channelCount == 1)
    let session = try SessionCommand.parsed("--remote", "a.wav", "--playback", "b.wav", "-f", "dat")
    #expect(session.format.sampleRate == 48_000)
    #expect(session.format.channelCount == 2)
    let mix = try MixCommand.parsed("-", "--input-type", "raw", "--input-format", "cd")
    #expect(mix.inputs[0].description.sampleRate == 44_100)
    #expect(mix.inputs[0].description.channelCount == 2)
  }

  @Test func infoAndDevices() throws {
    #expect(
      try InfoCommand.parsed("a.wav", "b.wav", "--json").list.origin
        == .arguments(["a.wav", "b.wav"]))
    #expect(try InfoCommand.parsed("a.wav").report.style == .text)
    #expect(try InfoCommand.parsed("a.wav", "--json").report.style == .json)
    #expect(
      try InfoCommand.parsed("--list", "l", "--json-lines").list.origin
        == .list("l", endsWithNull: false))
    #expect(try DevicesCommand.parsed("--json").writesJSON)
  }
}
