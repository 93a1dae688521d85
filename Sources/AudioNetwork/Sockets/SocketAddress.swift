// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import Glibc

/// The address of a socket, of IPv4 or of IPv6.
struct SocketAddress: Hashable, Sendable {
  let isVersion6: Bool
  /// The bytes of the address, the highest first: four of IPv4 in ``high``, or 16.
  private let high: UInt64
  private let low: UInt64
  var port: UInt16
  /// The number of the interface of a link-local address; 0 = any.
  var scope: UInt32 = 0

  /// - Returns: nil for an address of another kind.
  init?(_ storage: sockaddr_storage) {
    switch Int32(storage.ss_family) {
    case AF_INET:
      let address = unsafe withUnsafeBytes(of: storage) { unsafe $0.load(as: sockaddr_in.self) }
      isVersion6 = false
      port = UInt16(bigEndian: address.sin_port)
      high = UInt64(UInt32(bigEndian: address.sin_addr.s_addr)) << 32
      low = 0
    case AF_INET6:
      let address = unsafe withUnsafeBytes(of: storage) { unsafe $0.load(as: sockaddr_in6.self) }
      isVersion6 = true
      port = UInt16(bigEndian: address.sin6_port)
      (high, low) = unsafe withUnsafeBytes(of: address.sin6_addr) {
        unsafe (
          UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self)),
          UInt64(bigEndian: $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        )
      }
      scope = address.sin6_scope_id
    default: return nil
    }
  }

  /// The address of this machine that a socket uses. Nil if it has none. The corresponding C function is `getsockname`.
  init?(ofSocket descriptor: Int32) {
    var storage = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let code = unsafe withUnsafeMutablePointer(to: &storage) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe getsockname(descriptor, $0, &size)
      }
    }
    guard code == 0 else { return nil }
    self.init(storage)
  }

  /// As the system's calls take it.
  var storage: sockaddr_storage {
    var storage = sockaddr_storage()
    if isVersion6 {
      var address = sockaddr_in6()
      address.sin6_family = sa_family_t(AF_INET6)
      address.sin6_port = port.bigEndian
      address.sin6_scope_id = scope
      unsafe withUnsafeMutableBytes(of: &address.sin6_addr) {
        unsafe $0.storeBytes(of: high.bigEndian, as: UInt64.self)
        unsafe $0.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
      }
      unsafe withUnsafeMutableBytes(of: &storage) {
        unsafe $0.storeBytes(of: address, as: sockaddr_in6.self)
      }
    } else {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      address.sin_addr.s_addr = UInt32(truncatingIfNeeded: high >> 32).bigEndian
      unsafe withUnsafeMutableBytes(of: &storage) {
        unsafe $0.storeBytes(of: address, as: sockaddr_in.self)
      }
    }
    return storage
  }

  var family: Int32 { isVersion6 ? AF_INET6 : AF_INET }

  /// The level of its options in `setsockopt`.
  var level: Int32 { Int32(isVersion6 ? IPPROTO_IPV6 : IPPROTO_IP) }

  /// Whether many may receive at it. RFC 5771, section 3; RFC 4291, section 2.7.
  var isMulticast: Bool { isVersion6 ? high >> 56 == 0xFF : high >> 60 == 14 }

  func isHost(of other: SocketAddress) -> Bool {
    isVersion6 == other.isVersion6 && high == other.high && low == other.low
  }

  /// Calls `body` with the address as the system's calls take it.
  func withSystemAddress<Result>(
    _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) -> Result {
    var storage = storage
    let size = isVersion6 ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size
    return unsafe withUnsafePointer(to: &storage) {
      unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe body($0, socklen_t(size))
      }
    }
  }
}

extension SocketAddress: CustomStringConvertible {
  /// `192.0.2.7:5004`, `[2001:db8::7]:5004`. The corresponding C function is `getnameinfo`.
  var description: String { isVersion6 ? "[\(host)]:\(port)" : "\(host):\(port)" }

  /// Its number.
  var host: String {
    var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    let code = unsafe withSystemAddress { address, size in
      unsafe getnameinfo(address, size, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST)
    }
    guard code == 0 else { return "?" }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
