extension StreamFormat {
  /// Refuses a frequency, in hertz, that no sine at this rate has.
  func checkFrequency(_ frequency: Double) throws(AudioError) {
    let limit = Double(sampleRate) / 2
    guard frequency > 0, frequency < limit else {
      throw AudioError(
        .invalidParameter, cannot: "generate a sine of", "\(frequency) Hz",
        because: "at \(sampleRate) Hz it must lie above 0 and below \(limit) Hz")
    }
  }
}
