/// The format of a sound file, around the samples: where its header says what the samples are.
///
/// The raw values are the names that users type and read.
public enum Container: String, Sendable, Hashable, CaseIterable {
  /// RIFF WAVE; becomes RF64 by itself where a file grows past 4 GiB.
  case wav
  /// WAVE whose `fmt` chunk is always WAVE_FORMAT_EXTENSIBLE.
  case wavex
  /// WAVE with 64-bit sizes from the start (EBU Tech 3306).
  case rf64
  /// Sony Wave64.
  case w64
  /// AIFF, and AIFF-C where the encoding or the byte order asks for it.
  case aiff
  /// Sun/NeXT audio.
  case au
  /// Apple Core Audio format.
  case caf
  case flac
  /// Ogg with Vorbis.
  case ogg
  /// Ogg with Opus.
  case opus
  /// MPEG audio without a container.
  case mp3
  /// Samples without a header.
  case raw
  /// Creative Voice.
  case voc
  /// Amiga IFF 8SVX and 16SV.
  case svx
  /// NIST SPHERE.
  case nist
  /// Berkeley/IRCAM/CARL.
  case ircam
  /// Ensoniq PARIS.
  case paf
  /// GNU Octave 2.0 and MATLAB 4.2.
  case mat4
  /// GNU Octave 2.1 and MATLAB 5.
  case mat5
  /// Portable Voice Format.
  case pvf
  /// FastTracker 2 extended instrument.
  case xi
  /// HMM Tool Kit.
  case htk
  /// MIDI Sample Dump Standard.
  case sds
  /// Audio Visual Research.
  case avr
  /// Sound Designer II, whose header is a second file beside the first.
  case sd2
  /// Akai MPC 2000.
  case mpc2k
  /// Psion A-law.
  case wve
}

extension Container {
  /// Whether it is WAVE of any kind, whose plain encodings are read and written by our own code.
  var isWave: Bool { [.wav, .wavex, .rf64].contains(self) }
}
