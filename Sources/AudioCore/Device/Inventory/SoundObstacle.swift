internal import Glibc

/// Why no sound card can be used at all.
enum SoundObstacle: Equatable {
  /// The kernel has no sound system, or a container does not see it.
  case noSystem
  case noCard
  /// There are cards, and this process may use none; the group that their nodes belong to.
  case forbidden(group: String)

  var reason: String {
    switch self {
    case .noSystem: "this machine has no sound card: there is no /dev/snd"
    case .noCard: "this machine has no sound card: /dev/snd holds none"
    case .forbidden(let group): "permission denied: /dev/snd belongs to the group '\(group)'"
    }
  }

  var advice: String {
    switch self {
    case .noSystem, .noCard:
      "plug one in or load its driver; a container needs --device /dev/snd"
    case .forbidden(let group): Self.advice(toJoin: group)
    }
  }

  /// How this user comes to be a member of `group`.
  static func advice(toJoin group: String) -> String {
    if group == "root" {
      return "as root give its files to the group 'audio' and the user that group"
    }
    return "join it with 'sudo usermod -aG \(group) \(userName)' and log in again"
  }

  private static var userName: String {
    guard let entry = unsafe getpwuid(geteuid()), let name = unsafe entry.pointee.pw_name else {
      return "$USER"
    }
    return unsafe String(cString: name)
  }
}
