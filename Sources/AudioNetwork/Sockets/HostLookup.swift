// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc

/// Finds the addresses of hosts.
struct HostLookup {
  typealias Answer = Result<[SocketAddress], AudioError>

  /// When the wait for a name server ends.
  var limit: MonotonicTime
  /// Whether the wait is to end at once.
  var mustEnd: () -> Bool
  /// Asks the system, for as long as it likes.
  var ask: @Sendable (_ host: String) -> Answer = { systemAnswer(for: $0, flags: 0) }

  /// - Parameter limit: the longest wait for a name server.
  init(atMost limit: Duration, mustEnd: @escaping () -> Bool) {
    self.limit = MonotonicTime.now.later(by: limit)
    self.mustEnd = mustEnd
  }

  /// The addresses of a host, which is a number or a name. A name is asked for on a thread of its own: no call ends the
  /// system's wait for a server.
  ///
  /// - Throws: `notFound` if the name has no address; `unavailable` if its server does not answer; `interrupted`.
  func addresses(of host: String, port: UInt16) throws(AudioError) -> [SocketAddress] {
    let found: Answer
    if case .success(let numbers) = Self.systemAnswer(for: host, flags: AI_NUMERICHOST) {
      found = .success(numbers)
    } else {
      let call = try BackgroundCall(named: "name look-up") { [ask] in ask(host) }
      let answer = call.result(atMost: limit.elapsed(since: .now)) { !mustEnd() }
      guard let answer else {
        throw mustEnd()
          ? AudioError(
            .interrupted, cannot: "find the host", host, because: "the session was asked to end")
          : AudioError(
            .unavailable, cannot: "find the host", host, because: "the name server does not answer")
      }
      found = answer
    }
    return try found.get().map { address in
      var address = address
      address.port = port
      return address
    }
  }

  /// The corresponding C function is `getaddrinfo`.
  private static func systemAnswer(for host: String, flags: Int32) -> Answer {
    var hints = unsafe addrinfo()
    unsafe hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
    unsafe hints.ai_flags = flags
    var list: UnsafeMutablePointer<addrinfo>?
    let code = unsafe getaddrinfo(host, nil, &hints, &list)
    defer { if unsafe list != nil { unsafe freeaddrinfo(list) } }
    guard code == 0 else {
      let reason = unsafe String(cString: gai_strerror(code)).lowercased()
      return .failure(
        AudioError(
          code == EAI_NONAME ? .notFound : .unavailable, cannot: "find the host", host,
          because: reason))
    }
    var found: [SocketAddress] = []
    var next = unsafe list
    while let entry = unsafe next {
      var storage = sockaddr_storage()
      if let address = unsafe entry.pointee.ai_addr {
        let size = min(Int(unsafe entry.pointee.ai_addrlen), MemoryLayout<sockaddr_storage>.size)
        unsafe withUnsafeMutableBytes(of: &storage) {
          unsafe $0.copyMemory(from: UnsafeRawBufferPointer(start: address, count: size))
        }
      }
      if let address = SocketAddress(storage) { found.append(address) }
      unsafe next = entry.pointee.ai_next
    }
    guard !found.isEmpty else {
      return .failure(
        AudioError(.notFound, cannot: "find the host", host, because: "it has no address"))
    }
    return .success(found)
  }
}

/// An interface of this machine.
enum NetworkInterface {
  /// The number of an interface. The corresponding C function is `if_nametoindex`.
  ///
  /// - Parameters:
  ///   - name: `eth1`. Nil = the system chooses, which is 0.
  ///   - stream: the name of the stream, in errors.
  /// - Throws: `notFound` if the machine has no such interface.
  static func number(of name: String?, for stream: String) throws(AudioError) -> UInt32 {
    guard let name else { return 0 }
    let number = unsafe if_nametoindex(name)
    guard number != 0 else {
      throw AudioError(
        .notFound, cannot: "receive", stream,
        because: "this machine has no interface '\(name)'", advice: "'ip link' lists those it has")
    }
    return number
  }
}
