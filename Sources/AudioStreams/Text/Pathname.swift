// SPDX-License-Identifier: Apache-2.0
/// The name of a file in the operating system: bytes, which need not be UTF-8.
///
/// Everywhere else a path is a `String`. Every name has one: a byte that is not UTF-8 becomes the character U+10FF00 +
/// byte, and so does each byte of the characters U+10FF80 to U+10FFFF themselves. So a path comes back byte for byte,
/// even if it was taken apart and put together on the way:
///
/// ```swift
/// let source = SoundFileSource(path: Pathname(bytes: [0xFF, 0xFE]).text)
/// ```
///
/// (Python uses other characters for this: PEP 383, "surrogateescape".)
package struct Pathname: Sendable, Hashable {
  /// The bytes for the operating system, without the zero at the end.
  public let bytes: [UInt8]

  /// Makes the name of these bytes.
  public init(bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

  /// Makes the name that `text` represents.
  public init(_ text: String) {
    // Only U+100000 and above begin with this byte.
    guard text.utf8.contains(0xF4) else {
      bytes = Array(text.utf8)
      return
    }
    var bytes: [UInt8] = []
    for scalar in text.unicodeScalars {
      if let byte = Self.byte(of: scalar) {
        bytes.append(byte)
      } else {
        bytes += UTF8.encode(scalar).map { Array($0) } ?? []
      }
    }
    self.bytes = bytes
  }

  /// The name as text, from which ``init(_:)`` makes the name again.
  public var text: String {
    if let text = String(validUTF8: bytes), !text.utf8.contains(0xF4) {
      return text
    }
    var scalars = String.UnicodeScalarView()
    var rest = bytes[...]
    while let first = rest.first {
      let scalar = Self.firstScalar(rest)
      // A byte that is no scalar is at least 0x80.
      scalars.append(scalar ?? Unicode.Scalar(0x10FF00 + UInt32(first)) ?? "\u{FFFD}")
      rest = rest.dropFirst(scalar.map { UTF8.width($0) } ?? 1)
    }
    return String(scalars)
  }

  /// The first scalar of `bytes`; nil if they begin with no scalar that stands for itself.
  private static func firstScalar(_ bytes: ArraySlice<UInt8>) -> Unicode.Scalar? {
    guard let first = bytes.first else { return nil }
    let width = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    guard let text = String(validUTF8: Array(bytes.prefix(width))),
      let scalar = text.unicodeScalars.first, UTF8.width(scalar) == width
    else { return nil }
    return byte(of: scalar) == nil ? scalar : nil
  }

  /// The byte that a character of a path's text represents; nil if the character stands for itself.
  private static func byte(of scalar: Unicode.Scalar) -> UInt8? {
    (0x10FF80...0x10FFFF).contains(scalar.value) ? UInt8(scalar.value & 0xFF) : nil
  }
}

extension Pathname: CustomStringConvertible {
  /// The name for messages: `take\xff.wav`.
  public var description: String { Self.shown(in: text) }

  /// Returns the text with every byte that is not UTF-8 as `\x` and two digits.
  public static func shown(in text: String) -> String {
    guard text.utf8.contains(0xF4) else { return text }
    return text.unicodeScalars.reduce(into: "") { shown, scalar in
      if let byte = byte(of: scalar) {
        shown += "\\x" + String(byte, radix: 16)
      } else {
        shown.unicodeScalars.append(scalar)
      }
    }
  }
}

extension Pathname {
  /// The name in JSON: a byte that is not UTF-8 becomes `\x` and two digits. A backslash that would look like the
  /// beginning of such a byte becomes `\x5c`, so that ``init(escaped:)`` makes the name again.
  package var escaped: String {
    var escaped = String.UnicodeScalarView()
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      if let byte = Self.byte(of: scalar) {
        escaped += "\\x\(String(byte, radix: 16))".unicodeScalars
      } else {
        escaped.append(scalar)
        if scalar == "\\", Self.escapedByte(rest) != nil { escaped += "x5c".unicodeScalars }
      }
    }
    return String(escaped)
  }

  /// Makes the name from its ``escaped`` form.
  package init(escaped: String) {
    guard escaped.utf8.contains(UInt8(ascii: "\\")) else {
      self.init(escaped)
      return
    }
    var bytes: [UInt8] = []
    var rest = escaped.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      if scalar == "\\", let byte = Self.escapedByte(rest) {
        bytes.append(byte)
        rest = rest.dropFirst(3)
      } else {
        bytes += Pathname(String(scalar)).bytes
      }
    }
    self.init(bytes: bytes)
  }

  /// The byte of `x` and two lower-case digits behind a backslash: a byte from 0x80 on, or the backslash.
  private static func escapedByte(_ scalars: Substring.UnicodeScalarView) -> UInt8? {
    guard scalars.first == "x" else { return nil }
    let digits = String(Substring(scalars.dropFirst().prefix(2)))
    guard digits.count == 2, digits.allSatisfy({ "0123456789abcdef".contains($0) }),
      let byte = UInt8(digits, radix: 16), byte >= 0x80 || byte == UInt8(ascii: "\\")
    else { return nil }
    return byte
  }

  /// - Throws: `invalidParameter` if no file can have this name.
  func check(to action: String, _ name: String) throws(AudioError) {
    guard !bytes.contains(0) else {
      throw AudioError(
        .invalidParameter, cannot: action, name, because: "a name holds no zero byte")
    }
  }

  /// The zero-terminated name for C functions.
  package var cString: [CChar] { bytes.map { CChar(bitPattern: $0) } + [0] }

  /// Makes the name from a C string, such as a word of a command line.
  public init(cString: UnsafePointer<CChar>) {
    var bytes: [UInt8] = []
    var next = unsafe cString
    while unsafe next.pointee != 0 {
      unsafe bytes.append(UInt8(bitPattern: next.pointee))
      unsafe next += 1
    }
    self.bytes = bytes
  }

  /// The folder of the file, with the slash at the end; `./` if the name has none.
  package var directory: Pathname {
    guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return Pathname("./") }
    return Pathname(bytes: bytes[...slash])
  }

  /// The part behind the last slash.
  package var name: ArraySlice<UInt8> {
    let start = bytes.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
    return bytes[start...]
  }

  /// A short word that stands for these bytes in the name of a file.
  package static func hash(of bytes: some Sequence<UInt8>) -> String {
    // FNV-1a, http://www.isthe.com/chongo/tech/comp/fnv.
    let hash = bytes.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
      ($0 ^ UInt64($1)) &* 0x100_0000_01B3
    }
    return String(hash, radix: 36)
  }

  /// Returns the name of a file in this folder, which ends with a slash.
  package func appending(_ name: some Sequence<UInt8>) -> Pathname { Pathname(bytes: bytes + name) }
}
