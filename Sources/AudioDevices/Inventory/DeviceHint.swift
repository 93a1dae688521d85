// SPDX-License-Identifier: Apache-2.0
internal import CALSA
internal import Glibc

/// A device name from ALSA's configuration or a card.
struct DeviceHint {
  var name: String
  var description: String
  var directions: Set<DeviceDirection>

  /// The names that ALSA's configuration shows, in its order.
  ///
  /// - Throws: `malformed`, with libasound's message, if the configuration cannot be read.
  static func all() throws(AudioError) -> [DeviceHint] {
    var list: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    ALSAMessages.forget()
    let code = unsafe snd_device_name_hint(-1, "pcm", &list)
    guard code == 0, let list = unsafe list else {
      throw AudioError(
        .malformed, cannot: "read ALSA's configuration", "",
        because: ALSAMessages.first() ?? describe(alsaCode: Int(code)),
        advice: "correct ~/.asoundrc, /etc/asound.conf or the files of ALSA_CONFIG_PATH")
    }
    defer { unsafe _ = snd_device_name_free_hint(list) }
    var hints: [DeviceHint] = []
    var next = unsafe list
    while let hint = unsafe next.pointee {
      if let name = unsafe text("NAME", of: hint) {
        hints.append(
          DeviceHint(
            name: name, description: unsafe text("DESC", of: hint) ?? "",
            directions: unsafe directions(named: text("IOID", of: hint))))
      }
      unsafe next += 1
    }
    return hints
  }

  /// ALSA names a direction only if there is just one.
  private static func directions(named name: String?) -> Set<DeviceDirection> {
    switch name {
    case "Input": [.capture]
    case "Output": [.playback]
    default: [.capture, .playback]
    }
  }

  private static func text(_ key: String, of hint: UnsafeRawPointer) -> String? {
    guard let copy = unsafe snd_device_name_get_hint(hint, key) else { return nil }
    defer { unsafe free(copy) }
    return unsafe String(cString: copy).split(whereSeparator: \.isNewline).joined(separator: ", ")
  }
}

/// A sound card's control interface.
///
/// Corresponds to `snd_ctl_t`.
@safe
struct SoundCard: ~Copyable {
  private let control: OpaquePointer
  private let id: String
  private let name: String

  /// The devices of all cards, by names that do not depend on the order of the cards.
  static func devices() -> [DeviceHint] {
    var devices: [DeviceHint] = []
    var number: CInt = -1
    ALSAMessages.forget()
    while unsafe snd_card_next(&number) == 0, number >= 0 {
      if let card = SoundCard(number: number) { devices += card.devices() }
    }
    return devices
  }

  /// nil if the card cannot be opened.
  private init?(number: CInt) {
    var opened: OpaquePointer?
    ALSAMessages.forget()
    guard unsafe snd_ctl_open(&opened, "hw:\(number)", SND_CTL_NONBLOCK) == 0,
      let control = unsafe opened
    else { return nil }
    var allocated: OpaquePointer?
    guard unsafe snd_ctl_card_info_malloc(&allocated) == 0, let info = unsafe allocated,
      unsafe snd_ctl_card_info(control, info) == 0
    else {
      unsafe allocated.map { unsafe snd_ctl_card_info_free($0) }
      unsafe snd_ctl_close(control)
      return nil
    }
    unsafe self.control = control
    id = unsafe snd_ctl_card_info_get_id(info).map { unsafe String(cString: $0) } ?? "\(number)"
    name = unsafe snd_ctl_card_info_get_name(info).map { unsafe String(cString: $0) } ?? ""
    unsafe snd_ctl_card_info_free(info)
  }

  deinit { unsafe snd_ctl_close(control) }

  private func devices() -> [DeviceHint] {
    var devices: [DeviceHint] = []
    var number: CInt = -1
    while unsafe snd_ctl_pcm_next_device(control, &number) == 0, number >= 0 {
      var directions: Set<DeviceDirection> = []
      var description = name
      for direction in DeviceDirection.allCases {
        guard let stream = describe(UInt32(number), direction) else { continue }
        directions.insert(direction)
        description = "\(name), \(stream)"
      }
      devices.append(
        DeviceHint(
          name: "hw:CARD=\(id),DEV=\(number)", description: description, directions: directions))
    }
    return devices
  }

  /// The name of a device's stream; nil if it has none in that direction.
  private func describe(_ device: UInt32, _ direction: DeviceDirection) -> String? {
    var allocated: OpaquePointer?
    guard unsafe snd_pcm_info_malloc(&allocated) == 0, let info = unsafe allocated else {
      return nil
    }
    defer { unsafe snd_pcm_info_free(info) }
    unsafe snd_pcm_info_set_device(info, device)
    unsafe snd_pcm_info_set_subdevice(info, 0)
    unsafe snd_pcm_info_set_stream(
      info, direction == .capture ? SND_PCM_STREAM_CAPTURE : SND_PCM_STREAM_PLAYBACK)
    guard unsafe snd_ctl_pcm_info(control, info) == 0 else { return nil }
    return unsafe snd_pcm_info_get_name(info).map { unsafe String(cString: $0) } ?? ""
  }
}
