// SPDX-License-Identifier: Apache-2.0
import AudioCore
import Testing

@testable import rawaudio

/// The grammar of `--observe`.
@Suite struct ObserverParsingTests {
  private static let tone = (try? ToneEnd("440")).map { SourceEndpoint.end($0) } ?? .standardInput

  @Test(arguments: [
    ("record:gain=-6", GainKind(argument: -6) as any ObserverKind, ObserverMode.readWrite),
    ("record:resample=16000", ResampleKind(argument: 16_000), .readWrite),
    (
      "record:fade-in=2,equal-power",
      FadeInKind(argument: Fade(length: .time(.seconds(2)), curve: .equalPower)), .readWrite
    ),
    ("record:mix=a=b:c.wav", MixKind(argument: .file("a=b:c.wav")), .readWrite),
    ("record:mix=tone:440", MixKind(argument: tone), .readWrite),
    ("record:tap=a:b,c=d.wav", TapKind(argument: "a:b,c=d.wav"), .readOnly),
    ("record:meter", MeterKind(argument: NoArgument()), .readOnly),
    ("record:events", EventsKind(argument: ""), .readOnly),
    ("record:events=log.json", EventsKind(argument: "log.json"), .readOnly),
    ("record:exec=sox -t raw - x=y", ExecKind(argument: "sox -t raw - x=y"), .readWrite),
  ])
  func kinds(_ text: String, _ kind: any ObserverKind, _ mode: ObserverMode) throws {
    let request = try ObserverRequest(text)
    #expect(kind.isEqual(to: request.kind))
    #expect(request.text == text && request.position == .record && request.source == nil)
    #expect(request.sampleRate == nil && request.channelCount == nil)
    #expect(request.samplesPerCall == nil && request.mode == nil)
    #expect(request.effectiveMode == mode)
  }

  @Test func everyKey() throws {
    let request = try ObserverRequest(
      "BEFORE-mixing@alice,rate=16000,channels=1,samples-per-call=1600,mode=read-only,encoding=S16_LE"
        + ",latency=800,timeout=2.5:exec=cat")
    #expect(request.position == .beforeMixing && request.source == "alice")
    #expect(request.sampleRate == 16_000 && request.channelCount == 1)
    #expect(request.samplesPerCall == 1_600 && request.mode == .readOnly)
    var kind = ExecKind(argument: "cat")
    kind.encoding = EncodingName(encoding: .s16, byteOrder: .little)
    kind.latency = 800
    kind.timeout = .milliseconds(2_500)
    #expect(kind.isEqual(to: request.kind))
  }

