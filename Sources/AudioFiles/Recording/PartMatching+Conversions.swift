// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The possible results of `strftime` conversions.
extension PartMatching {
  /// Conversions that stand for several others.
  private static let composed = [
    "%F": ["%Y", "-", "%m", "-", "%d"], "%T": ["%H", ":", "%M", ":", "%S"],
    "%X": ["%H", ":", "%M", ":", "%S"], "%R": ["%H", ":", "%M"],
    "%r": ["%I", ":", "%M", ":", "%S", " ", "%p"],
    "%c": ["%a", " ", "%b", " ", "%e", " ", "%H", ":", "%M", ":", "%S", " ", "%Y"],
  ]

  static func elements(of conversion: String) -> [Element] {
    if let parts = composed[conversion] {
      return parts.map { $0.hasPrefix("%") ? element(of: $0) : .text(Array($0.utf8)) }
    }
    return [element(of: conversion)]
  }

  private static func element(of conversion: String) -> Element {
    switch conversion.last {
    case "H", "I", "k", "l", "p", "P": unsafe words(conversion, 0...23) { unsafe $0.tm_hour = $1 }
    case "M": unsafe words(conversion, 0...59) { unsafe $0.tm_min = $1 }
    case "S": unsafe words(conversion, 0...60) { unsafe $0.tm_sec = $1 }
    case "d", "e": unsafe words(conversion, 1...31) { unsafe $0.tm_mday = $1 }
    case "m", "b", "B", "h": unsafe words(conversion, 0...11) { unsafe $0.tm_mon = $1 }
    case "a", "A", "u", "w": unsafe words(conversion, 0...6) { unsafe $0.tm_wday = $1 }
    case "j": unsafe words(conversion, 0...365) { unsafe $0.tm_yday = $1 }
    case "y": unsafe words(conversion, 100...199) { unsafe $0.tm_year = $1 }
    case "Y", "G": .digits(least: conversion.count > 2 ? 1 : 4)
    case "C", "g", "U", "V", "W": .digits(least: conversion.count > 2 ? 1 : 2)
    case "s": .digits(least: 1)
    case "z" where conversion == "%z": .offset
    case "Z": .zone
    default: .unknown
    }
  }

  /// All results of a conversion over the values of one field; the longest first.
  private static func words(
    _ conversion: String, _ values: ClosedRange<Int32>, _ set: (inout tm, Int32) -> Void
  ) -> Element {
    var words: Set<[UInt8]> = []
    for value in values {
      var fields = unsafe tm()
      unsafe fields.tm_mday = 1
      unsafe set(&fields, value)
      words.insert(Array(unsafe CivilTime.text(conversion, &fields).utf8))
    }
    words.remove([])
    return .words(words.sorted { $0.count > $1.count })
  }
}
