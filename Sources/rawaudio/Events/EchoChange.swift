// SPDX-License-Identifier: Apache-2.0
internal import AudioCore
internal import AudioEcho

/// An echo canceller has converged, or its stream has ended.
struct EchoChange: DescribedEvent, Sendable {
  var attenuation: EchoAttenuation
  /// The time of day at which it converged, with its zone. Nil if unknown.
  var time: String?

  static let name = "echo"
  static let members: [Member<EchoChange>] = [
    Member("source") { _ in .string(SourceID.local.description) },
    Member("final") { .boolean($0.attenuation.isFinal) },
    Member("converged") { .boolean($0.attenuation.convergedAt != nil) },
    Member(optional: "samplePosition") { $0.attenuation.convergedAt.map { .integer($0) } },
    Member(optional: "time") { $0.time.map { .string($0) } },
    Member("sampleRate") { .count($0.attenuation.sampleRate) },
    Member("attenuation") { ($0.attenuation.decibels.map { .figure($0) }).orNull },
  ]
}
