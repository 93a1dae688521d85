/// Where a tile begins in input that is laid out in rows: at `row` of `rowCount`, after whose last it
/// goes on in the first one, `step` samples further.
struct TilePlace {
  let row: Int
  let rowCount: Int
  /// Samples from one row to the next.
  let rowLength: Int
  let step: Int
  /// The products that are large, from the start of the tile.
  let centre: Range<Int>
}

/// How many sums of one output `sumTile` computes: what 64 bytes hold.
func laneCount<Sample: AudioSample>(of _: Sample.Type) -> Int { 64 / MemoryLayout<Sample>.stride }

/// Four sums of products in each lane: `count` rows of samples, each multiplied by four coefficients.
///
/// Few roundings meet a large sum: the products around the centre are added in pieces of eight, and all
/// others, whose sum is small, by themselves. The pieces depend only on `count` and the place.
///
/// - Parameters:
///   - coefficients: four for each row.
///   - rows: the first lane of row 0; at each row as many samples as there are lanes are read.
///   - sums: the first lane of the first sum; the others follow every `stride` samples.
func sumTile<Sample: AudioSample>(
  _ coefficients: UnsafePointer<Sample>, _ count: Int, _ rows: UnsafePointer<Sample>,
  _ place: TilePlace, to sums: UnsafeMutablePointer<Sample>, every stride: Int
) {
  let (factors, samples) = unsafe (UnsafeRawPointer(coefficients), UnsafeRawPointer(rows))
  let target = UnsafeMutableRawPointer(sums)
  switch Sample.precision {
  case .single:
    unsafe Float.sumTile(
      factors.assumingMemoryBound(to: Float.self), count,
      samples.assumingMemoryBound(to: Float.self), place,
      to: target.assumingMemoryBound(to: Float.self), every: stride)
  case .double:
    unsafe Double.sumTile(
      factors.assumingMemoryBound(to: Double.self), count,
      samples.assumingMemoryBound(to: Double.self), place,
      to: target.assumingMemoryBound(to: Double.self), every: stride)
  }
}
