/// What happens to audio or text that comes faster than the background writer gets rid of it.
public enum BackgroundOverflow: Sendable, Hashable {
  /// Whoever hands it over waits until there is room: nothing is lost. For sessions without a clock.
  case wait
  /// It is dropped and counted: nobody waits. For live sessions.
  case drop
}
