// SPDX-License-Identifier: Apache-2.0
internal import CLilv
internal import Glibc
internal import Synchronization

/// The numbers of URIs in this process (urid.h). A plug-in may ask from any thread.
@safe
final class LV2Symbols: Sendable {
  @safe
  private struct Known: @unchecked Sendable {
    var numbers: [String: UInt32] = [:]
    /// Number n is at n − 1. Never freed: plug-ins keep them.
    var texts: [UnsafePointer<CChar>] = unsafe []
  }

  private let known = Mutex(Known())

  func number(_ uri: String) -> UInt32 {
    known.withLock { known in
      if let number = known.numbers[uri] { return number }
      guard let text = unsafe strdup(uri) else { return 0 }
      unsafe known.texts.append(UnsafePointer(text))
      let number = unsafe UInt32(known.texts.count)
      known.numbers[uri] = number
      return number
    }
  }

  /// Nil for an unknown number.
  func text(_ number: UInt32) -> UnsafePointer<CChar>? {
    let index = Int(number) - 1
    return unsafe known.withLock { known in
      unsafe known.texts.indices.contains(index) ? known.texts[index] : nil
    }
  }

  private var handle: UnsafeMutableRawPointer {
    unsafe Unmanaged.passUnretained(self).toOpaque()
  }

  /// For features; valid as long as the symbols.
  var map: LV2_URID_Map {
    unsafe LV2_URID_Map(
      handle: handle,
      map: { handle, uri in
        guard let handle = unsafe handle, let uri = unsafe uri else { return 0 }
        let symbols = unsafe Unmanaged<LV2Symbols>.fromOpaque(handle).takeUnretainedValue()
        return unsafe symbols.number(String(cString: uri))
      })
  }

  var unmap: LV2_URID_Unmap {
    unsafe LV2_URID_Unmap(
      handle: handle,
      unmap: { handle, number in
        guard let handle = unsafe handle else { return nil }
        return unsafe Unmanaged<LV2Symbols>.fromOpaque(handle).takeUnretainedValue().text(number)
      })
  }

  /// The older form of `urid`, for old plug-ins.
  var oldMap: rawaudio_lv2_uri_map {
    unsafe rawaudio_lv2_uri_map(
      context: handle,
      number: { handle, _, uri in
        guard let handle = unsafe handle, let uri = unsafe uri else { return 0 }
        let symbols = unsafe Unmanaged<LV2Symbols>.fromOpaque(handle).takeUnretainedValue()
        return unsafe symbols.number(String(cString: uri))
      })
  }
}
