extension Float {
  /// The kernel of `sumTile`, in 16 lanes.
  ///
  /// Separate multiplications and additions, never fused, so that the result does not depend on the
  /// processor.
  @_noAllocation @_noLocks
  static func sumTile(
    _ coefficients: UnsafePointer<Float>, _ count: Int, _ rows: UnsafePointer<Float>,
    _ origin: TileOrigin, to sums: UnsafeMutablePointer<Float>, every stride: Int
  ) {
    if hasWideRegisters {
      unsafe sumFour(coefficients, count, rows, origin, to: sums, every: stride)
    } else {
      unsafe sumTwo(coefficients, count, rows, origin, to: sums, every: stride)
      unsafe sumTwo(coefficients + 2, count, rows, origin, to: sums + stride &* 2, every: stride)
    }
  }

  @_noAllocation @_noLocks @inline(__always)
  private static func sumFour(
    _ coefficients: UnsafePointer<Float>, _ count: Int, _ rows: UnsafePointer<Float>,
    _ origin: TileOrigin, to sums: UnsafeMutablePointer<Float>, every stride: Int
  ) {
    var walk = unsafe TileWalk(
      coefficients, count, rows, origin, sampleSize: 4)
    var (sum0, sum1) = (SIMD16<Float>(repeating: 0), SIMD16<Float>(repeating: 0))
    var (sum2, sum3) = (sum0, sum1)
    var (centre0, centre1, centre2, centre3) = (sum0, sum1, sum2, sum3)
    while walk.remaining > 0 {
      var (part0, part1) = (SIMD16<Float>(repeating: 0), SIMD16<Float>(repeating: 0))
      var (part2, part3) = (part0, part1)
      var left = walk.next()
      while left > 0 {
        let samples = unsafe walk.samples.loadUnaligned(as: SIMD16<Float>.self)
        unsafe part0 += samples * walk.coefficients.load(fromByteOffset: 0, as: Float.self)
        unsafe part1 += samples * walk.coefficients.load(fromByteOffset: 4, as: Float.self)
        unsafe part2 += samples * walk.coefficients.load(fromByteOffset: 8, as: Float.self)
        unsafe part3 += samples * walk.coefficients.load(fromByteOffset: 12, as: Float.self)
        walk.advance()
        left &-= 1
      }
      if walk.isCentre {
        centre0 += part0
        centre1 += part1
        centre2 += part2
        centre3 += part3
      } else {
        sum0 += part0
        sum1 += part1
        sum2 += part2
        sum3 += part3
      }
    }
    sum0 += centre0
    sum1 += centre1
    sum2 += centre2
    sum3 += centre3
    let target = UnsafeMutableRawPointer(sums)
    unsafe target.storeBytes(of: sum0, as: SIMD16<Float>.self)
    unsafe target.storeBytes(of: sum1, toByteOffset: stride &* 4, as: SIMD16<Float>.self)
    unsafe target.storeBytes(of: sum2, toByteOffset: stride &* 8, as: SIMD16<Float>.self)
    unsafe target.storeBytes(of: sum3, toByteOffset: stride &* 12, as: SIMD16<Float>.self)
  }

  /// For a processor whose registers would not hold four sums and four parts.
  @_noAllocation @_noLocks @inline(__always)
  private static func sumTwo(
    _ coefficients: UnsafePointer<Float>, _ count: Int, _ rows: UnsafePointer<Float>,
    _ origin: TileOrigin, to sums: UnsafeMutablePointer<Float>, every stride: Int
  ) {
    var walk = unsafe TileWalk(
      coefficients, count, rows, origin, sampleSize: 4)
    var (sum0, sum1) = (SIMD16<Float>(repeating: 0), SIMD16<Float>(repeating: 0))
    var (centre0, centre1) = (sum0, sum1)
    while walk.remaining > 0 {
      var (part0, part1) = (SIMD16<Float>(repeating: 0), SIMD16<Float>(repeating: 0))
      var left = walk.next()
      while left > 0 {
        let samples = unsafe walk.samples.loadUnaligned(as: SIMD16<Float>.self)
        unsafe part0 += samples * walk.coefficients.load(fromByteOffset: 0, as: Float.self)
        unsafe part1 += samples * walk.coefficients.load(fromByteOffset: 4, as: Float.self)
        walk.advance()
        left &-= 1
      }
      if walk.isCentre {
        centre0 += part0
        centre1 += part1
      } else {
        sum0 += part0
        sum1 += part1
      }
    }
    sum0 += centre0
    sum1 += centre1
    let target = UnsafeMutableRawPointer(sums)
    unsafe target.storeBytes(of: sum0, as: SIMD16<Float>.self)
    unsafe target.storeBytes(of: sum1, toByteOffset: stride &* 4, as: SIMD16<Float>.self)
  }
}

