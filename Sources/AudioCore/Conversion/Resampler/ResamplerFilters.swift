/// The filters of one session: each pair of rates has one, however many streams it converts.
///
/// A filter takes up to 8 MiB and some milliseconds to make. Session thread only.
final class ResamplerFilters<Sample: AudioSample> {
  let quality: ResamplerQuality
  private var made: [ResamplingRatio: ResamplerFilter<Sample>] = [:]

  init(quality: ResamplerQuality) {
    self.quality = quality
  }

  func filter(from inputRate: Int, to outputRate: Int) -> ResamplerFilter<Sample> {
    let ratio = ResamplingRatio(from: inputRate, to: outputRate)
    if let filter = made[ratio] { return filter }
    let filter = ResamplerFilter<Sample>(ratio: ratio, quality: quality)
    made[ratio] = filter
    return filter
  }
}
