internal import AudioCore

/// What `devices` tells of one device.
struct DeviceReport {
  var device: AlsaDevice
  /// The directions that it is the best choice for.
  var suggestedFor: [DeviceDirection] = []

  /// The name and the description, then what each direction takes.
  var text: String {
    var page = device.name + (device.description.isEmpty ? "" : "  \(device.description)") + "\n"
    for (direction, answer) in directions { page += "  \(direction): \(Self.text(answer))\n" }
    return page
  }

  /// The same as an object; a direction that the device does not have is null.
  var json: JSONValue {
    .object([
      ("name", .string(device.name)), ("description", .string(device.description)),
      ("isDefault", .boolean(device.isDefault)),
      ("suggestedFor", .array(suggestedFor.map { .string($0.rawValue) })),
      ("capture", device.capture.map(Self.json) ?? .null),
      ("playback", device.playback.map(Self.json) ?? .null),
    ])
  }

  private var directions: [(String, AlsaDevice.Answer)] {
    [("capture", device.capture), ("playback", device.playback)].compactMap { name, answer in
      answer.map { (name, $0) }
    }
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
    switch answer {
    case .offer(let offer):
      .object([
        ("status", .string("available")),
        ("sampleRates", .array(offer.sampleRates.map { .integer(Int64($0)) })),
        ("channelCounts", .array(offer.channelCounts.map { .integer(Int64($0)) })),
        ("encodings", .array(offer.encodings.map { .string($0.rawValue) })),
      ])
    case .inUse(let users):
      .object([
        ("status", .string("in use")),
        (
          "users",
          .array(
            users.map { user in
              .object([
                ("processID", .integer(Int64(user.processID))), ("name", .string(user.name)),
              ])
            })
        ),
      ])
    case .unavailable(let reason):
      .object([("status", .string("unavailable")), ("reason", .string(reason))])
    case .notAsked:
      .object([("status", .string("not asked"))])
    }
  }

  /// Ascending numbers, three and more neighbours as a range: `1, 2, 6-8`.
  static func ranges(_ numbers: [Int]) -> String {
    var runs: [ClosedRange<Int>] = []
    for number in numbers {
      if let last = runs.last, last.upperBound == number - 1 {
        runs[runs.count - 1] = last.lowerBound...number
      } else {
        runs.append(number...number)
      }
    }
    return runs.map { run in
      switch run.count {
      case 1: "\(run.lowerBound)"
      case 2: "\(run.lowerBound), \(run.upperBound)"
      default: "\(run.lowerBound)-\(run.upperBound)"
      }
    }.joined(separator: ", ")
  }
}
