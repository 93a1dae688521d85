// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import AudioDevices

@Suite struct AlsaDevicesTests {
  init() { _ = AlsaConfiguration.directory }

  @Test func saysWhatEachDeviceAccepts() throws {
    let device = try #require(AlsaDevices.list().first { $0.name == "unpaced" })
    #expect(device.description == "No device")
    guard case .offer(let offer) = device.capture else {
      Issue.record("\(String(describing: device.capture))")
      return
    }
    #expect(offer.sampleRates == HardwareParameters.usualSampleRates)
    #expect(offer.channelCounts == Array(1...64))
    #expect(offer.encodings == [.s8, .u8, .s16, .s24, .s32, .f32, .f64, .ulaw, .alaw])
  }

  @Test func saysWhyADeviceCannotBeOpened() throws {
    let device = try #require(AlsaDevices.list().first { $0.name == "missing" })
    guard case .unavailable(let reason) = device.playback else {
      Issue.record("\(String(describing: device.playback))")
      return
    }
    #expect(reason.hasPrefix("no such device (snd_pcm_open"))
  }

  @Test func doesNotOpenWhatMayStartAServer() throws {
    let device = try #require(AlsaDevices.list().first { $0.name == "jack" })
    #expect(device.capture == .notAsked)
    #expect(device.playback == .notAsked)
  }
}
