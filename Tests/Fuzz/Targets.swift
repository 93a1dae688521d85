// SPDX-License-Identifier: Apache-2.0
// The entry of `make fuzz`: libFuzzer calls this with random bytes, and stops at the first input that crashes its
// target or breaks a promise.

import Glibc

/// The targets by the name in FUZZ_TARGET. `Scripts/fuzz.sh` runs each of them.
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
  "rtp": readRTP,
  "rtcp": readRTCP,
  "sdp": readSDP,
  "rtsp": readRTSP,
  "aac": readAAC,
  "latm": readLATM,
  "opus": readOpus,
  "frames": readFrames,
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

/// The bytes of an input, taken in order; zeros after its end.
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

/// Returns the text of an input, with U+FFFD for invalid UTF-8, like Swift's conversion of a command line's words.
func text(_ input: some Sequence<UInt8>) -> String { String(decoding: Array(input), as: UTF8.self) }
