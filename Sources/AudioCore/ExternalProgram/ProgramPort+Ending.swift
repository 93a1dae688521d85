extension ProgramPort {
  /// How far a program has come when a fault is found.
  enum Stage {
    /// There was more to take or to give: any ending is too early.
    case midway
    /// It had everything: only a failure explains the fault.
    case atEnd
  }

  /// Ends the program and tells why it failed: by how it ended, where it has done so by itself.
  func fail(_ fault: ProgramFault, _ stage: Stage) -> AudioError {
    connection.close()
    let ending = child.wait(ChildProcess.patience)
    child.terminate()
    guard let ending, stage == .midway || !ending.isSuccess else { return error(fault) }
    return error(.ended(ending))
  }

  /// Ends a program that does not move any more.
  func failStalled(_ fault: ProgramFault) -> AudioError {
    connection.close()
    child.terminate()
    return error(fault)
  }

  /// Holds a program whose output has ended against its contract, and waits until it has ended itself.
  func conclude(unless isGivenUp: () -> Bool) throws(AudioError) {
    if mode == .readWrite, statistics.samplesOut != statistics.samplesIn || strayBytes > 0 {
      throw fail(.miscounted(strayBytes: strayBytes), .atEnd)
    }
    connection.close()
    guard let ending = child.wait(program.timeout, unless: isGivenUp) else {
      throw failStalled(.neverEnded(program.timeout))
    }
    child.release()
    if !ending.isSuccess { throw error(.ended(ending)) }
  }

  /// Tells a generator by its closed output that it is done; how it takes that is its own affair.
  func dismiss() {
    connection.close()
    if child.wait(ChildProcess.patience) == nil { child.terminate() } else { child.release() }
  }
}
