internal import CLinux

/// How many sums of one output are a vector: what 64 bytes hold.
func laneCount<Sample: AudioSample>(of _: Sample.Type) -> Int { 64 / MemoryLayout<Sample>.stride }

/// Four sums of products in each lane: samples that lie side by side, each multiplied by four coefficients.
///
/// Few roundings meet a large sum: products are added in pieces of eight, and the pieces around the centre
/// by themselves. A lane's sums depend on nothing but its own samples.
///
/// - Parameters:
///   - coefficients: four for each product.
///   - samples: the first lane.
///   - vectors: how many are computed; all their lanes are read at every offset.
///   - sums: the first lane of the first sum; the others follow every `stride` samples.
/// - Returns: whether all sums are finite.
func sumTile<Sample: AudioSample>(
  _ coefficients: UnsafePointer<Sample>, _ way: TileWay, _ samples: UnsafePointer<Sample>,
  vectors: Int, to sums: UnsafeMutablePointer<Sample>, every stride: Int
) -> Bool {
  let (factors, from) = unsafe (UnsafeRawPointer(coefficients), UnsafeRawPointer(samples))
  let target = UnsafeMutableRawPointer(sums)
  switch Sample.precision {
  case .single:
    return unsafe Float.sumTile(
      factors.assumingMemoryBound(to: Float.self), way,
      from.assumingMemoryBound(to: Float.self), vectors: vectors,
      to: target.assumingMemoryBound(to: Float.self), every: stride)
  case .double:
    return unsafe Double.sumTile(
      factors.assumingMemoryBound(to: Double.self), way,
      from.assumingMemoryBound(to: Double.self), vectors: vectors,
      to: target.assumingMemoryBound(to: Double.self), every: stride)
  }
}

/// Whether the program is built for a processor with 16 registers of 32 bytes.
var hasWideRegisters: Bool {
  @inline(__always) @_noAllocation @_noLocks get { rawaudio_has_wide_registers != 0 }
}

/// Whether the program is built for a processor with 32 registers of 64 bytes.
var hasManyRegisters: Bool {
  @inline(__always) @_noAllocation @_noLocks get { rawaudio_has_many_registers != 0 }
}

/// How the products of a tile lie: in rows of samples, and which of them are large.
///
/// Untyped in its samples, since the compiler proves nothing about code that is generic.
@safe
struct TileWay {
  /// Where the samples of each product lie, in samples from the first lane on: ``pieceCount`` × 8.
  let offsets: UnsafePointer<Int>
  let pieceCount: Int
  /// The pieces whose products are large.
  let centre: Range<Int>

  /// Products in a piece.
  static var pieceLength: Int {
    @inline(__always) @_noAllocation @_noLocks get { 8 }
  }
}
