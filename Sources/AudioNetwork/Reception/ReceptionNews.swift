// SPDX-License-Identifier: Apache-2.0
/// An event of a received stream, to be told.
enum ReceptionNews: Equatable {
  /// The sender began again, or another one took its place.
  case newStream
  /// The sender's clock stood still, for about so many samples per channel.
  case standstill(Int64)
  /// Sound comes with this number from now on.
  case newType(UInt8)
  /// Packets with this number are not heard.
  case unheardType(UInt8)
  /// Timestamps fit neither the samples nor the local clock.
  case uselessTimestamps
}

/// The events that are not told yet.
struct ReceptionNewsList {
  private static let most = 16

  private var list: [ReceptionNews] = []
  /// The payload types that were told as not heard.
  private var unheardTypes: Set<UInt8> = []

  /// Adds an event. A type that is not heard is told once.
  mutating func add(_ item: ReceptionNews) {
    if case .unheardType(let number) = item, !unheardTypes.insert(number).inserted { return }
    if list.count < Self.most { list.append(item) }
  }

  mutating func take() -> [ReceptionNews] {
    defer { list = [] }
    return list
  }
}
