// SPDX-License-Identifier: Apache-2.0
internal import AudioPrograms
internal import AudioCore

/// Passes the session's samples through a plug-in: as many return as came, each at its place.
struct HostLoop {
  private let rack: PluginRack
  private let pipes: HostPipes
  private var stream = DelayedStream()
  private let channelCount: Int
  /// Samples per channel.
  private var taken: Int64 = 0
  private var given: Int64 = 0
  /// Samples per channel that wait for a whole block.
  private var filled = 0
  private var notNumbers: Int64 = 0
  private var output: [UInt8] = []

  init(_ rack: PluginRack, _ pipes: HostPipes) {
    (self.rack, self.pipes) = (rack, pipes)
    channelCount = rack.inputs.count
  }

  private var bytesPerFrame: Int { channelCount * MemoryLayout<Float>.size }

  /// Runs until the session's input has ended and all output is written.
  mutating func run() {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    // Bytes of an incomplete sample frame.
    var rest = 0
    while true {
      let count = pipes.read(into: &bytes, from: rest)
      guard count > 0 else { break }
      let whole = (rest + count) / bytesPerFrame * bytesPerFrame
      take(bytes[..<whole])
      bytes.replaceSubrange(0..<(rest + count - whole), with: bytes[whole..<rest + count])
      rest += count - whole
    }
    drain()
    pipes.report(
      .object([
        ("event", .string("end")), ("latency", .integer(Int64(stream.latency))),
        ("changes", .integer(Int64(stream.changes))), ("notNumbers", .integer(notNumbers)),
      ]))
  }

  private mutating func take(_ bytes: ArraySlice<UInt8>) {
    var place = bytes.startIndex
    while place < bytes.endIndex {
      for row in rack.inputs {
        var bits: UInt32 = 0
        for offset in 0..<4 { bits |= UInt32(bytes[place + offset]) << (8 * offset) }
        row[filled] = Float(bitPattern: bits)
        place += 4
      }
      filled += 1
      taken += 1
      if filled == rack.blockLength { runBlock() }
    }
  }

  /// Feeds silence behind the end of the stream until the plug-in has given its last samples.
  private mutating func drain() {
    // Limits the blocks, for a latency may grow for ever.
    var blocks = (DelayedStream.longest + rack.blockLength) / rack.blockLength
    while given < taken, blocks > 0 {
      for row in rack.inputs { for index in filled..<rack.blockLength { row[index] = 0 } }
      runBlock()
      blocks -= 1
    }
  }

  private mutating func runBlock() {
    filled = 0
    rack.run()
    for row in rack.outputs { notNumbers += Int64(row.silenceWhatIsNotFinite()) }
    let (changes, before) = (stream.changes, stream.latency)
    let share = stream.take(rack.latency, length: rack.blockLength)
    if stream.changes > changes, stream.changes == 1 {
      pipes.report(
        .object([
          ("event", .string("latency")), ("from", .integer(Int64(before))),
          ("to", .integer(Int64(stream.latency))), ("at", .integer(taken)),
        ]))
    }
    let silence = min(Int64(share.silence), taken - given)
    output.append(contentsOf: repeatElement(0, count: Int(silence) * bytesPerFrame))
    given += silence
    let last = Int(min(Int64(rack.blockLength), Int64(share.first) + taken - given))
    guard last > share.first else { return }
    for index in share.first..<last {
      for row in rack.outputs {
        let bits = row[index].bitPattern
        for offset in 0..<4 { output.append(UInt8(truncatingIfNeeded: bits >> (8 * offset))) }
      }
    }
    given += Int64(last - share.first)
    // Flush before the plug-in runs again, which may end this process.
    flush()
  }

  private mutating func flush() {
    guard !output.isEmpty else { return }
    pipes.write(output[...])
    output.removeAll(keepingCapacity: true)
  }
}