extension Double {
  /// The kernel of `sumTile`, in 8 lanes.
  ///
  /// Separate multiplications and additions, never fused, so that the result does not depend on the
  /// processor.
  @_noAllocation @_noLocks
  static func sumTile(
    _ coefficients: UnsafePointer<Double>, _ count: Int, _ rows: UnsafePointer<Double>,
    _ origin: TileOrigin, to sums: UnsafeMutablePointer<Double>, every stride: Int
  ) {
    if hasWideRegisters {
      unsafe sumFour(coefficients, count, rows, origin, to: sums, every: stride)
    } else {
      unsafe sumTwo(coefficients, count, rows, origin, to: sums, every: stride)
      unsafe sumTwo(coefficients + 2, count, rows, origin, to: sums + stride &* 2, every: stride)
    }
  }

  @_noAllocation @_noLocks @inline(__always)
  private static func sumFour(
    _ coefficients: UnsafePointer<Double>, _ count: Int, _ rows: UnsafePointer<Double>,
    _ origin: TileOrigin, to sums: UnsafeMutablePointer<Double>, every stride: Int
  ) {
    var walk = unsafe TileWalk(
      coefficients, count, rows, origin, sampleSize: 8)
    var (sum0, sum1) = (SIMD8<Double>(repeating: 0), SIMD8<Double>(repeating: 0))
    var (sum2, sum3) = (sum0, sum1)
    var (centre0, centre1, centre2, centre3) = (sum0, sum1, sum2, sum3)
    while walk.remaining > 0 {
      var (part0, part1) = (SIMD8<Double>(repeating: 0), SIMD8<Double>(repeating: 0))
      var (part2, part3) = (part0, part1)
      var left = walk.next()
      while left > 0 {
        let samples = unsafe walk.samples.loadUnaligned(as: SIMD8<Double>.self)
        unsafe part0 += samples * walk.coefficients.load(fromByteOffset: 0, as: Double.self)
        unsafe part1 += samples * walk.coefficients.load(fromByteOffset: 8, as: Double.self)
        unsafe part2 += samples * walk.coefficients.load(fromByteOffset: 16, as: Double.self)
        unsafe part3 += samples * walk.coefficients.load(fromByteOffset: 24, as: Double.self)
        walk.advance()
        left &-= 1
      }
      if walk.isCentre {
        centre0 += part0
        centre1 += part1
        centre2 += part2
        centre3 += part3
      } else {
        sum0 += part0
        sum1 += part1
        sum2 += part2
        sum3 += part3
      }
    }
    sum0 += centre0
    sum1 += centre1
    sum2 += centre2
    sum3 += centre3
    let target = UnsafeMutableRawPointer(sums)
    unsafe target.storeBytes(of: sum0, as: SIMD8<Double>.self)
    unsafe target.storeBytes(of: sum1, toByteOffset: stride &* 8, as: SIMD8<Double>.self)
    unsafe target.storeBytes(of: sum2, toByteOffset: stride &* 16, as: SIMD8<Double>.self)
    unsafe target.storeBytes(of: sum3, toByteOffset: stride &* 24, as: SIMD8<Double>.self)
  }

  /// For a processor whose registers would not hold four sums and four parts.
  @_noAllocation @_noLocks @inline(__always)
  private static func sumTwo(
    _ coefficients: UnsafePointer<Double>, _ count: Int, _ rows: UnsafePointer<Double>,
    _ origin: TileOrigin, to sums: UnsafeMutablePointer<Double>, every stride: Int
  ) {
    var walk = unsafe TileWalk(
      coefficients, count, rows, origin, sampleSize: 8)
    var (sum0, sum1) = (SIMD8<Double>(repeating: 0), SIMD8<Double>(repeating: 0))
    var (centre0, centre1) = (sum0, sum1)
    while walk.remaining > 0 {
      var (part0, part1) = (SIMD8<Double>(repeating: 0), SIMD8<Double>(repeating: 0))
      var left = walk.next()
      while left > 0 {
        let samples = unsafe walk.samples.loadUnaligned(as: SIMD8<Double>.self)
        unsafe part0 += samples * walk.coefficients.load(fromByteOffset: 0, as: Double.self)
        unsafe part1 += samples * walk.coefficients.load(fromByteOffset: 8, as: Double.self)
        walk.advance()
        left &-= 1
      }
      if walk.isCentre {
        centre0 += part0
        centre1 += part1
      } else {
        sum0 += part0
        sum1 += part1
      }
    }
    sum0 += centre0
    sum1 += centre1
    let target = UnsafeMutableRawPointer(sums)
    unsafe target.storeBytes(of: sum0, as: SIMD8<Double>.self)
    unsafe target.storeBytes(of: sum1, toByteOffset: stride &* 8, as: SIMD8<Double>.self)
  }
}
