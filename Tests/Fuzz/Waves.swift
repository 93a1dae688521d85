// SPDX-License-Identifier: Apache-2.0
import Glibc

@testable import AudioStreams
@testable import AudioCore
@testable import AudioFiles
@testable import AudioDevices
@testable import AudioPictures
@testable import AudioPrograms

// WAV headers: any bytes read as one, and written ones read back.

/// The claim of a header lies within the file, and a pipe with these bytes is read alike.
func readWaveHeader(_ input: [UInt8]) {
  let file = memoryFile(input)
  guard let fromFile = try? WaveHeader(reading: WaveHeaderInput(file, from: 0)) else { return }
  precondition(fromFile.dataOffset <= input.count + 1)
  if let actual = fromFile.actualBytes {
    precondition(
      actual >= 0 && fromFile.dataOffset + actual <= max(fromFile.dataOffset, Int64(input.count)))
    if let claimed = fromFile.claimedBytes { precondition(actual <= claimed) }
  }
  guard fromFile.format.isPlain else { return }
  guard let fromPipe = try? WaveHeader(reading: WaveHeaderInput(filledPipe(input), from: 0)) else {
    fatalError("the pipe's header is none")
  }
  precondition(fromPipe.dataOffset == fromFile.dataOffset)
  precondition(
    fromPipe.format.layout(fromPipe.byteOrder) == fromFile.format.layout(fromFile.byteOrder))
  precondition(fromPipe.claimedBytes == nil || fromFile.actualBytes != nil)
}

/// A written header is read back: shape, length and marks, in files of up to 8 GiB.
func writeWaveHeader(_ input: [UInt8]) {
  var choices = Choices(input)
  let order: ByteOrder = choices.byte() % 4 == 0 ? .big : .little
  let encoding = choices.one(of: [SampleEncoding.u8, .s16, .s24, .s32, .f32, .f64, .ulaw, .alaw])
  guard let layout = SampleLayout(encoding, order) else { fatalError("\(encoding) has no layout") }
  let format: StreamFormat
  do {
    format = try StreamFormat(
      sampleRate: 1_000 + choices.number(below: 767_001),
      channelCount: 1 + choices.number(below: 64))
  } catch { fatalError("\(error)") }
  var header = WaveHeaderWriter(format: format, layout: layout, isPatchable: true)
  header.isAlwaysExtensible = choices.byte() % 2 == 1
  header.isAlways64Bit = choices.byte() % 4 == 1 && order == .little
  let bytesPerFrame = Int64(layout.bytesPerSample * format.channelCount)
  let limit = choices.byte() % 2 == 0 ? 10_000 : 1 << 33
  let frames = Int64(choices.number(below: limit)) / bytesPerFrame
  // Big-endian WAVE has no form beyond 32-bit sizes.
  guard order == .little || frames * bytesPerFrame < 1 << 31 else { return }

  let (cues, labels) = cues(&choices)
  let tail = cues.chunks(order, length: frames)
  header.trailingBytes = Int64(tail.count)
  let dataBytes = frames * bytesPerFrame
  let head = header.bytes(dataBytes: dataBytes)
  let file = memoryFile(head)
  let end = Int64(head.count) + dataBytes + dataBytes % 2
  ftruncate(file.number, off_t(end))
  tail.withUnsafeBytes { _ = pwrite(file.number, $0.baseAddress, $0.count, off_t(end)) }

  guard let read = try? WaveHeader(reading: WaveHeaderInput(file, from: 0)) else {
    fatalError("what was written cannot be read")
  }
  precondition(read.format.sampleRate == format.sampleRate)
  precondition(read.format.channelCount == format.channelCount)
  precondition(read.format.layout(read.byteOrder) == layout)
  precondition(read.dataOffset == head.count)
  precondition(read.claimedBytes == dataBytes && read.actualBytes == dataBytes)
  if !labels.isEmpty { precondition(labelsRead(tail, order) == labels.map { Array($0.utf8) }) }
}

private func cues(_ choices: inout Choices) -> (WaveCues, [String]) {
  var cues = WaveCues()
  var labels: [String] = []
  for part in choices.rest.split(separator: 0x0A).prefix(20) {
    let position = Int64(part.first ?? 0) << (part.count % 40)
    let label = text(part.filter { $0 != 0 })
    if cues.append(position: position, label: label) { labels.append(label) }
  }
  return (cues, labels)
}

/// The labels of a `LIST` of type `adtl`, read by its specification.
private func labelsRead(_ bytes: [UInt8], _ order: ByteOrder) -> [[UInt8]] {
  precondition(bytes.has("cue ", at: 0))
  let list = 8 + Int(bytes.integer(at: 4, 4, order))
  precondition(bytes.has("LIST", at: list) && bytes.has("adtl", at: list + 8))
  precondition(list + 8 + Int(bytes.integer(at: list + 4, 4, order)) == bytes.count)
  var labels: [[UInt8]] = []
  var position = list + 12
  while position < bytes.count {
    precondition(bytes.has("labl", at: position))
    let size = Int(bytes.integer(at: position + 4, 4, order))
    precondition(Int(bytes.integer(at: position + 8, 4, order)) == labels.count + 1)
    labels.append(Array(bytes[position + 12..<position + 7 + size]))
    precondition(bytes[position + 7 + size] == 0)
    position += 8 + size + size % 2
  }
  return labels
}
