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
  /// The highest attenuation over a second, in decibels; nil before that second.
  package var best: Double?
  /// Whether the echo that the canceller expects is missing in its output, over some seconds. A voice does not change it.
  package var isRemoved = false
  /// Whether the stream has ended.
  package var isFinal = false

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
  /// The product of the expected echo and the output, and the energy of the former, over the last seconds.
  private var leak = (product: 0.0, energy: 0.0)

  /// The energy of a sample at −60 dBFS.
  private static let audible = 1e-6
  /// The share of the expected echo in the output that counts as removed, and the factor of 10 ms on older frames: the
  /// share is that of about 5 s. Voices and rooms of `Scripts/echo-figures` give at most 0.15; at least 0.33 if the echo
  /// lies outside of the filter, its delay changes, or there is none.
  private static let removed = 0.22
  private static let memory = 0.998

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
  ///   - expected: of the expected echo, and its product with the microphone's samples without it.
  mutating func add(
    before: Double, behind: Double, played: Double, expected: (energy: Double, product: Double),
    at position: Int64
  ) {
    echoing = played > Self.audible ? tailFrames : max(0, echoing - 1)
    guard echoing > 0 else { return }
    attenuation.playedSamplesPerChannel += Int64(frameLength)
    if before > 0 {
      leak.product = leak.product * Self.memory + expected.product
      leak.energy = leak.energy * Self.memory + expected.energy
      attenuation.isRemoved = abs(leak.product) < Self.removed * leak.energy
    }
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
    attenuation.best = max(attenuation.best ?? decibels, decibels)
    if attenuation.convergedAt == nil, decibels >= EchoAttenuation.convergence {
      attenuation.convergedAt = position
    }
  }
}
