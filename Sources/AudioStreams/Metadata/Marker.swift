// SPDX-License-Identifier: Apache-2.0
extension Metadata {
  /// A marked place of the sound, or a marked part of it.
  public struct Marker: Sendable, Equatable {
    /// What refers to the mark calls it so; unique in a file.
    public var identifier: UInt32
    /// In samples per channel from the beginning.
    public var position: Int64
    /// In samples per channel; 0 = a place.
    public var length: Int64 = 0
    public var label = ""
    /// What is to be said beside the label.
    public var note = ""
    /// What the part is for, four characters; empty where nothing says so.
    public var purpose = ""
    /// The text that belongs to the part.
    public var text = ""

    public init(identifier: UInt32, position: Int64, length: Int64 = 0, label: String = "") {
      self.identifier = identifier
      self.position = position
      self.length = length
      self.label = label
    }
  }

  /// How a sampler plays the sound.
  public struct Instrument: Sendable, Equatable {
    /// The MIDI note at which the sound plays as it is; 60 = middle C.
    public var baseNote = 60
    /// By how much the sound is above it, in cents.
    public var detune = 0.0
    /// In decibels.
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
      /// To and fro.
      case alternating
      case backward
    }

    public var identifier: UInt32
    public var direction = Direction.forward
    /// In samples per channel from the beginning, the end not included.
    public var range: Range<Int64>
    /// 0 = until the note ends.
    public var playCount = 0

    public init(identifier: UInt32, range: Range<Int64>) {
      self.identifier = identifier
      self.range = range
    }
  }
}
