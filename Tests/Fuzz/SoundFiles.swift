// SPDX-License-Identifier: Apache-2.0
import Glibc

@testable import AudioStreams
@testable import AudioCore
@testable import AudioFiles
@testable import AudioDevices
@testable import AudioPictures
@testable import AudioPrograms

// Whole files: their format, their stated length, and their contents.

/// The samples read match the stated length, or the difference is reported.
func readSoundFile(_ input: [UInt8]) {
  guard let file = try? OpenedSoundFile(memoryFile(input), as: nil, headerless: nil) else { return }
  let format = file.format
  precondition(StreamFormat.sampleRates.contains(format.sampleRate))
  precondition(StreamFormat.channelCounts.contains(format.channelCount))
  if let told = file.samplesPerChannel { precondition(told >= 0) }
  if let claimed = file.claimedSamplesPerChannel { precondition(claimed >= 0) }
  let bytesPerFrame = file.reader.layout.bytesPerSample * format.channelCount
  let queue = ByteQueue(capacity: max(65_536, bytesPerFrame))
  var count = 0
  do throws(AudioError) {
    while count < 1 << 20 {
      let read = try queue.append(atMost: max(65_536, bytesPerFrame)) {
        (bytes) throws(AudioError) in
        try file.reader.read(into: bytes)
      }
      if read == 0 { break }
      count += read
      queue.consume(queue.count)
    }
  } catch {
    return
  }
  if let told = file.samplesPerChannel, !file.encoding.isFloatCodec {
    precondition(Int64(count / bytesPerFrame) <= told)
  }
}

func findStatedLengths(_ input: [UInt8]) {
  switch try? StatedLength.find(in: FileWindow(holding: input, named: "input"), from: 0) {
  case .bytes(let range): precondition(range.lowerBound >= 0)
  case .sampleFrames(let count): precondition(count >= 0)
  case .unfinished(let start): precondition(start >= 0)
  case nil: break
  }
  _ = AiffLength(header: input)
}

/// Tags leave a part of the file; the frames of MPEG audio in it are in order.
func findTagsAndFrames(_ input: [UInt8]) {
  let window = FileWindow(holding: input, named: "input")
  do throws(AudioError) {
    let start = try SurroundingTags.end(ofTagsIn: window)
    let end = try SurroundingTags.start(ofTagsIn: window, behind: start)
    precondition(0 <= start && start <= end && end <= input.count)
    _ = try OggEnd.isMissing(in: window, start..<end)
    guard let stream = try MpegStream(in: window, from: start, searching: true) else { return }
    var position = start
    for part in stream.parts {
      precondition(part.lowerBound >= position && !part.isEmpty && part.upperBound <= end)
      position = part.upperBound
    }
    precondition(stream.samplesPerChannel >= 0 && stream.leadingSamples >= 0)
    if let claimed = stream.claimedSamplesPerChannel {
      precondition(claimed >= stream.samplesPerChannel)
    }
  } catch {
    fatalError("\(error)")
  }
}

@_silgen_name("memfd_create")
private func memfd_create(_ name: UnsafePointer<CChar>, _ flags: CUnsignedInt) -> CInt

/// Returns an unnamed file with these bytes.
func memoryFile(_ bytes: [UInt8]) -> FileDescriptor {
  let number = memfd_create("input", 0)
  precondition(pwrite(number, bytes, bytes.count, 0) == bytes.count)
  guard let file = try? FileDescriptor(number, name: "input", closes: true) else {
    fatalError("there is no file in memory")
  }
  return file
}

/// Returns the end of a pipe with these bytes, at most 64 KiB, that then ends.
func filledPipe(_ bytes: [UInt8]) -> FileDescriptor {
  var ends: [CInt] = [-1, -1]
  precondition(pipe(&ends) == 0 && write(ends[1], bytes, bytes.count) == bytes.count)
  close(ends[1])
  guard let pipe = try? FileDescriptor(ends[0], name: "input", closes: true) else {
    fatalError("there is no pipe")
  }
  return pipe
}
