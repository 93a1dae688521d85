// SPDX-License-Identifier: Apache-2.0
/// A stream of sound of a session description that can be received.
struct DescribedSound: Sendable {
  /// Where it comes; several for legs with equal packets (RFC 7104, SMPTE ST 2022-7).
  let legs: [MediaDescription]
  /// The formats that it may have.
  let numbers: PayloadNumbers
  /// The format that is preferred.
  let payload: PayloadFormat
  /// The identifiers (SSRC) by which its packets come, which count as one. Empty if any may.
  let sources: Set<UInt32>

  /// - Returns: nil if it cannot be received.
  fileprivate init?(_ legs: [MediaDescription]) {
    var numbers = PayloadNumbers()
    for media in legs { media.list(in: &numbers) }
    guard let payload = numbers.preferred else { return nil }
    self.legs = legs
    self.numbers = numbers
    self.payload = payload
    // Equal identifiers need no statement, and a leg without one may have any.
    let isStated = legs.count > 1 && legs.allSatisfy { !$0.sources.isEmpty }
    let stated = Set(legs.flatMap(\.duplicates) + (isStated ? legs.flatMap(\.sources) : []))
    sources = stated.count > 1 ? stated : []
  }
}

extension SessionDescription {
  /// A stream of sound in a supported format.
  ///
  /// - Parameters:
  ///   - name: of the description, in errors.
  ///   - number: of the stream, from 1. Nil for the first one that can be received.
  ///   - isAsked: whether a server is asked for the stream: its ports are 0. In a file such a stream is declined
  ///     (RFC 3264, section 6).
  func sound(
    named name: String, number: Int? = nil, isAsked: Bool = false
  ) throws(AudioError) -> DescribedSound {
    let all = media.filter { $0.kind == "audio" }
    let sounds = joined(all.filter { isAsked || $0.port > 0 })
    guard !all.isEmpty else {
      throw AudioError(
        .unsupported, cannot: "receive", name,
        because: "it has no stream of sound, only "
          + Set(media.map(\.kind)).sorted().joined(separator: " and "))
    }
    guard !sounds.isEmpty else {
      throw AudioError(
        .unsupported, cannot: "receive", name,
        because: "its sound is declined: the port is 0")
    }
    var wanted = sounds
    if let number {
      guard sounds.indices.contains(number - 1) else {
        let count = sounds.count == 1 ? "1 stream" : "\(sounds.count) streams"
        throw AudioError(
          .invalidParameter, cannot: "receive", name,
          because: "it has \(count) of sound, and --stream asks for number \(number)")
      }
      wanted = [sounds[number - 1]]
    }
    for legs in wanted {
      let usable = legs.filter { $0.refusal == nil }
      if let sound = DescribedSound(usable) { return sound }
    }
    throw Self.refusal(of: wanted.flatMap { $0 }, name)
  }

  /// The streams, each with its duplicates.
  private func joined(_ sounds: [MediaDescription]) -> [[MediaDescription]] {
    var joined: [[MediaDescription]] = []
    for media in sounds {
      let group = duplicates.first { names in
        media.identification.map { names.contains($0) } ?? false
      }
      let index = joined.firstIndex { legs in
        legs.contains { leg in leg.identification.map { group?.contains($0) ?? false } ?? false }
      }
      if let index {
        joined[index].append(media)
      } else {
        joined.append([media])
      }
    }
    return joined
  }

  private static func refusal(of sounds: [MediaDescription], _ name: String) -> AudioError {
    for media in sounds {
      if case .other(let reason)? = media.refusal {
        return AudioError(.unsupported, cannot: "receive", name, because: reason)
      }
    }
    let names = sounds.flatMap(\.formatNames).joined(separator: ", ")
    let known = PayloadFormat.Encoding.allCases.map { $0.rawValue.uppercased() }
    return AudioError(
      .unsupported, cannot: "receive", name, because: "its sound is sent as \(names)",
      advice: "accepted are \(known.joined(separator: ", "))")
  }
}
