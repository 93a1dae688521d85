// SPDX-License-Identifier: Apache-2.0
/// The facts about an observer that never change. The session reads them once, when the observer is registered.
package struct ObserverTraits: OptionSet, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  /// It hears the final stream: it stands behind all others in a stream, in any order of registration.
  package static let standsLast = ObserverTraits(rawValue: 1 << 0)
  /// A session accepts it without any stream to observe.
  package static let needsNoStream = ObserverTraits(rawValue: 1 << 1)
  /// Its frames have a promised shape, so the session's parameters do not count.
  package static let hasOwnShape = ObserverTraits(rawValue: 1 << 2)
  /// The session's parameters set the shape of its frames, but not the mode.
  package static let hasOwnMode = ObserverTraits(rawValue: 1 << 3)
  /// It takes the stream's channels unconverted and maps them to its own shape.
  package static let mapsChannels = ObserverTraits(rawValue: 1 << 4)
  /// A program knows it as a closure, not by the name of a type.
  package static let isClosure = ObserverTraits(rawValue: 1 << 5)
}

/// An observer with traits.
package protocol TraitedObserver: AudioObserver {
  var traits: ObserverTraits { get }
}