  @Test func parametersAreThoseOfTheObserverThenTheDefault() throws {
    let plain = try ObserverRequest("record:resample=8000")
    #expect(plain.parameters() == FrameParameters(sampleRate: 8_000, mode: .readWrite))
    #expect(plain.parameters(samplesPerCall: 960).samplesPerCall == 960)
    let own = try ObserverRequest("record,samples-per-call=480,mode=write-only:meter")
    #expect(
      own.parameters(samplesPerCall: 960)
        == FrameParameters(mode: .writeOnly, samplesPerCall: 480))
  }

  @Test func theDefaultIsForTheMainPositionOnly() throws {
    let command = try MixCommand.parsed(
      "a.wav", "--samples-per-call", "960", "--observe", "playback:meter", "--observe",
      "before-mixing:meter")
    let sizes = command.observation.observers.map {
      command.observation.parameters(of: $0).samplesPerCall
    }
    #expect(sizes == [960, nil])
  }

  @Test(
    arguments: [
      "meter": "an observer is POSITION[@SOURCE][,key=value...]:KIND[=ARGUMENT], for example"
        + " record:meter",
      "recrod:meter":
        "'recrod' is no position; it must be playback, record, mixed, before-mixing or shared",
      "record@:meter":
        "'' is no source; a source is ID or GROUP/ID, of letters, digits, '_' and '-'",
      "record@a/b/c:meter":
        "'a/b/c' is no source; a source is ID or GROUP/ID, of letters, digits, '_' and '-'",
      "record:volume=3":
        "'volume' is no kind of observer; there are gain, invert, fade-in, fade-out, channel-map, delay, resample,"
        + " highpass, lowpass, bandpass, notch, peak, lowshelf, highshelf, limit, mix, tap, meter, loudness, levels,"
        + " voice, events, exec, lv2, ladspa and echo",
      "record:gian=3": "'gian' is no kind of observer. Did you mean 'gain'?",
      "record:GAIN=3": "'GAIN' is no kind of observer. Did you mean 'gain'?",
      "record:lowpas=80": "'lowpas' is no kind of observer. Did you mean 'lowpass'?",
      "record:fade=1":
        "'fade' is no kind of observer; there are gain, invert, fade-in, fade-out, channel-map, delay, resample,"
        + " highpass, lowpass, bandpass, notch, peak, lowshelf, highshelf, limit, mix, tap, meter, loudness, levels,"
        + " voice, events, exec, lv2, ladspa and echo",
      "record,rat=8000:gain=3": "'rat' is no key. Did you mean 'rate'?",
      "record,chanels=1:gain=3": "'chanels' is no key. Did you mean 'channels'?",
      "record,latncy=1:exec=cat": "'latncy' is no key. Did you mean 'latency'?",
      "record:gain": "gain needs decibels: gain=...",
      "record,rate=8000,channels=1,rate=16000:meter": "'rate' is given twice",
      "record:tap=": "tap needs a file name: tap=...",
      "record:exec": "exec needs a command: exec=...",
      "record:meter=1": "meter takes no argument",
      "record:events=": "events= needs a file name",
      "record:mix=-": "an observer mixes in a file or a generated source",
      "record:mix=alsa:default": "an observer mixes in a file or a generated source",
      "record,rate:meter": "'rate' is no key=value",
      "record,speed=3:meter":
        "'speed' is no key; the keys are rate, channels, samples-per-call and mode, and for tap"
        + " encoding, align and append, for loudness every, for levels every, weighting and calibration, for voice on,"
        + " off and hold, for events every, for exec encoding, latency, length and timeout, for lv2 block, latency and timeout, for ladspa block, latency and timeout,"
        + " for echo tail and residual",
      "record,every=0:events": "it must be above 0",
      "record,every=1:meter": "every is a key of loudness, levels and events",
      "record,mode=rw:meter": "it must be read-only, read-write or write-only",
      "record,rate=16000:resample=8000": "resample names the rate itself; leave out the key rate",
      "record,latency=3:meter": "latency is a key of exec, lv2 and ladspa",
      "record,timeout=3:tap=a.wav": "timeout is a key of exec, lv2 and ladspa",
      "record,encoding=s16:meter": "encoding is a key of tap and exec",
      "record,align=source:exec=cat": "align is a key of tap",
      "record,encoding=vorbis:exec=cat": "a program is given plain samples, not vorbis",
      "record,encoding=S24_LE:tap=a.wav":
        "only files called .raw hold 24 bits in four bytes; use s24",
      "record,latency=-1:exec=cat": "a latency is a count of samples per channel",
      "record,latency=1s:exec=cat": "a latency is a count of samples per channel",
      "record,encoding=cd:exec=cat": "here it is the encoding alone: s16",
      "record,timeout=100S:exec=cat": "'100S' is not a time; give one, for example 10s or 50ms",
      "record,timeout=0:exec=cat": "it must be above 0",
      "record,tail=abc:echo": "'abc' is not a time; give one, for example 10s or 50ms",
      "record,mode=write-only:echo":
        "echo is removed from the microphone's samples, which write-only does not give",
    ] as [String: String])
  func mistakes(_ text: String, _ reason: String) {
    #expect(rejection(of: text, by: .observer) == reason)
  }
}

extension ObserverKind {
  fileprivate func isEqual(to other: any ObserverKind) -> Bool { other as? Self == self }
}
