/// What can happen in a run that completes, and that a user may want to be a failure (exit 2).
enum FailureCondition: String, Sendable, CaseIterable {
  /// Samples were beyond full scale and saturated.
  case clip
  /// The device overran or underran.
  case xrun
  /// An input was shorter than its header claims.
  case truncated
}

extension ValueSyntax<Set<FailureCondition>> {
  static let failureConditions = ValueSyntax(
    name: "condition", choices: FailureCondition.allCases.map(\.rawValue)
  ) { (text: String) throws(InvalidValue) in
    var conditions: Set<FailureCondition> = []
    for word in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let condition = FailureCondition(rawValue: word.lowercased()) else {
        throw InvalidValue("the conditions are clip, xrun and truncated, separated by commas")
      }
      conditions.insert(condition)
    }
    return conditions
  }
}
