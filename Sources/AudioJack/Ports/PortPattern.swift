// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// A regular expression for whole port names, in POSIX's extended syntax as in JACK's own tools.
@safe
struct PortPattern: ~Copyable {
  private var expression = unsafe regex_t()

  /// - Returns: nil if `text` is no regular expression, such as a name with a single bracket.
  init?(_ text: String) {
    guard unsafe regcomp(&expression, "^(\(text))$", REG_EXTENDED | REG_NOSUB) == 0 else {
      return nil
    }
  }

  deinit {
    var expression = unsafe expression
    unsafe regfree(&expression)
  }

  borrowing func matches(_ name: String) -> Bool {
    unsafe withUnsafePointer(to: expression) { expression in
      unsafe regexec(expression, name, 0, nil, 0) == 0
    }
  }

  /// Whether a name that no port has is meant as an expression.
  static func isExpression(_ text: String) -> Bool {
    text.contains { "*+?[](){}|^$\\".contains($0) }
  }
}
