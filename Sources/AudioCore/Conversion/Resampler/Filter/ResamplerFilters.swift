/// The filters of one session: each pair of rates has one, however many streams it converts.
///
/// A filter takes up to 8 MiB and some milliseconds to make. Session thread only.
final class ResamplerFilters<Sample: AudioSample> {
  let quality: ResamplerQuality
  private var made: [ResamplingRatio: ResamplerFilter<Sample>] = [:]
  private let crew: WorkCrew?
  private var helped = 0

  /// - Parameter crew: helps to compute streams that nobody waits for.
  init(quality: ResamplerQuality, crew: WorkCrew? = nil) {
    self.quality = quality
    self.crew = crew?.isEmpty == false ? crew : nil
  }

  /// Streams that are computed ahead: each takes some hundred KiB, and the first ones keep everybody
  /// busy.
  private static var mostHelped: Int { 8 }

  /// What helps the next stream.
  func crewForNextStream() -> WorkCrew? {
    helped += 1
    return helped <= Self.mostHelped ? crew : nil
  }

  func filter(from inputRate: Int, to outputRate: Int) -> ResamplerFilter<Sample> {
    let ratio = ResamplingRatio(from: inputRate, to: outputRate)
    if let filter = made[ratio] { return filter }
    let filter = ResamplerFilter<Sample>(ratio: ratio, quality: quality)
    made[ratio] = filter
    return filter
  }
}
