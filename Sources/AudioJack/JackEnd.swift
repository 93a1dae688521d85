// SPDX-License-Identifier: Apache-2.0
/// An end's part of a client: its ports, registered and ready to be connected. Session thread only.
struct JackEnd {
  let client: JackClient
  let group: PortGroup
  let parameters: DeviceParameters

  /// Opens or shares the client, and registers the ports.
  ///
  /// - Parameter wished: the channels of the stream; nil if the stream follows the end.
  /// - Throws: `unavailable` without a server; `notFound`, with the nearest names, for a name without a port;
  ///   `unsupported` if the rate or the channels are not the server's.
  init(
    _ request: PortRequest, _ direction: DeviceDirection, _ options: JackOptions, device: String,
    wished: Int?, session: Wakeup
  ) throws(AudioError) {
    let client = try JackClients.take(
      named: options.name, for: device, stallLimit: options.stallLimit)
    do throws(AudioError) {
      let others = try client.ports(direction, for: device)
      try Self.check(request, others, device)
      let count =
        options.channelCount ?? request.channelCount(among: others, wished: wished)
      try Self.check(request, count, others, direction, device)
      let rate = client.sampleRate
      if let asked = options.sampleRate, asked != rate, options.ratePolicy == .fail {
        throw AudioError(
          .unsupported, cannot: "use device", device,
          because: "the JACK server runs at \(rate) Hz, not at \(asked) Hz",
          advice: "use --rate-policy resample")
      }
      let format = try StreamFormat(sampleRate: rate, channelCount: count)
      let period = client.cycle.period
      parameters = DeviceParameters(
        format: format, layout: SampleLayout(.f32), periodSize: period, bufferSize: period)
      group = try client.addGroup(
        request, direction, channelCount: count, device: device, session: session)
    } catch {
      JackClients.release(client, nil)
      throw error
    }
    self.client = client
    if client.name != options.name {
      group.tell(
        LiveNotice(
          "is the client '\(client.name)': another one is named '\(options.name)'",
          isDetail: options.clientName == nil))
    }
  }

  private static func check(
    _ request: PortRequest, _ others: [JackPort], _ device: String
  ) throws(AudioError) {
    guard let missing = request.missingName(among: others) else { return }
    let names = others.nearest(to: missing)
    let doubt = PortPattern.isExpression(missing) ? ", and it is no regular expression" : ""
    throw AudioError(
      .notFound, cannot: "open device", device, because: "there is no port '\(missing)'\(doubt)",
      advice: names.isEmpty
        ? "rawaudio devices lists the ports" : "the nearest: \(names.joined(separator: ", "))")
  }

  private static func check(
    _ request: PortRequest, _ count: Int, _ others: [JackPort], _ direction: DeviceDirection,
    _ device: String
  ) throws(AudioError) {
    guard case .physical = request else { return }
    let physical = others.count { $0.isPhysical }
    let side = direction == .capture ? "inputs" : "outputs"
    if physical == 0 {
      throw AudioError(
        .notFound, cannot: "open device", device,
        because: "the graph has no physical \(side)",
        advice: "name ports, which rawaudio devices lists, or connect jack:none by hand")
    }
    if count > physical {
      throw AudioError(
        .unsupported, cannot: "use device", device,
        because: "the graph has \(physical) physical \(side), not \(count)",
        advice: "name ports, or connect jack:none by hand")
    }
  }

  /// Activates the client, and connects the ports.
  func connect(to device: String) throws(AudioError) {
    try client.join(group, device: device)
  }

  func release() { JackClients.release(client, group) }
}

/// `21.3 ms`: the length of `count` samples per channel at `rate` hertz.
func milliseconds(_ count: Int, at rate: Int) -> String {
  "\((Double(count) / Double(rate) * 10_000).rounded() / 10) ms"
}
