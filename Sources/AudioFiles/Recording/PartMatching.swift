// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Recognises names that come from a pattern, and finds the number in them.
struct PartMatching {
  enum Element {
    case text([UInt8])
    /// The part's number, in at least so many digits.
    case number(digits: Int)
    case words([[UInt8]])
    /// At least so many characters: digits, with or without spaces in front.
    case digits(least: Int)
    /// The offset from UTC.
    case offset
    case zone
    /// A conversion whose results are not recognised.
    case unknown
  }

  /// One folder of the path, or the file.
  struct Component {
    var elements: [Element] = []

    /// The component's fixed text; nil if it varies between parts.
    var text: [UInt8]? {
      var bytes: [UInt8] = []
      for element in elements {
        guard case .text(let text) = element else { return nil }
        bytes += text
      }
      return bytes
    }
  }

  /// The pattern in front of the first conversion, up to its last slash; `./` if it has none.
  let folder: Pathname
  /// Whether paths begin with ``folder``.
  let namesFolder: Bool
  /// The components behind ``folder``; the last one is the file.
  let components: [Component]
  /// Whether repeated names get `_x2`, `_x3` and so on.
  let hasSuffixes: Bool

  init(_ names: PartNames) {
    var fixed: [UInt8] = []
    var components = [Component()]
    var isFirst = true
    for piece in names.pieces {
      switch piece {
      case .text(let text):
        var parts = Pathname(text).bytes.split(
          separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)[...]
        if isFirst, let last = parts.popLast() {
          for part in parts { fixed += part + [UInt8(ascii: "/")] }
          parts = [last]
        }
        if let first = parts.popFirst(), !first.isEmpty {
          components[components.count - 1].elements.append(.text(Array(first)))
        }
        for part in parts {
          components.append(Component(elements: part.isEmpty ? [] : [.text(Array(part))]))
        }
      case .number(let digits):
        components[components.count - 1].elements.append(.number(digits: digits))
      case .time(let conversion):
        components[components.count - 1].elements += Self.elements(of: conversion)
      case .field: components[components.count - 1].elements.append(.unknown)
      }
      isFirst = false
    }
    namesFolder = !fixed.isEmpty
    folder = namesFolder ? Pathname(bytes: fixed) : Pathname("./")
    self.components = components
    hasSuffixes = !names.haveNumbers
  }

  /// Whether every name that the pattern gives is recognised.
  var isKnown: Bool {
    components.allSatisfy {
      $0.elements.allSatisfy { if case .unknown = $0 { false } else { true } }
    }
  }

  /// The number in a name of a folder or file, 0 if it has none; nil if the name does not come from the pattern.
  func number(in name: [UInt8], of component: Component, isFile: Bool) -> Int? {
    if let number = Self.match(name[...], component.elements[...]) { return number }
    guard isFile, hasSuffixes, let plain = Self.withoutSuffix(name) else { return nil }
    return Self.match(plain[...], component.elements[...])
  }

  /// Turns `take_x12.wav` into `take.wav`, and `take-12.wav` of earlier versions, too.
  private static func withoutSuffix(_ name: [UInt8]) -> [UInt8]? {
    let dot = name.lastIndex(of: UInt8(ascii: ".")) ?? name.endIndex
    let digits = name[(name[..<dot].lastIndex { !isDigit($0) }.map { $0 + 1 } ?? 0)..<dot]
    guard let first = digits.first, first != UInt8(ascii: "0") else { return nil }
    for mark in ["_x", "-"] {
      let rest = name[..<digits.startIndex]
      if rest.suffix(mark.utf8.count).elementsEqual(mark.utf8) {
        return Array(rest.dropLast(mark.utf8.count) + name[dot...])
      }
    }
    return nil
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  /// Tries all lengths of each element, the longest first.
  private static func match(_ name: ArraySlice<UInt8>, _ elements: ArraySlice<Element>) -> Int? {
    guard let element = elements.first else { return name.isEmpty ? 0 : nil }
    let rest = elements.dropFirst()
    func after(_ count: Int) -> Int? { match(name.dropFirst(count), rest) }
    switch element {
    case .text(let text): return name.starts(with: text) ? after(text.count) : nil
    case .words(let words):
      for word in words where name.starts(with: word) {
        if let number = after(word.count) { return number }
      }
      return nil
    case .number(let least):
      let run = name.prefix(while: isDigit)
      for count in stride(from: min(run.count, 18), through: max(1, least), by: -1) {
        // A number has no leading zeros beyond its least number of digits.
        if count > max(1, least), run.first == UInt8(ascii: "0") { continue }
        if let found = after(count) {
          return max(found, Int(String(decoding: run.prefix(count), as: UTF8.self)) ?? 0)
        }
      }
      return nil
    case .digits(let least):
      let spaces = name.prefix { $0 == UInt8(ascii: " ") }.count
      let run = name.dropFirst(spaces).prefix(while: isDigit)
      guard !run.isEmpty else { return nil }
      for count in stride(from: run.count, through: 1, by: -1) where spaces + count >= least {
        if let found = after(spaces + count) { return found }
      }
      return nil
    case .offset:
      guard let sign = name.first, [UInt8(ascii: "+"), UInt8(ascii: "-")].contains(sign),
        name.dropFirst().prefix(4).count == 4, name.dropFirst().prefix(4).allSatisfy(isDigit)
      else { return nil }
      return after(5)
    case .zone:
      let run = name.prefix { byte in
        isDigit(byte) || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
          || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte & ~0x20)
      }
      for count in stride(from: run.count, through: 1, by: -1) {
        if let found = after(count) { return found }
      }
      return nil
    case .unknown: return nil
    }
  }

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
