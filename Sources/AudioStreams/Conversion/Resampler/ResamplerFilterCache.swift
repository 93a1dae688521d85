// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The coefficients of rate conversions, for sessions that run one after another or at the same time: each pair
/// of rates is computed once.
///
/// A program that converts many files gives all its sessions one. Any thread may use it.
public final class ResamplerFilterCache: Sendable {
  /// Everything that coefficients depend on.
  private struct Design: Hashable {
    let ratio: ResamplingRatio
    let quality: ResamplerQuality
    let precision: SamplePrecision
    let isLive: Bool
  }

  private struct Entry: Sendable {
    let filter: any Sendable
    let byteCount: Int
  }

  private struct Content: ~Copyable {
    var entries: [Design: Entry] = [:]
    /// The one that was used last comes last.
    var byUse: [Design] = []
    var byteCount = 0

    mutating func keep(_ entry: Entry, _ design: Design, _ largestByteCount: Int) {
      entries[design] = entry
      byUse.append(design)
      byteCount += entry.byteCount
      while byteCount > largestByteCount, byUse.count > 1 {
        byteCount -= entries.removeValue(forKey: byUse.removeFirst())?.byteCount ?? 0
      }
    }
  }

  private let content = Mutex(Content())
  private let largestByteCount: Int

  /// - Parameter largestByteCount: what is kept of it when no session uses it; what was used least recently
  ///   goes first. A pair of rates takes 10 KiB to 8 MiB.
  public init(largestByteCount: Int = 16 << 20) {
    self.largestByteCount = largestByteCount
  }

  /// - Parameter isLive: whether what a conversion holds back counts more than what it costs.
  func filter<Sample: AudioSample>(
    _ ratio: ResamplingRatio, _ quality: ResamplerQuality, isLive: Bool
  ) -> ResamplerFilter<Sample> {
    let design = Design(
      ratio: ratio, quality: quality, precision: Sample.precision, isLive: isLive)
    return content.withLock { content in
      if let filter = content.entries[design]?.filter as? ResamplerFilter<Sample> {
        content.byUse.removeAll { $0 == design }
        content.byUse.append(design)
        return filter
      }
      let filter = ResamplerFilter<Sample>(
        ratio: ratio, quality: quality, isInTwoSteps: isLive ? false : nil)
      content.keep(Entry(filter: filter, byteCount: filter.byteCount), design, largestByteCount)
      return filter
    }
  }

  /// What is kept.
  var byteCount: Int { content.withLock { $0.byteCount } }
}
