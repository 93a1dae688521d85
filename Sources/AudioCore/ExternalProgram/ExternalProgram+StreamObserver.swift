extension ExternalProgram: StreamObserver {
  func parameters(at position: ObservationPosition) -> FrameParameters { parameters }

  func holdBack(_ shape: FrameShape) -> Int { latency ?? shape.format.sampleRate }

  func stage<Sample: AudioSample>(
    _ setting: StageSetting<Sample>
  ) throws(AudioError) -> any ObservingStage<Sample> {
    try ExternalProgramStage(
      program: self, identity: setting.identity, shape: setting.shape, mode: setting.mode,
      inputFormat: setting.inputFormat, quality: setting.filters.quality, isLive: setting.isLive,
      wakeup: setting.wakeup)
  }
}

extension ExternalProgramStage: ObservingStage {
  func begin() {}

  func end(_ reason: StopReason) throws(AudioError) { try stop(reason) }
}

extension Session {
  /// Registers an external program, after the observers that are registered already.
  ///
  /// Unregistering it before the run leaves it out; while the session runs it has no effect, for what the
  /// program holds of the stream could not be had back.
  ///
  /// - Parameters:
  ///   - program: runs once for each stream.
  ///   - source: the only source to run it for at record and before mixing; nil = all.
  /// - Throws: `lifeCycle` after ``run()``.
  @discardableResult
  public func register(
    _ program: ExternalProgram, from source: SourceID? = nil
  ) throws(AudioError) -> ObserverRegistration {
    try register(ObserverEntry(maker: { _ in program }, source: source))
  }
}
