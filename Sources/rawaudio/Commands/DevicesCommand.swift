// SPDX-License-Identifier: Apache-2.0
internal import AudioDevices
internal import AudioCore

/// `rawaudio devices`: the ALSA devices and their supported formats, and those of other ends.
struct DevicesCommand: Command {
  @Flag("json", help: "Print JSON.") var writesJSON: Bool

  static let name = "devices"
  static let abstract = "List the devices and the formats they really accept."
  static let discussion = "The names stay the same when cards are plugged in another order."

  static let examples = [
    Example("All devices, and which one to use:", "rawaudio devices"),
    Example("For another program:", "rawaudio devices --json"),
  ]

  func run(on console: Console) throws -> ExitCode {
    let inventory = AlsaDevices.inventory()
    let reports = inventory.devices.map { device in
      DeviceReport(
        device: device,
        suggestedFor: DeviceDirection.allCases.filter {
          inventory.suggestions[$0]?.name == device.name
        })
    }
    let listings = SourceEnds.all.compactMap { $0.listing() }
    if writesJSON {
      let objects = reports.map(\.json) + listings.flatMap(\.json)
      try console.print(JSONValue.array(objects).serialized)
    } else if !reports.isEmpty || !listings.isEmpty {
      let advice = suggestions(inventory)
      let page = (reports.map(\.text) + listings.map(\.text)).joined(separator: "\n")
      try console.print(advice.isEmpty ? page : "\(page)\n\(advice)")
    } else if inventory.failure == nil, inventory.obstacle == nil {
      console.note("there is no ALSA device")
    }
    // A sound server works without a card, so the note needs a direction without a device.
    if inventory.suggestions.count < DeviceDirection.allCases.count,
      let obstacle = inventory.obstacle
    {
      console.note(obstacle)
    }
    if let failure = inventory.failure { throw failure }
    return .success
  }

  /// A line for each direction with a device.
  private func suggestions(_ inventory: AlsaInventory) -> String {
    DeviceDirection.allCases.compactMap { direction in
      inventory.suggestions[direction].map { suggestion in
        "For \(direction.rawValue) use '\(suggestion.name)': \(suggestion.reason).\n"
      }
    }.joined()
  }
}

/// The facts that `devices` prints about one device.
struct DeviceReport {
  var device: AlsaDevice
  /// The directions for which this device is the best choice.
  var suggestedFor: [DeviceDirection] = []

  /// The name and the description, then the formats of each direction.
  var text: String {
    var page = device.name + (device.description.isEmpty ? "" : "  \(device.description)") + "\n"
    for direction in DeviceDirection.allCases {
      guard let answer = device.answer(to: direction) else { continue }
      page += "  \(direction.rawValue): \(Self.text(answer))\n"
    }
    return page
  }

  /// The facts as a JSON object. Directions missing from the device are null.
  var json: JSONValue {
    .object([
      ("name", .string(device.name)), ("description", .string(device.description)),
      ("isDefault", .boolean(device.isDefault)),
      ("suggestedFor", .array(suggestedFor.map { .string($0.rawValue) })),
      ("capture", device.capture.map(Self.json) ?? .null),
      ("playback", device.playback.map(Self.json) ?? .null),
    ])
  }

  private static func text(_ answer: AlsaDevice.Answer) -> String {
    switch answer {
    case .offer(let offer):
      "\(ranges(offer.sampleRates)) Hz; \(ranges(offer.channelCounts)) channels; "
        + offer.encodings.map(\.rawValue).joined(separator: ", ")
    case .inUse(let users) where users.isEmpty: "in use"
    case .inUse(let users): "in use by \(users.map(\.description).joined(separator: ", "))"
    case .unavailable(let reason): "not available: \(reason)"
    case .notAsked: "not opened, for that may start a server"
    }
  }

  private static func json(_ answer: AlsaDevice.Answer) -> JSONValue {
    func status(_ word: String, _ members: JSONValue.Members = []) -> JSONValue {
      .object([("status", .string(word))] + members)
    }
    return switch answer {
    case .offer(let offer):
      status(
        "available",
        [
          ("sampleRates", .array(offer.sampleRates.map { .integer(Int64($0)) })),
          ("channelCounts", .array(offer.channelCounts.map { .integer(Int64($0)) })),
          ("encodings", .array(offer.encodings.map { .string($0.rawValue) })),
        ])
    case .inUse(let users):
      status("in use", [("users", .array(users.map(json)))])
    case .unavailable(let reason): status("unavailable", [("reason", .string(reason))])
    case .notAsked: status("not asked")
    }
  }

  private static func json(_ user: DeviceUser) -> JSONValue {
    .object([("processID", .integer(Int64(user.processID))), ("name", .string(user.name))])
  }

  /// Ascending numbers. Three or more neighbours become a range: `1, 2, 6-8`.
  static func ranges(_ numbers: [Int]) -> String {
    numbers.runs.map { run in
      switch run.count {
      case 1: "\(run.lowerBound)"
      case 2: "\(run.lowerBound), \(run.upperBound)"
      default: "\(run.lowerBound)-\(run.upperBound)"
      }
    }.joined(separator: ", ")
  }
}
