// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// The ALSA devices of this machine.
public enum AlsaDevices {
  /// Names whose plugins may start a server when opened; a list must not do that.
  private static let serverNames: Set<String> = ["jack", "pulse"]

  /// Lists all devices: `default`, the cards' own, every other name of the configuration, then the sinks, sources and
  /// monitors of a PipeWire server.
  ///
  /// Opens each without waiting and closes it again; plays, captures and prints nothing. The names of JACK and
  /// PulseAudio are listed but not opened, because opening them may start a server. Any thread.
  public static func list() -> [AlsaDevice] { inventory().devices }

  /// Lists all devices as ``list()`` does, with suggestions and the reason of missing devices. Any thread.
  package static func inventory() -> AlsaInventory {
    var (devices, failure) = hinted()
    for index in devices.indices {
      let name = devices[index].name
      if devices[index].capture != nil { devices[index].capture = ask(name, for: .capture) }
      if devices[index].playback != nil { devices[index].playback = ask(name, for: .playback) }
    }
    var suggestions: [DeviceDirection: AlsaSuggestion] = [:]
    for direction in DeviceDirection.allCases {
      suggestions[direction] = AlsaSuggestion(for: direction, among: devices)
    }
    return AlsaInventory(
      devices: devices, suggestions: suggestions,
      obstacle: KernelSound().obstacle().map { "\($0.reason); \($0.advice)" }, failure: failure)
  }

  /// Lists the devices of ``list()``, in its order, but opens none, which is quick: no device is asked for its
  /// values. Unreadable devices are left out. Any thread.
  public static func announced() -> [AlsaDevice] { hinted().devices }

  private static func hinted() -> (devices: [AlsaDevice], failure: AudioError?) {
    var hints: [DeviceHint] = []
    var failure: AudioError?
    do {
      hints = try DeviceHint.all()
    } catch {
      failure = error
    }
    var devices: [AlsaDevice] = []
    var known: Set<String> = []
    let defaults = hints.filter { $0.name == "default" }
    for hint in defaults + SoundCard.devices() + hints where known.insert(hint.name).inserted {
      devices.append(
        AlsaDevice(
          name: hint.name, description: hint.description,
          capture: hint.directions.contains(.capture) ? .notAsked : nil,
          playback: hint.directions.contains(.playback) ? .notAsked : nil))
    }
    // Without PipeWire's plugin these names cannot be opened.
    if known.contains("pipewire") { devices += PipeWireServer().nodes().flatMap(\.devices) }
    return (devices, failure)
  }

  private static func ask(_ name: String, for direction: DeviceDirection) -> AlsaDevice.Answer {
    let family = name.prefix { $0 != ":" }
    if serverNames.contains(String(family)) { return .notAsked }
    var code = 0
    do {
      let handle = try PCMHandle(opening: name, for: direction, code: &code)
      let parameters = try HardwareParameters(of: handle)
      return .offer(
        AlsaOffer(
          sampleRates: parameters.offeredSampleRates(),
          channelCounts: parameters.offeredChannelCounts(),
          encodings: parameters.offeredEncodings()))
    } catch {
      let kernel = KernelSound()
      if code == -Int(EBUSY) {
        let address = CardAddress(deviceName: name)
        return .inUse(by: address.map { kernel.users(of: $0, direction) } ?? [])
      }
      return .unavailable(
        reason: kernel.explain(error, code: code, opening: name, direction).reason)
    }
  }
}

/// The ALSA devices of this machine, with suggestions.
package struct AlsaInventory: Sendable {
  /// `default`, the cards' own, every other name of the configuration, then the nodes of a PipeWire server.
  public var devices: [AlsaDevice]
  /// The suggested device for a direction; none if no device works.
  public var suggestions: [DeviceDirection: AlsaSuggestion]
  /// The reason why there is no usable sound card, and advice, in one line; nil if there is one.
  public var obstacle: String?
  /// The reason why the names in ALSA's configuration are missing; nil if they are listed.
  public var failure: AudioError?
}

/// A suitable device for a direction.
package struct AlsaSuggestion: Sendable, Hashable {
  /// The name to open, as ``AlsaDevice/name``.
  public var name: String
  /// The reason of the choice, in lower case and without a full stop.
  public var reason: String
}

extension AlsaSuggestion {
  /// The default if it works; else a card's own device, else any device that works.
  ///
  /// - Parameter devices: in the order of ``AlsaInventory/devices``.
  init?(for direction: DeviceDirection, among devices: [AlsaDevice]) {
    let working = devices.filter { device in
      guard case .offer(let offer) = device.answer(to: direction) else { return false }
      return !offer.sampleRates.isEmpty && !offer.encodings.isEmpty && device.name != "null"
    }
    let card = working.first { $0.name.hasPrefix("hw:") }
    if let standard = working.first(where: \.isDefault) {
      let exact = card.map { "; '\($0.name)' is the card itself, without conversions" }
      self.init(name: standard.name, reason: "it is the default" + (exact ?? ""))
    } else if let card {
      self.init(name: card.name, reason: "it is the first card that is free")
    } else if let first = working.first {
      self.init(name: first.name, reason: "it is the first that can be opened")
    } else {
      return nil
    }
  }
}
