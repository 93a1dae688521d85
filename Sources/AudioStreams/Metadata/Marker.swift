// SPDX-License-Identifier: Apache-2.0
extension Metadata {
  /// A marked place of the sound, or a marked part of it.
  public struct Marker: Sendable, Equatable {
    /// The number by which other pieces refer to the mark; unique in a file.
    public var identifier: UInt32
    /// The position in samples per channel from the beginning.
    public var position: Int64
    /// The length in samples per channel; 0 = a place.
    public var length: Int64 = 0
    public var label = ""
    /// A note beside the label.
    public var note = ""
    /// The purpose of the part, four characters; empty if it is not stated.
    public var purpose = ""
    /// The text of the part.
    public var text = ""

    public init(identifier: UInt32, position: Int64, length: Int64 = 0, label: String = "") {
      self.identifier = identifier
      self.position = position
      self.length = length
      self.label = label
    }
  }

  /// The settings with which a sampler plays the sound.
  public struct Instrument: Sendable, Equatable {
    /// The MIDI note at which the sound plays unchanged; 60 = middle C.
    public var baseNote = 60
    /// The sound's pitch above ``baseNote``, in cents.
    public var detune = 0.0
    /// The gain in decibels.
    public var gain = 0
    /// The MIDI notes that play it.
    public var notes = 0...127
    /// The MIDI velocities that play it.
    public var velocities = 1...127
    public var loops: [Loop] = []

    public init() {}
  }

  /// A part that a sampler repeats.
  public struct Loop: Sendable, Equatable {
    public enum Direction: Sendable, Hashable {
      case forward
      /// Forward and backward in turn.
      case alternating
      case backward
    }

    public var identifier: UInt32
    public var direction = Direction.forward
    /// The part in samples per channel from the beginning, without its end.
    public var range: Range<Int64>
    /// The number of repetitions; 0 = until the note ends.
    public var playCount = 0

    public init(identifier: UInt32, range: Range<Int64>) {
      self.identifier = identifier
      self.range = range
    }
  }
}
