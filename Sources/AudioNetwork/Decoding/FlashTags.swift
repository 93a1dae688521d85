// SPDX-License-Identifier: Apache-2.0
/// Units of AAC as a stream of FLV, which ffmpeg reads. Source: Adobe Flash Video File Format Specification, version 10.1,
/// annex E.
///
/// The time of a unit is its number, so that each decoded frame tells its unit.
enum FlashTags {
  /// The largest time.
  static let mostUnits = Int32.max

  /// The bytes before the first unit.
  static func header(_ configuration: AACConfiguration) -> [UInt8] {
    // Version 1, with sound only; no tag before the first one.
    let file: [UInt8] = [0x46, 0x4C, 0x56, 1, 4, 0, 0, 0, 9, 0, 0, 0, 0]
    return file + tag(kind: 0, configuration.bytes, time: 0)
  }

  /// - Parameter number: 0 to ``mostUnits``.
  static func unit(_ bytes: [UInt8], number: Int32) -> [UInt8] {
    tag(kind: 1, bytes, time: UInt32(bitPattern: number))
  }

  /// - Parameter kind: 0 for the configuration, 1 for a unit.
  private static func tag(kind: UInt8, _ bytes: [UInt8], time: UInt32) -> [UInt8] {
    // 8: sound. 0xAF: AAC, whose configuration states its rate and channels. The highest byte of the time comes last.
    let size = UInt32(bytes.count + 2)
    var tag: [UInt8] = [8]
    tag += size.networkBytes.dropFirst()
    tag += time.networkBytes.dropFirst()
    tag += [UInt8(time >> 24), 0, 0, 0, 0xAF, kind]
    tag += bytes
    return tag + UInt32(tag.count).networkBytes
  }
}
