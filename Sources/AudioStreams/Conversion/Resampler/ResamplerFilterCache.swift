// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// A cache of the coefficients of rate conversions, for successive or simultaneous sessions: each pair of rates is
/// computed once.
///
/// A program that converts many files gives all its sessions one cache. Any thread may use it.
public final class ResamplerFilterCache: Sendable {
  /// The parameters that decide the coefficients.
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
    /// The designs in the order of last use; the latest comes last.
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

  /// - Parameter largestByteCount: the most memory that the cache keeps; the least recently used filter goes first. A
  ///   pair of rates takes 10 KiB to 8 MiB.
  public init(largestByteCount: Int = 16 << 20) {
    self.largestByteCount = largestByteCount
  }

  /// - Parameter isLive: whether a short delay matters more than a low cost.
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
        ratio: ratio, quality: quality, isInBlocks: isLive ? false : nil)
      content.keep(Entry(filter: filter, byteCount: filter.byteCount), design, largestByteCount)
      return filter
    }
  }

  /// The memory of the kept filters, in bytes.
  var byteCount: Int { content.withLock { $0.byteCount } }
}
