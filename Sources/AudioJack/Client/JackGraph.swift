// SPDX-License-Identifier: Apache-2.0
/// The ports of a running server.
public struct JackGraph: Sendable, Hashable {
  /// In hertz.
  public var sampleRate: Int
  /// The server's period in samples per channel.
  public var period: Int
  /// The audio ports of all clients: those that give samples, then those that take some, in the server's order.
  public var ports: [JackPort]

  /// Asks the server that runs, by a client of a moment.
  ///
  /// - Returns: nil without a server, a library or an answer. Any thread; it takes some milliseconds.
  public static func present() -> JackGraph? {
    guard JackLibrary.isPresent else { return nil }
    let graph = try? BoundedCall.run { () -> JackGraph? in
      guard let handle = try? JackHandle(named: "rawaudio-list", for: "jack:") else { return nil }
      return JackGraph(
        sampleRate: handle.sampleRate, period: handle.period,
        ports: DeviceDirection.allCases.flatMap { handle.ports($0) })
    }
    return graph ?? nil
  }
}
