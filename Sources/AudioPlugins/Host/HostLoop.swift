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
  private var notANumberSamples: Int64 = 0
  private var output: [UInt8] = []

  init(_ rack: PluginRack, _ pipes: HostPipes) {
    self.rack = rack
    self.pipes = pipes
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
        ("changes", .integer(Int64(stream.changes))), ("notNumbers", .integer(notANumberSamples)),
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
    for row in rack.outputs { notANumberSamples += Int64(row.silenceWhatIsNotFinite()) }
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

/// Removes the latency of plug-ins from their output: as many samples leave as came, each at its place.
///
/// The latency is read after each run. A new latency holds from the block behind its change on: if it grew, the
/// difference is dropped from the output; if it shrank, silence stands in for the difference.
struct DelayedStream {
  /// The longest plausible latency: 87 s at 768 kHz.
  static let longest = 1 << 26

  private(set) var latency = 0
  /// The number of latency changes after the first run.
  private(set) var changes = 0
  private var hasRun = false
  /// Samples per channel of the output still to be dropped.
  private var excess = 0

  /// The part of a block's output that leaves.
  struct Share: Equatable {
    /// Silence in front, in samples per channel.
    var silence: Int
    /// The first sample of the block that leaves.
    var first: Int
  }

  /// Takes the latency reported after a run of `length` samples per channel.
  mutating func take(_ told: Double, length: Int) -> Share {
    let new = told.isFinite ? Int(min(max(0, told.rounded()), Double(Self.longest))) : latency
    if hasRun, new != latency { changes += 1 }
    hasRun = true
    excess += new - latency
    latency = new
    guard excess >= 0 else {
      defer { excess = 0 }
      return Share(silence: -excess, first: 0)
    }
    let dropped = min(excess, length)
    excess -= dropped
    return Share(silence: 0, first: dropped)
  }
}
