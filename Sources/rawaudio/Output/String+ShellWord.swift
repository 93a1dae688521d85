// SPDX-License-Identifier: Apache-2.0
extension String {
  /// The text as a shell reads it.
  var shellWord: String {
    let isPlain = allSatisfy {
      $0.isASCII && ($0.isLetter || $0.isNumber) || "%+,-./:=@_".contains($0)
    }
    if isPlain { return self }
    let parts = split(separator: "'", omittingEmptySubsequences: false)
    return "'\(parts.joined(separator: #"'\''"#))'"
  }
}
