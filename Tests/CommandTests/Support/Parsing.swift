// SPDX-License-Identifier: Apache-2.0
@testable import rawaudio

extension InvocationContext {
  /// Standard output is a pipe.
  static let pipe = InvocationContext(standardOutputIsTerminal: false)
}

extension Command {
  /// The command that `words` mean. Standard output is a pipe unless it is on a terminal.
  static func parsed(_ words: String..., onTerminal: Bool = false) throws(UsageError) -> Self {
    try read(
      ArgumentParser.parse(words, by: declarations),
      in: InvocationContext(standardOutputIsTerminal: onTerminal))
  }

  /// Why `words` are refused; nil if they are not.
  static func refusal(of words: [String]) -> String? {
    usageMessage { () throws(UsageError) in
      _ = try read(ArgumentParser.parse(words, by: declarations), in: .pipe)
    }
  }
}

/// The message of the usage error that `body` throws; nil if it throws none.
func usageMessage(_ body: () throws(UsageError) -> Void) -> String? {
  do throws(UsageError) {
    try body()
    return nil
  } catch {
    return error.message
  }
}

/// Why `text` is not a value of `syntax`; nil if it is one.
func rejection<Value>(of text: String, by syntax: ValueSyntax<Value>) -> String? {
  do throws(InvalidValue) {
    _ = try syntax.parse(text)
    return nil
  } catch {
    return error.reason
  }
}
