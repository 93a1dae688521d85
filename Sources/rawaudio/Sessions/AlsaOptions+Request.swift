internal import AudioCore

extension AlsaOptions {
  /// The buffering that a command line asks for.
  init(_ request: DeviceRequest) {
    self.init()
    period = request.periodSize
    buffer = request.bufferSize
  }
}
