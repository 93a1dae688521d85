internal import AudioCore

extension InfoCommand {
  func run(on console: Console) throws -> ExitCode {
    var reports: [FileReport] = []
    var code = ExitCode.success
    for file in files {
      do throws(AudioError) {
        reports.append(FileReport(path: file, information: try SoundFileInformation(path: file)))
      } catch {
        console.error(error)
        code = .failure
      }
    }
    if writesJSON {
      try console.print(JSONValue.array(reports.map(\.json)).serialized)
    } else {
      try console.print(reports.map(\.text).joined(separator: "\n"))
    }
    return code
  }
}
