// SPDX-License-Identifier: Apache-2.0
// What `make fuzz` runs: libFuzzer calls this with bytes of its own making, and stops at the first that
// crash what they are given to, or break what it promises.

import Glibc

/// By the name that FUZZ_TARGET asks for. `Scripts/fuzz.sh` runs each of them.
private let targets: [String: @Sendable ([UInt8]) -> Void] = [
  "json": readJSON,
  "lines": readLines,
  "packets": readPackets,
  "pipewire": readListing,
  "wave-header": readWaveHeader,
  "wave-writer": writeWaveHeader,
  "sound-file": readSoundFile,
  "metadata": readMetadata,
  "tags": readTags,
  "xiph": readXiph,
  "stated-lengths": findStatedLengths,
  "tags-and-frames": findTagsAndFrames,
  "command-line": parseCommandLine,
  "observers": parseObserver,
  "times": parseTimes,
  "values": parseValues,
  "names": parseNames,
]

private let target: @Sendable ([UInt8]) -> Void = {
  let name = getenv("FUZZ_TARGET").map { String(cString: $0) } ?? ""
  guard let target = targets[name] else {
    print(targets.keys.sorted().joined(separator: "\n"))
    exit(name.isEmpty ? 0 : 1)
  }
  return target
}()

@_cdecl("LLVMFuzzerTestOneInput")
public func test(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  target(Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}

/// The bytes of an input, taken one after the other; zeros behind its end.
struct Choices {
  private var bytes: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

  var rest: [UInt8] { Array(bytes) }

  mutating func byte() -> UInt8 { bytes.popFirst() ?? 0 }

  mutating func number(below limit: Int) -> Int {
    let value = (0..<8).reduce(UInt64(0)) { value, _ in value << 8 | UInt64(byte()) }
    return Int(value % UInt64(limit))
  }

  mutating func one<Value>(of values: [Value]) -> Value {
    values[Int(byte()) % values.count]
  }
}

/// The text of an input, with U+FFFD for what is not UTF-8, as Swift makes of a command line's words.
func text(_ input: some Sequence<UInt8>) -> String { String(decoding: Array(input), as: UTF8.self) }
