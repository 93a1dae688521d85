internal import AudioCore

/// The observer of a tap, which exists only once the session knows its precision. Main thread only.
final class MadeTaps {
  private let maker: (SamplePrecision) -> any AudioFrameObserver
  private var made: (any CountingTap)?

  init(_ maker: @escaping (SamplePrecision) -> any AudioFrameObserver) {
    self.maker = maker
  }

  func make(_ precision: SamplePrecision) -> any AudioFrameObserver {
    let observer = maker(precision)
    made = observer as? any CountingTap
    return observer
  }

  /// What did not reach its file in time.
  var losses: [String] {
    guard let count = made?.droppedSamplesPerChannel, count > 0 else { return [] }
    return ["\(count) samples per channel were dropped, for the file was not written in time"]
  }
}

private protocol CountingTap {
  var droppedSamplesPerChannel: Int64 { get }
}

extension TapObserver: CountingTap {}
