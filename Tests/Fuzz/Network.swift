// SPDX-License-Identifier: Apache-2.0
@testable import AudioCore
@testable import AudioNetwork
@testable import AudioStreams

// Packets, reports and descriptions of a network, and the answers of a server.

/// Only lengths.
private struct Lengths: ReceptionOutput {
  var length: Int64 = 0

  mutating func append(_ payload: RawSpan, _ part: PayloadPart) {
    precondition(part.known <= part.count && part.count == payload.byteCount / 2)
    length += Int64(part.count - part.known)
  }
  mutating func appendSilence(_ count: Int64) { add(count) }
  mutating func appendGap(_ gap: ReceptionGap) { add(gap.count) }

  private mutating func add(_ count: Int64) {
    precondition(count > 0)
    length += count
  }
}

/// Any packets at any time: every sample of the stream is given once, and little is held.
func readRTP(_ input: [UInt8]) {
  guard let payload = PayloadFormat(name: "L16/8000") else { fatalError("no format") }
  var choices = Choices(input)
  var reception = Reception(
    PayloadNumbers(payload), payload, jitter: .milliseconds(choices.number(below: 300) + 1))
  var output = Lengths()
  var now = MonotonicTime(nanoseconds: 1_000_000_000)
  while !choices.rest.isEmpty {
    let count = Int(choices.byte()) * 2
    var bytes = choices.rest
    if bytes.count < count { bytes += [UInt8](repeating: 0, count: count - bytes.count) }
    bytes = Array(bytes.prefix(count))
    for _ in 0..<min(count, RTPPacket.shortestHeader) { _ = choices.byte() }
    now.nanoseconds += Int(choices.byte()) * 1_000_000
    if let header = RTPPacket(bytes.span.bytes) {
      precondition(header.payload.upperBound <= bytes.count)
      reception.take(header, bytes.span.bytes.extracting(header.payload), at: now, into: &output)
    }
    reception.advance(to: now, into: &output)
    precondition(output.length == reception.end)
    _ = reception.takeNews()
  }
  reception.finish(into: &output)
  precondition(output.length == reception.end)
}

func readRTCP(_ input: [UInt8]) {
  guard let packet = RTCPPacket(input.span.bytes) else { return }
  precondition(packet.reports.count + packet.endedSources.count <= input.count / 4)
  for report in packet.reports { _ = report.time }
}

/// A description that is read has a format by its own name.
func readSDP(_ input: [UInt8]) {
  guard let description = try? SessionDescription(input) else { return }
  for media in description.media {
    precondition(media.formatNames.allSatisfy { !$0.isEmpty })
    _ = media.refusal
    let numbers = media.numbers
    precondition(numbers.auxiliary.isDisjoint(with: numbers.order))
    for number in numbers.order {
      guard let format = numbers.formats[number] else { fatalError("\(number) has no format") }
      precondition(
        PayloadFormat.needsDescription(format.name) || PayloadFormat(name: format.name) == format)
    }
  }
  for number in [nil, 1, 2] {
    guard let sound = try? description.sound(named: "x", number: number) else { continue }
    precondition(!sound.legs.isEmpty && sound.numbers.preferred == sound.payload)
  }
}

/// Every cut of a server's bytes gives equal messages and packets.
func readRTSP(_ input: [UInt8]) {
  guard let cut = input.first else { return }
  let bytes = Array(input.dropFirst())
  let whole = items(bytes, pieces: max(bytes.count, 1))
  precondition(whole == items(bytes, pieces: 1 + Int(cut)))
  for case .response(let response)? in whole {
    for header in response.headers {
      _ = HeaderParameters(header.value)
      _ = try? ServerAddress(header.value)
    }
    let challenges = AuthenticationChallenge.all(in: response.headers.map(\.value))
    var authorization = Authorization(challenges, Credentials(user: "u", password: "p"))
    _ = authorization?.value(for: "PLAY", "rtsp://h/", nonce: "0")
  }
}

/// - Returns: the items, with nil for a fault at the end.
private func items(_ bytes: [UInt8], pieces length: Int) -> [RTSPReader.Item?] {
  var reader = RTSPReader()
  var items: [RTSPReader.Item?] = []
  for start in stride(from: 0, to: bytes.count, by: length) {
    let piece = Array(bytes[start..<min(start + length, bytes.count)])
    reader.append(piece.span.bytes)
    do throws(AudioError) {
      while let item = try reader.next() { items.append(item) }
    } catch {
      return items + [nil]
    }
  }
  return items
}
