// SPDX-License-Identifier: Apache-2.0
@testable import rawaudio

extension InvocationContext {
  /// Standard output is a pipe.
  static let pipe = InvocationContext(standardOutputIsTerminal: false)
}

extension Command {
  /// Returns the command of `words`. Standard output is a pipe unless it is on a terminal.
  static func parsed(_ words: String..., onTerminal: Bool = false) throws(UsageError) -> Self {
    try read(
      ArgumentParser.parse(words, by: declarations),
      in: InvocationContext(standardOutputIsTerminal: onTerminal))
  }

  /// Returns the reason against `words`; nil if they are valid.
  static func refusal(of words: [String]) -> String? {
    usageMessage { () throws(UsageError) in
      _ = try read(ArgumentParser.parse(words, by: declarations), in: .pipe)
    }
  }
}

/// Returns the message of the usage error that `body` throws; nil if it throws none.
func usageMessage(_ body: () throws(UsageError) -> Void) -> String? {
  do throws(UsageError) {
    try body()
    return nil
  } catch {
    return error.message
  }
}

/// Returns the reason against `text` as a value of `syntax`; nil if it is valid.
func rejection<Value>(of text: String, by syntax: ValueSyntax<Value>) -> String? {
  do throws(InvalidValue) {
    _ = try syntax.parse(text)
    return nil
  } catch {
    return error.reason
  }
}
