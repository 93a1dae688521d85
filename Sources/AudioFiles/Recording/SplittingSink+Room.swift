// SPDX-License-Identifier: Apache-2.0
// The end of a part, and room on the disk: the removal of old parts, and the wait while a write finds none.

extension SplittingSink {
  /// - Returns: whether a part was removed.
  @discardableResult
  func removeParts(isFull: Bool = false) -> Bool {
    let removals =
      keeper?.clear(beside: current?.path, at: present, isFull: isFull) ?? []
    for removal in removals { onRemoval?(removal) }
    return removals.contains { $0.failure == nil }
  }

  /// Ends the part that a full disk cut. The wait for room begins with its first missing sample.
  ///
  /// - Throws: any other error, and that one if it is not waited for.
  func suspend(after error: AudioError) throws(AudioError) {
    guard waitsForRoom, error.isOfFullDisk, let opener else {
      let error = failure ?? telling(error)
      failure = error
      if let opener, current?.sink.isStopped == true { state = .between(opener) }
      throw error
    }
    var end = position
    let cut = current
    if let part = cut {
      let kept = part.sink.keptSamplesPerChannel
      end = position + kept - part.samplesPerChannel
      durations = durations?.restarted
      times.endPart(at: end)
      opener.quantiser = part.sink.quantiser
      state = .between(opener)
      if kept == 0 {
        opener.giveBack(part)
      } else {
        // The samples that are there are kept, whatever else fails.
        try? part.sink.stop(.finished)
        tell(part, kept, isComplete: true)
        part.dispose()
      }
    }
    position = max(position, end)
    if wait.begin(at: end, at: present.monotonic) { onFullDisk?(.began(error)) }
    let hasGrown = cut.map { $0.sink.keptSamplesPerChannel > 0 } ?? false
    // Removed parts help no file that has its largest size, and are not seen at once by every quota.
    if error.isOfLargestFile ? hasGrown : !wait.isHurried && removeParts(isFull: true) {
      wait.hurry()
    }
  }

  /// Whether samples can be written, or tried again.
  var hasRoom: Bool {
    guard wait.start != nil, current == nil else { return true }
    guard wait.isDue(at: present.monotonic) else { return false }
    return PartKeeper.room(Pathname(names.folder)) ?? .max >= RoomWait.leastRoom
  }

  /// Reports the samples that were not written while the disk was full.
  func endWait() {
    guard let start = wait.end(), let opener, position > start else { return }
    onFullDisk?(
      .ended(
        start..<position, sampleRate: opener.format.sampleRate, time: times.time(of: start)))
  }

  func tell(_ part: OpenedPart, _ samplesPerChannel: Int64, isComplete: Bool) {
    before.clippedSamples += part.sink.clippedSamples
    before.notANumberSamples += part.sink.notANumberSamples
    before.samplesPerChannel += samplesPerChannel
    guard isComplete else { return }
    part.isComplete = true
    wait.succeeded()
    onPart(
      Part(
        path: part.path, position: part.position, samplesPerChannel: samplesPerChannel,
        overlap: part.overlap, clippedSamples: part.sink.clippedSamples,
        digest: part.sink.sampleDigest, time: part.time))
    keeper?.completed(part.path, at: present)
  }

  /// The error, with the advice how much is kept, and in how many parts. A part that failed counts if its file stays.
  func telling(_ error: AudioError) -> AudioError {
    let ofLast = current.map { $0.isEmpty ? 0 : $0.sink.keptSamplesPerChannel } ?? 0
    let count = (opener?.count ?? 0) - (current == nil || ofLast > 0 ? 0 : 1)
    guard error.kind != .invalidParameter, count > 1 || count == 1 && ofLast == 0 else {
      return error
    }
    var error = error
    error.advice = """
      \(before.samplesPerChannel + ofLast) samples per channel are kept in \(count) \
      \(count == 1 ? "part" : "parts")
      """
    return error
  }
}
