internal import CLinux

/// What codecs print by themselves.
///
/// libmpg123, inside libsndfile, prints warnings about damaged files to the C library's `stderr`, and
/// neither of them has a switch for it; libsndfile's own reader of SDS prints to `stdout`.
public enum CodecChatter {
  /// Leads the C library's `stdout` and `stderr` nowhere, for the rest of the process.
  ///
  /// For programs that write to the descriptors 1 and 2 themselves; Swift's `print` goes nowhere as well.
  /// To be called before other threads exist.
  public static func silence() {
    // Where it fails the chatter is heard, and nothing else is wrong.
    _ = rawaudio_silence_c_streams()
  }
}
