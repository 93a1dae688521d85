extension Float {
  @_noAllocation @_noLocks
  static func add(
    _ samples: UnsafePointer<Float>, count: Int, to total: UnsafeMutablePointer<Float>
  ) {
    for index in 0..<count {
      unsafe total[index] += samples[index]
    }
  }

  @_noAllocation @_noLocks
  static func scale(_ samples: UnsafeMutablePointer<Float>, count: Int, by factor: Double) {
    for index in 0..<count {
      unsafe samples[index] = Float(Double(samples[index]) * factor)
    }
  }
}
