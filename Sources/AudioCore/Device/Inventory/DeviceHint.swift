internal import CALSA
internal import Glibc

/// A name that may be opened, as ALSA's configuration or a card announces it.
struct DeviceHint {
  var name: String
  var description: String
  var directions: Set<DeviceDirection>
}

extension DeviceHint {
  /// The names that ALSA's configuration shows, in its order.
  ///
  /// - Throws: `malformed`, in libasound's words, where it cannot be read.
  /// The corresponding C function is `snd_device_name_hint`.
  static func all() throws(AudioError) -> [DeviceHint] {
    var list: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
    ALSAMessages.forget()
    let code = unsafe snd_device_name_hint(-1, "pcm", &list)
    guard code == 0, let list = unsafe list else {
      throw AudioError(
        .malformed, cannot: "read ALSA's configuration", "",
        because: ALSAMessages.first() ?? describe(alsaCode: Int(code)),
        advice: "correct what ~/.asoundrc, /etc/asound.conf or ALSA_CONFIG_PATH says")
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

  /// ALSA names a direction only where there is just one.
  private static func directions(named name: String?) -> Set<DeviceDirection> {
    switch name {
    case "Input": [.capture]
    case "Output": [.playback]
    default: [.capture, .playback]
    }
  }

  /// The corresponding C function is `snd_device_name_get_hint`.
  private static func text(_ key: String, of hint: UnsafeRawPointer) -> String? {
    guard let copy = unsafe snd_device_name_get_hint(hint, key) else { return nil }
    defer { unsafe free(copy) }
    return unsafe String(cString: copy).split(whereSeparator: \.isNewline).joined(separator: ", ")
  }
}
