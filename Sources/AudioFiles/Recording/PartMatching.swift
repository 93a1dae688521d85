// SPDX-License-Identifier: Apache-2.0
/// Recognises names that come from a pattern, and finds the number in them.
struct PartMatching {
  /// A piece of a name.
  enum Element {
    case text([UInt8])
    /// The part's number, in at least so many digits.
    case number(digits: Int)
    /// One of these words.
    case words([[UInt8]])
    /// At least so many characters: digits, with or without spaces in front.
    case digits(least: Int)
    /// The offset from UTC.
    case offset
    /// The name of a time zone.
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
  /// Whether repeated names get `-1`, `-2` and so on.
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

  /// Turns `take-12.wav` into `take.wav`.
  private static func withoutSuffix(_ name: [UInt8]) -> [UInt8]? {
    let dot = name.lastIndex(of: UInt8(ascii: ".")) ?? name.endIndex
    guard let dash = name[..<dot].lastIndex(of: UInt8(ascii: "-")) else { return nil }
    let digits = name[(dash + 1)..<dot]
    guard let first = digits.first, first != UInt8(ascii: "0"), digits.allSatisfy(isDigit) else {
      return nil
    }
    return Array(name[..<dash] + name[dot...])
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
}
