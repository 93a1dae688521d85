// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AudioDevices

@Suite struct NegotiationTests {
  init() { _ = AlsaConfiguration.directory }

  @Test func takesExactlyWhatIsNamed() throws {
    var options = AlsaOptions()
    options.sampleRate = 22_050
    options.channelCount = 3
    options.encoding = .s24
    options.period = .samplesPerChannel(300)
    options.buffer = .samplesPerChannel(1_200)
    let source = AlsaSource(device: "unpaced", options: options)
    let description = try source.initialize(proposing: nil, wakeup: Wakeup())
    defer { source.dispose() }
    #expect(description.format == (try StreamFormat(sampleRate: 22_050, channelCount: 3)))
    #expect(description.encoding == .s24)
    #expect(description.isLive)
    #expect(source.parameters?.periodSize == 300)
    #expect(source.parameters?.bufferSize == 1_200)
  }

  @Test func asksFor48kHzStereo16BitByDefault() throws {
    let source = AlsaSource(device: "unpaced")
    let description = try source.initialize(proposing: nil, wakeup: Wakeup())
    defer { source.dispose() }
    #expect(description.format == (try StreamFormat(sampleRate: 48_000, channelCount: 2)))
    #expect(description.encoding == .s16)
    #expect(source.parameters?.description == "48000 Hz, 2 channels, s16, period 480, buffer 24000")
  }

  @Test func aWishIsMetWhereItCanBe() throws {
    let wish = try StreamFormat(sampleRate: 8_000, channelCount: 1)
    let met = AlsaSink(device: "unpaced")
    #expect(try met.initialize(proposing: wish, wakeup: Wakeup()) == wish)
    met.dispose()
    let nearest = AlsaSink(device: "stereo")
    let format = try nearest.initialize(proposing: wish, wakeup: Wakeup())
    #expect(format == (try StreamFormat(sampleRate: 8_000, channelCount: 2)))
    nearest.dispose()
  }

  @Test func thePreferredEncodingGivesWayToTheNearest() throws {
    var options = AlsaOptions()
    options.preferredEncoding = .f32
    let sink = AlsaSink(device: "linear", options: options)
    let wish = try StreamFormat(sampleRate: 48_000, channelCount: 2)
    _ = try sink.initialize(proposing: wish, wakeup: Wakeup())
    defer { sink.dispose() }
    #expect(sink.parameters?.layout.encoding == .s32)
    #expect(sink.precision == .double)
  }

  @Test func aRefusedRateIsAnErrorThatNamesTheOthers() throws {
    let handle = try PCMHandle(opening: "unpaced", for: .capture)
    let hardware = try HardwareParameters(of: handle)
    try hardware.set(exactSampleRate: 44_100)
    let error = #expect(throws: AudioError.self) { try hardware.set(exactSampleRate: 48_000) }
    #expect(
      error?.description
        == "cannot use device 'unpaced': it does not give 48000 Hz; it gives 44100 Hz")
    #expect(error?.kind == .unsupported)
    #expect(try hardware.set(sampleRateNear: 48_000) == 44_100)
  }

  @Test func aRefusedChannelCountIsAnErrorThatNamesTheOthers() {
    var options = AlsaOptions()
    options.channelCount = 1
    #expect(
      failure("stereo", options)
        == "cannot use device 'stereo': it does not give 1 channel; it gives 2 channels;"
        + " ALSA converts them if it is named plug:stereo")
  }

  @Test func aRefusedEncodingIsAnErrorThatNamesTheOthers() {
    var options = AlsaOptions()
    options.encoding = .f32
    #expect(
      failure("linear", options)
        == "cannot use device 'linear': it does not give f32; it gives s8, u8, s16, s24, s32")
  }

  @Test func anUnknownDeviceIsNamedWithAlsasOwnWords() {
    #expect(
      failure("nonesuch", AlsaOptions())
        == "cannot open device 'nonesuch': no such device (snd_pcm_open: Unknown PCM nonesuch); "
        + "check the name in the list of devices")
  }

  private func failure(_ device: String, _ options: AlsaOptions) -> String? {
    let source = AlsaSource(device: device, options: options)
    do {
      _ = try source.initialize(proposing: nil, wakeup: Wakeup())
    } catch {
      return error.description
    }
    return nil
  }
}
