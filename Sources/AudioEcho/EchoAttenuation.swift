// SPDX-License-Identifier: Apache-2.0
/// The success of an echo canceller so far.
public struct EchoAttenuation: Sendable, Hashable {
  /// The attenuation of the microphone's sound over the last second in which the loudspeaker was heard, in decibels (ERLE).
  /// Voices at the microphone lower it. Nil before that second.
  public var decibels: Double?
  /// The position at which the attenuation first reached ``EchoAttenuation/convergence``, in samples per channel; nil if it
  /// has not.
  public var convergedAt: Int64?
  /// The samples per channel during which the loudspeaker was heard.
  public var playedSamplesPerChannel: Int64 = 0
  /// The rate of the positions, in hertz.
  public var sampleRate: Int

  /// The attenuation over a second, in decibels, that counts as converged.
  public static let convergence = 10.0
}

/// Measures the attenuation frame by frame, while the loudspeaker is heard. Session thread only.
struct EchoMeter {
  private(set) var attenuation: EchoAttenuation
  private let frameLength: Int
  /// The energies of the frames of the last second, before and behind the canceller, in a ring.
  private var energies: [(before: Double, behind: Double)] = []
  private var next = 0
  private let capacity: Int
  /// The frames during which the last played sound may still echo.
  private let tailFrames: Int
  private var echoing = 0

  /// The energy of a sample at −60 dBFS.
  private static let audible = 1e-6

  init(frameLength: Int, tail: Int, sampleRate: Int) {
    self.frameLength = frameLength
    capacity = max(1, sampleRate / frameLength)
    tailFrames = tail / frameLength + 1
    attenuation = EchoAttenuation(sampleRate: sampleRate)
  }

  /// Adds a frame with the energies of its samples.
  ///
  /// - Parameters:
  ///   - position: the end of the frame, in samples per channel.
  ///   - played: of a sample of the loudspeaker, as the mean.
  mutating func add(before: Double, behind: Double, played: Double, at position: Int64) {
    echoing = played > Self.audible ? tailFrames : max(0, echoing - 1)
    guard echoing > 0 else { return }
    attenuation.playedSamplesPerChannel += Int64(frameLength)
    if energies.count < capacity {
      energies.append((before, behind))
    } else {
      energies[next] = (before, behind)
    }
    next = (next + 1) % capacity
    guard energies.count == capacity else { return }
    let sums = energies.reduce((0.0, 0.0)) { ($0.0 + $1.before, $0.1 + $1.behind) }
    guard sums.0 > 0 else { return }
    let decibels = Decibels.level((sums.0 / max(sums.1, 1e-20)).squareRoot())
    attenuation.decibels = decibels
    if attenuation.convergedAt == nil, decibels >= EchoAttenuation.convergence {
      attenuation.convergedAt = position
    }
  }
}
