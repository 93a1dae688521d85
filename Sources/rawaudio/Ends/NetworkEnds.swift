// SPDX-License-Identifier: Apache-2.0
internal import AudioCore
internal import AudioNetwork
internal import Glibc

/// `rtp:FILE.sdp` or `rtp://HOST:PORT` as a source: a stream of packets that comes by itself.
struct RTPSourceEnd: SourceEnd {
  static let scheme = "rtp:"
  static let usages = ["rtp:FILE.sdp"]
  static let noun = "a network"
  static let liveness = Liveness.live
  static let options = "on-xrun ring-size jitter timeout payload own-time stream interface"
  /// Without secrets.
  let name: String
  private let request: NetworkRequest

  init(_ detail: String) throws(InvalidValue) {
    do {
      request = try NetworkRequest(rtp: Self.scheme + detail)
    } catch {
      if PayloadFormat.needsDescription(detail.split(separator: "?").last ?? "") {
        throw InvalidValue("AAC needs a session description: rtp:studio.sdp")
      }
      throw InvalidValue(
        "a stream is a session description or an address with a port: rtp:studio.sdp, rtp://239.69.0.1:5004?l24/48000/2"
      )
    }
    name = (Self.scheme + detail).withoutSecrets
  }

  static func offers(_ text: String) -> [Offer] {
    if text.hasPrefix(scheme) { return [.path(behind: scheme)] }
    return [.beginning(scheme, about: "a session description, or an address of RTP")]
  }

  func source(_ request: SourceEndRequest) -> EndSource {
    .live(NetworkSource(self.request, device: name, options: request.device.networkOptions))
  }
}

/// `rtsp://HOST/PATH` as a source: a stream that a server sends.
struct RTSPSourceEnd: SourceEnd {
  static let scheme = "rtsp:"
  static let usages = ["rtsp://HOST/PATH for a network"]
  static let noun = "a network"
  static let liveness = Liveness.live
  static let options = "on-xrun ring-size jitter timeout transport own-time stream credentials"
  /// Without secrets.
  let name: String
  /// Nil if the text is no address. An error of the command line would show it, and a password in it.
  private let address: ServerAddress?

  init(_ detail: String) throws(InvalidValue) {
    address = try? ServerAddress(Self.scheme + detail)
    let text = Self.scheme + detail
    guard address != nil || !AddressSecrets(in: text).ranges.isEmpty else {
      throw InvalidValue("a server is written rtsp://HOST/PATH or rtsp://USER:PASSWORD@HOST/PATH")
    }
    name = (address?.shown ?? text).withoutSecrets
  }

  static func offers(_ text: String) -> [Offer] {
    text.hasPrefix(scheme) ? [] : [.beginning(scheme, about: "a server of RTSP")]
  }

  func source(_ request: SourceEndRequest) throws(AudioError) -> EndSource {
    guard let address else {
      throw AudioError(
        .invalidParameter, cannot: "connect to", name, because: "it is no address of a server",
        advice: "write rtsp://USER:PASSWORD@HOST/PATH, with percent signs for special characters")
    }
    var options = request.device.networkOptions
    if address.isAnonymous, let path = request.device.credentialsFile {
      options.credentials = try Credentials(file: path)
    }
    return .live(NetworkSource(.server(address), device: name, options: options))
  }

  /// The note on a file of credentials that others may read.
  func openingNote(_ request: DeviceRequest) -> String? {
    var status = stat()
    guard let path = request.credentialsFile, unsafe stat(Pathname(path).cString, &status) == 0,
      status.st_mode & 0o077 != 0
    else { return nil }
    return "others may read the password in '\(path)'; 'chmod 600' makes it yours alone"
  }
}

extension DeviceRequest {
  fileprivate var networkOptions: NetworkOptions {
    var options = network
    options.gapPolicy = gapPolicy
    options.lossPolicy = lossPolicy
    options.ring = ring
    options.latency = latency
    return options
  }
}
