extension ParsedArguments {
  /// The values of a repeatable option, one for each input: given once it applies to all, given once
  /// for each input it applies in order.
  ///
  /// - Returns: `inputCount` values, nil where the option was not given.
  /// - Throws: for any other count, naming both.
  func values<Value>(
    of option: Option<Value>, perInput inputCount: Int
  ) throws(UsageError) -> [Value?] {
    let values = try values(of: option)
    switch values.count {
    case 0: return Array(repeating: nil, count: inputCount)
    case 1: return Array(repeating: values[0], count: inputCount)
    case inputCount: return values
    default:
      let inputs = "\(inputCount) input\(inputCount == 1 ? "" : "s")"
      throw UsageError(
        "'\(option.declaration.label)' is given \(values.count) times for \(inputs);"
          + " give it once for all or once for each")
    }
  }
}
