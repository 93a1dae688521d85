/// Products of a frequency and a time, as far as a sine is concerned.
enum Cycles {
  /// The fraction of a cycle, −1 to 1, at which a signal of `frequency` stands at sample `index`.
  ///
  /// Exact to the last bits however large the index: the product's rounding error is carried along
  /// (T. J. Dekker, "A floating-point technique for extending the available precision", Numerische
  /// Mathematik 18, 1971; here by a fused multiplication), and the remainder is exact.
  static func fraction(of frequency: Double, at index: Int64, sampleRate: Int) -> Double {
    let time = Double(index)
    let product = frequency * time
    let error = (-product).addingProduct(frequency, time)
    let rate = Double(sampleRate)
    return (product.truncatingRemainder(dividingBy: rate) + error) / rate
  }
}
