/// A sink whose files are to be readable while they grow.
protocol RecordingSink: AudioSink {
  /// Brings the file up to date where it is time. Called now and then while no samples come.
  func keepUp() throws(AudioError)
}

extension SoundFileSink: RecordingSink {
  func keepUp() throws(AudioError) {
    guard isRecording, schedule.isDue() else { return }
    try updateHeader()
  }
}
