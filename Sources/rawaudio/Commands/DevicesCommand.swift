/// `rawaudio devices`: which ALSA devices there are and what they accept.
struct DevicesCommand: Command {
  var writesJSON: Bool

  static let name = "devices"
  static let abstract = "List the devices and what they really accept."
  static let discussion = "The names stay the same when cards are plugged in another order."

  static let json = Flag("json", help: "Print JSON.")

  static let parameters: [any Declared] = [json]

  static let examples = [
    Example("What there is, and which one to use:", "rawaudio devices"),
    Example("For another program:", "rawaudio devices --json"),
  ]

  init(_ arguments: ParsedArguments, in context: InvocationContext) throws(UsageError) {
    writesJSON = arguments.has(Self.json)
  }
}
