internal import AudioCore

extension DevicesCommand {
  func run(on console: Console) throws -> ExitCode {
    let inventory = AlsaDevices.inventory()
    let reports = inventory.devices.map { device in
      DeviceReport(
        device: device,
        suggestedFor: DeviceDirection.allCases.filter {
          inventory.suggestions[$0]?.name == device.name
        })
    }
    if writesJSON {
      try console.print(JSONValue.array(reports.map(\.json)).serialized)
    } else if !reports.isEmpty {
      let advice = suggestions(inventory)
      let page = reports.map(\.text).joined(separator: "\n")
      try console.print(advice.isEmpty ? page : "\(page)\n\(advice)")
    } else if inventory.failure == nil, inventory.obstacle == nil {
      console.note("there is no ALSA device")
    }
    // A sound server can do without a card.
    if inventory.suggestions.count < DeviceDirection.allCases.count,
      let obstacle = inventory.obstacle
    {
      console.note(obstacle)
    }
    if let failure = inventory.failure { throw failure }
    return .success
  }

  /// A line for each direction that something can be used for.
  private func suggestions(_ inventory: AlsaInventory) -> String {
    DeviceDirection.allCases.compactMap { direction in
      inventory.suggestions[direction].map { suggestion in
        "For \(direction.rawValue) use '\(suggestion.name)': \(suggestion.reason).\n"
      }
    }.joined()
  }
}
