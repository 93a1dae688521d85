internal import AudioCore

extension DevicesCommand {
  func run(on console: Console) throws -> ExitCode {
    let devices = AlsaDevices.list()
    if writesJSON {
      try console.print(JSONValue.array(devices.map { DeviceReport(device: $0).json }).serialized)
    } else if devices.isEmpty {
      console.note("there is no ALSA device")
    } else {
      try console.print(devices.map { DeviceReport(device: $0).text }.joined(separator: "\n"))
    }
    return .success
  }
}
