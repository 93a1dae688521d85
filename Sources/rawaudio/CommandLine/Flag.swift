/// An option without a value: `--force`, `-q`.
struct Flag: Declared {
  let declaration: Declaration

  init(_ name: String, short: Character? = nil, group: OptionGroup = .main, help: String) {
    declaration = Declaration(kind: .flag, name: name, short: short, help: help, group: group)
  }
}
