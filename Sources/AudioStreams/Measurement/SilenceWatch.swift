// SPDX-License-Identifier: Apache-2.0
/// Measures the silences of a stream: every channel below −60 dBFS.
struct SilenceWatch: Sendable {
  /// A sample that reaches this magnitude is sound.
  static let threshold = 0.001
  /// In seconds. Shorter silences do not count: every wave passes through 0.
  private static let shortest = 0.01

  private let sampleRate: Int
  private var position: Int64 = 0
  /// The position behind the last sound; nil before the first.
  private var lastSound: Int64?
  private var firstSound: Int64?
  private var longest: Int64 = 0

  init(sampleRate: Int) { self.sampleRate = sampleRate }

  /// Takes the next `count` samples.
  ///
  /// - Parameter sound: from the first sound in them to behind the last one; nil if they are silent.
  mutating func add(count: Int, sound: Range<Int>?) {
    if let sound {
      let begin = position + Int64(sound.lowerBound)
      longest = max(longest, begin - (lastSound ?? 0))
      if firstSound == nil { firstSound = begin }
      lastSound = position + Int64(sound.upperBound)
    }
    position += Int64(count)
  }

  private func seconds(_ samples: Int64) -> Double { Double(samples) / Double(sampleRate) }

  var atStart: Double { seconds(firstSound ?? position) }
  var atEnd: Double { seconds(position - (lastSound ?? 0)) }

  var longestInSeconds: Double {
    let longest = seconds(max(longest, position - (lastSound ?? 0)))
    return longest < Self.shortest ? 0 : longest
  }
}
