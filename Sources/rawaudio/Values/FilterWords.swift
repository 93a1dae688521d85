// SPDX-License-Identifier: Apache-2.0
internal import AudioCore
internal import AudioFiles

/// The names of the filters, and the syntax of their settings: `highpass=80,order=4`.
enum FilterWord: String, CaseIterable, Sendable {
  case highpass, lowpass, bandpass, notch, peak, lowshelf, highshelf

  /// The bands of an equaliser.
  static let bands: [FilterWord] = [.bandpass, .notch, .peak, .lowshelf, .highshelf]

  /// The keys after the frequency.
  private var keys: [String] { form.keys }

  /// For example `HZ,gain=DB[,q=Q]`.
  var placeholder: String { form.placeholder }

  private var form: (keys: [String], placeholder: String) {
    switch self {
    case .highpass, .lowpass: (["order"], "HZ[,order=N]")
    case .bandpass, .notch: (["q"], "HZ[,q=Q]")
    case .peak, .lowshelf, .highshelf: (["gain", "q"], "HZ,gain=DB[,q=Q]")
    }
  }

  func parse(_ text: String) throws(InvalidValue) -> SoundFilter {
    let words = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    let frequency = try Self.frequency(words[0])
    var settings: [String: String] = [:]
    for word in words.dropFirst() {
      let parts = word.halves(at: "=")
      guard parts.count == 2, keys.contains(parts[0]) else {
        throw InvalidValue("'\(word)' is no setting of \(rawValue); there is \(keys.joinedAsList)")
      }
      guard settings.updateValue(parts[1], forKey: parts[0]) == nil else {
        throw InvalidValue("'\(parts[0])' is given twice")
      }
    }
    let q = try settings["q"].map { (text) throws(InvalidValue) in
      guard let q = Double(decimal: text) else {
        throw InvalidValue("'\(text)' is not a q; give a number, for example 0.7")
      }
      return q
    }
    let shape = try shape(settings)
    do throws(AudioError) {
      return try SoundFilter(shape, frequency: frequency, q: q)
    } catch {
      throw InvalidValue(error.reasonAndAdvice)
    }
  }

  private func shape(_ settings: [String: String]) throws(InvalidValue) -> SoundFilter.Shape {
    func order(_ usual: Int) throws(InvalidValue) -> Int {
      guard let text = settings["order"] else { return usual }
      guard let order = Int(text) else { throw InvalidValue("it must be 1 to 8") }
      return order
    }
    func gain() throws(InvalidValue) -> Double {
      guard let text = settings["gain"] else {
        throw InvalidValue("\(rawValue) needs a gain: \(rawValue)=\(placeholder)")
      }
      guard let gain = try? ValueSyntax<Double>.decibels.parse(text) else {
        throw InvalidValue("a gain is a number of decibels")
      }
      return gain
    }
    switch self {
    case .highpass: return .highpass(order: try order(2))
    case .lowpass: return .lowpass(order: try order(4))
    case .bandpass: return .bandpass
    case .notch: return .notch
    case .peak: return .peak(gain: try gain())
    case .lowshelf: return .lowshelf(gain: try gain())
    case .highshelf: return .highshelf(gain: try gain())
    }
  }

  /// `80`, `80Hz`, `2k`, `2.5kHz`.
  fileprivate static func frequency(_ text: String) throws(InvalidValue) -> Double {
    var word = text.lowercased()
    if word.hasSuffix("hz") { word.removeLast(2) }
    let isKilo = word.hasSuffix("k")
    if isKilo { word.removeLast() }
    guard let value = Double(decimal: word), value > 0 else {
      throw InvalidValue(
        "'\(text)' is not a frequency; give one above 0, for example 80, 80Hz or 2.5kHz")
    }
    return isKilo ? value * 1_000 : value
  }
}

extension ValueSyntax<SoundFilter> {
  /// The settings of one filter: `80`, `3000,gain=-3,q=1.4`.
  static func soundFilter(_ word: FilterWord) -> Self {
    ValueSyntax(name: "hz", isNumeric: true) { (text: String) throws(InvalidValue) in
      try word.parse(text)
    }
  }

  /// A band of an equaliser with its word: `peak=3000,gain=-3`.
  static let band = ValueSyntax(name: "band", isNumeric: true) {
    (text: String) throws(InvalidValue) in
    let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
    guard parts.count == 2, let word = FilterWord.bands.first(where: { $0.rawValue == parts[0] })
    else {
      let words = FilterWord.bands.map { "\($0.rawValue)=\($0.placeholder)" }
      throw InvalidValue("'\(text)' is no band; there are \(words.joinedAsList)")
    }
    return try word.parse(parts[1])
  }.offering { text in
    FilterWord.bands.map { .beginning($0.rawValue + "=") }
  }
}

extension ValueSyntax<FrequencyBand> {
  /// `15000-`, `300-3000`, `-500`, `15k-`.
  static let frequencyBand = ValueSyntax(name: "hz-hz") { (text: String) throws(InvalidValue) in
    let parts = text.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, parts != ["", ""] else {
      throw InvalidValue("a band is two frequencies with a dash: 15000-, 300-3000 or -500")
    }
    let low = parts[0].isEmpty ? nil : try FilterWord.frequency(parts[0])
    let high = parts[1].isEmpty ? nil : try FilterWord.frequency(parts[1])
    if let low, let high, low >= high {
      throw InvalidValue("its lower frequency is not the lower one")
    }
    return FrequencyBand(from: low, to: high)
  }
}
