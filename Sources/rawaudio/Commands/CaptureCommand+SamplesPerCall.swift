internal import AudioCore

extension CaptureCommand {
  /// Holds `--samples-per-call` against the observer contract.
  ///
  /// - Parameter format: what the device gives; before it is open, the lowest rate and count it can
  ///   still give.
  /// - Throws: naming the smallest legal value.
  func validateSamplesPerCall(at format: StreamFormat) throws(UsageError) {
    guard let samplesPerCall else { return }
    do throws(AudioError) {
      try FrameParameters.check(samplesPerCall: samplesPerCall, format)
    } catch {
      throw UsageError(
        invalid: "\(samplesPerCall)", for: Self.samplesPerCall.declaration,
        because: [error.reason, error.advice].compactMap { $0 }.joined(separator: "; "))
    }
  }

  /// The lowest format that the options leave open.
  func lowestFormat() throws(UsageError) -> StreamFormat {
    do throws(AudioError) {
      return try StreamFormat(
        sampleRate: output.sampleRate ?? StreamFormat.sampleRates.lowerBound,
        channelCount: output.channelCount ?? StreamFormat.channelCounts.lowerBound)
    } catch {
      throw UsageError(error.description)
    }
  }
}
