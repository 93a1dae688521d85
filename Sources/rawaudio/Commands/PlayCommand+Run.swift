internal import AudioCore

extension PlayCommand {
  func run(on console: Console) throws -> ExitCode {
    throw AudioError(
      .unsupported, cannot: "run", Self.name,
      because: "it is not connected to the session engine yet")
  }
}
