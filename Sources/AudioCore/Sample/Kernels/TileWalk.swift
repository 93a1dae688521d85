internal import CLinux

/// Where a tile begins in input that is laid out in rows: at `row` of `rowCount`, after whose last it
/// goes on in the first one, `step` samples further.
struct TileOrigin {
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
/// others, whose sum is small, by themselves. The pieces depend only on `count` and the origin.
///
/// - Parameters:
///   - coefficients: four for each row.
///   - rows: the first lane of row 0; at each row as many samples as there are lanes are read.
///   - sums: the first lane of the first sum; the others follow every `stride` samples.
func sumTile<Sample: AudioSample>(
  _ coefficients: UnsafePointer<Sample>, _ count: Int, _ rows: UnsafePointer<Sample>,
  _ origin: TileOrigin, to sums: UnsafeMutablePointer<Sample>, every stride: Int
) {
  let (factors, samples) = unsafe (UnsafeRawPointer(coefficients), UnsafeRawPointer(rows))
  let target = UnsafeMutableRawPointer(sums)
  switch Sample.precision {
  case .single:
    unsafe Float.sumTile(
      factors.assumingMemoryBound(to: Float.self), count,
      samples.assumingMemoryBound(to: Float.self), origin,
      to: target.assumingMemoryBound(to: Float.self), every: stride)
  case .double:
    unsafe Double.sumTile(
      factors.assumingMemoryBound(to: Double.self), count,
      samples.assumingMemoryBound(to: Double.self), origin,
      to: target.assumingMemoryBound(to: Double.self), every: stride)
  }
}

/// Whether the program is built for a processor with 16 registers of 32 bytes.
var hasWideRegisters: Bool {
  @inline(__always) @_noAllocation @_noLocks get { rawaudio_has_wide_registers != 0 }
}

/// The way of a tile through its coefficients and its rows.
///
/// Untyped, since the compiler proves nothing about code that is generic.
@safe
struct TileWalk {
  private(set) var coefficients: UnsafeRawPointer
  private(set) var samples: UnsafeRawPointer
  /// Rows that remain behind the present piece.
  private(set) var remaining: Int
  private var start: UnsafeRawPointer
  private var untilEnd: Int
  private let rowCount: Int
  /// In bytes, as the next two.
  private let rowSize: Int
  private let step: Int
  private let coefficientsSize: Int

  /// Whether the present piece lies in the centre.
  private(set) var isCentre = false
  /// Rows that were passed.
  private var index = 0
  private let centreStart: Int
  private let centreEnd: Int

  /// Products in a piece of the centre at most.
  private static var pieceLength: Int {
    @inline(__always) @_noAllocation @_noLocks get { 8 }
  }

  @_noAllocation @_noLocks @inline(__always)
  init(
    _ coefficients: UnsafeRawPointer, _ count: Int, _ rows: UnsafeRawPointer, _ origin: TileOrigin,
    sampleSize: Int
  ) {
    rowSize = origin.rowLength &* sampleSize
    step = origin.step &* sampleSize
    coefficientsSize = 4 &* sampleSize
    unsafe self.coefficients = coefficients
    unsafe samples = rows + origin.row &* rowSize
    unsafe start = rows
    remaining = count
    untilEnd = origin.rowCount &- origin.row
    rowCount = origin.rowCount
    centreStart = origin.centre.lowerBound
    centreEnd = origin.centre.upperBound
  }

  /// Begins the next piece; returns its length.
  @_noAllocation @_noLocks @inline(__always)
  mutating func next() -> Int {
    if untilEnd == 0 {
      unsafe start += step
      unsafe samples = start
      untilEnd = rowCount
    }
    isCentre = index >= centreStart && index < centreEnd
    var length = remaining < untilEnd ? remaining : untilEnd
    let toBorder = index < centreStart ? centreStart &- index : length
    let most = isCentre ? Self.pieceLength : toBorder
    if length > most { length = most }
    index &+= length
    remaining &-= length
    untilEnd &-= length
    return length
  }

  /// To the next row.
  @_noAllocation @_noLocks @inline(__always)
  mutating func advance() {
    unsafe coefficients += coefficientsSize
    unsafe samples += rowSize
  }
}
