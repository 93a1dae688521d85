/// A program's side of a ``PushSource``: told when to send, and given the sender to send with.
///
/// One life cycle: `initialize` → `start` → `stop` → `dispose`, all on the session thread. Where
/// `initialize` answers false or `start` throws, the session ends with an error and no later call but
/// `dispose` comes. `dispose` comes exactly once after `initialize`, also after a failure.
public protocol CustomSource: AnyObject {
  /// The format of the samples that will be sent, asked before `initialize`; nil = whatever the session
  /// proposes.
  var format: StreamFormat? { get }

  /// Acquires what the source needs.
  ///
  /// - Parameter sender: for this life; its ``PushSender/format`` says what to send. It takes samples
  ///   from `start` on, on any one thread.
  /// - Returns: false where the source cannot work: the session ends with an error.
  func initialize(_ sender: PushSender) -> Bool

  /// Samples may be sent from now on, also from within this call. Do not wait for room here: the
  /// session thread is the one that makes it.
  func start() throws(AudioError)

  /// No more samples are taken: every further `send` throws. A good place to join the sending thread.
  func stop()

  /// Releases everything.
  func dispose()
}

extension CustomSource {
  public var format: StreamFormat? { nil }
  public func start() throws(AudioError) {}
  public func stop() {}
  public func dispose() {}
}
