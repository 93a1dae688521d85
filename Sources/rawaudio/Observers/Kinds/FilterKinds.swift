// SPDX-License-Identifier: Apache-2.0
internal import AudioCore

// The filters. Each is a word, and all are parsed and made alike.

protocol FilterKind: FrameKind where Argument == SoundFilter {
  static var word: FilterWord { get }
  static var help: String { get }
}

extension FilterKind {
  static var form: ObserverForm {
    ObserverForm(word.rawValue, .required(word.placeholder, "a frequency"), help: help)
  }

  static var syntax: ValueSyntax<SoundFilter> { .soundFilter(word) }

  func observer(by installation: ObserverInstallation) -> any AudioObserver {
    FilterObserver(installation.positions, [argument], parameters: installation.parameters)
  }
}

struct HighpassKind: FilterKind {
  static let word = FilterWord.highpass
  static let help =
    "Cuts sound below a frequency: Butterworth, of order 1 to 8 (2, 12 dB an octave)."
  let argument: SoundFilter
}

struct LowpassKind: FilterKind {
  static let word = FilterWord.lowpass
  static let help = "Cuts sound above a frequency, likewise (order 4)."
  let argument: SoundFilter
}

struct BandpassKind: FilterKind {
  static let word = FilterWord.bandpass
  static let help = "Passes sound around a frequency; q is how narrow (1)."
  let argument: SoundFilter
}

struct NotchKind: FilterKind {
  static let word = FilterWord.notch
  static let help = "Cuts sound around a frequency; q is how narrow (1)."
  let argument: SoundFilter
}

struct PeakKind: FilterKind {
  static let word = FilterWord.peak
  static let help = "Changes the level around a frequency by so many decibels."
  let argument: SoundFilter
}

struct LowshelfKind: FilterKind {
  static let word = FilterWord.lowshelf
  static let help = "Changes the level below a frequency by so many decibels."
  let argument: SoundFilter
}

struct HighshelfKind: FilterKind {
  static let word = FilterWord.highshelf
  static let help = "Changes the level above a frequency by so many decibels."
  let argument: SoundFilter
}
