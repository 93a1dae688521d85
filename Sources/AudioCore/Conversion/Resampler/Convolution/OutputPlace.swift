/// Where an output sample of a rate conversion stands on the input, and how to come to the next one.
protocol OutputPlace {
  /// The first sample that the output is computed from; 0 is the first of the history.
  var index: Int { get }
  /// How far behind a sample the output stands, as the number of the filter's row where every place has
  /// one.
  var phase: Int { get }

  /// The same in a grid that has `rowCount` rows a sample: a row, and how far behind it, 0 to 1.
  func gridPlace(rowCount: Int) -> (row: Int, rest: Double)

  /// To the next output sample.
  mutating func advance()
}
