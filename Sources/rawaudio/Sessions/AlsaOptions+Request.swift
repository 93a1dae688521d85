internal import AudioCore

extension AlsaOptions {
  /// The buffering that a command line asks for, and what it wants done with gaps and rates.
  init(_ request: DeviceRequest, _ timeline: TimelineRequest = TimelineRequest()) {
    self.init()
    ring = timeline.ringSize
    ratePolicy = timeline.ratePolicy
    gapPolicy = timeline.onXrun == .fail ? .fail : .fill
    period = request.periodSize
    buffer = request.bufferSize
    priority = request.priority
  }
}
