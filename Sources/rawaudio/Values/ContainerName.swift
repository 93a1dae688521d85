/// A container as a command line names it: `wav`, `raw`, `flac`, …, in lower case.
struct ContainerName: Sendable, Hashable {
  var text: String
}

extension ValueSyntax<ContainerName> {
  static let container = ValueSyntax(name: "type") { (text: String) throws(InvalidValue) in
    let name = text.lowercased()
    guard !name.isEmpty else { throw InvalidValue("the name is empty") }
    return ContainerName(text: name.hasPrefix(".") ? String(name.dropFirst()) : name)
  }
}
