// SPDX-License-Identifier: Apache-2.0
@testable import AudioCore
@testable import AudioNetwork
@testable import AudioStreams

// Configurations and units of AAC and Opus, and the frames of a decoder.

/// The parameters of a format up to the first zero, then payloads behind a byte of their length: as many units as the
/// payloads stand for, and none longer than a unit may be.
private func readUnits(_ input: [UInt8], name: String) {
  let text = String(decoding: input.prefix { $0 != 0 }, as: UTF8.self)
  guard let read = try? PayloadFormat(name: name, parameters: text), let units = read.units else {
    return
  }
  let configuration = units.configuration(for: read.format)
  precondition(configuration.unitLength == units.unitLength)
  precondition(configuration.sampleRate == read.format.sampleRate)
  precondition(configuration.channelCount == read.format.channelCount)
  var bits = BitReader(configuration.bytes)
  guard let again = try? AACConfiguration(&bits, end: configuration.bytes.count * 8) else {
    fatalError("no configuration")
  }
  precondition(again == configuration)
  var choices = Choices(Array(input.drop { $0 != 0 }.dropFirst()))
  var assembly = UnitAssembly(units, for: read.format)
  while !choices.rest.isEmpty {
    let head = choices.byte()
    let isMarked = head & 1 == 1
    let payload = (0..<Int(head >> 1)).map { _ in choices.byte() }
    guard let count = read.sampleCount(of: payload.span.bytes, isMarked: isMarked) else { continue }
    precondition(count % units.unitLength == 0 && count <= 64 * units.unitLength)
    let part = PayloadPart(format: read, count: count, isMarked: isMarked)
    let found = assembly.take(payload.span.bytes, part)
    precondition(found.count == count / units.unitLength)
    for unit in found {
      precondition((1...AACConfiguration.longestUnit).contains(unit.bytes?.count ?? 1))
      precondition(unit.configuration.isLike(configuration))
    }
  }
}

func readAAC(_ input: [UInt8]) { readUnits(input, name: "MPEG4-GENERIC/48000/2") }

func readLATM(_ input: [UInt8]) { readUnits(input, name: "MP4A-LATM/48000/2") }

/// A packet has at most 120 ms. libopus gives as many samples as the packet says, or refuses it.
func readOpus(_ input: [UInt8]) {
  guard let read = PayloadFormat(name: "opus/48000/2"),
    let count = read.sampleCount(of: input.span.bytes, isMarked: false),
    let decoder = try? OpusDecoder(channelCount: 2, "fuzz")
  else { return }
  precondition((1...OpusPacket.longest).contains(count))
  var size = 0
  let isDecoded = decoder.decode(input.span.bytes, count: count, known: 1) { size = $0.byteCount }
  precondition(size == (isDecoded ? (count - 1) * 8 : 0))
}

/// Every cut of a decoder's bytes gives equal frames.
func readFrames(_ input: [UInt8]) {
  guard let cut = input.first else { return }
  let bytes = Array(input.dropFirst())
  precondition(frames(bytes, pieces: max(bytes.count, 1)) == frames(bytes, pieces: 1 + Int(cut)))
}

private func frames(_ bytes: [UInt8], pieces length: Int) -> [FrameReader.Frame] {
  var reader = FrameReader(sampleRate: 44_100)
  var frames: [FrameReader.Frame] = []
  for start in stride(from: 0, to: bytes.count, by: length) {
    let piece = Array(bytes[start..<min(start + length, bytes.count)])
    reader.append(piece.span.bytes)
    while let frame = reader.nextFrame() {
      precondition((0...Int64(FlashTags.mostUnits)).contains(frame.number))
      frames.append(frame)
    }
  }
  return frames
}
