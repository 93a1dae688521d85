extension Double {
  @_noAllocation @_noLocks
  static func add(
    _ samples: UnsafePointer<Double>, count: Int, to total: UnsafeMutablePointer<Double>
  ) {
    for index in 0..<count {
      unsafe total[index] += samples[index]
    }
  }

  @_noAllocation @_noLocks
  static func scale(_ samples: UnsafeMutablePointer<Double>, count: Int, by factor: Double) {
    for index in 0..<count {
      unsafe samples[index] *= factor
    }
  }
}
