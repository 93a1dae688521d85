// SPDX-License-Identifier: Apache-2.0
internal import CLinux
import Glibc
internal import Synchronization

/// A POSIX thread that runs one function to its end.
///
/// Swift's tasks share a pool of threads whose wake-up nobody bounds and which must not be blocked; a
/// device and a disk each need one of their own.
@safe
package final class SystemThread {
  /// What the thread runs and how it tells that it has ended; the thread keeps it alive.
  fileprivate final class Body: Sendable {
    let name: String
    let run: @Sendable () -> Void
    let hasEnded = Atomic<Bool>(false)
    let ended = Wakeup()
    init(_ name: String, _ run: @escaping @Sendable () -> Void) {
      self.name = name
      self.run = run
    }
  }

  private let thread: pthread_t
  private let body: Body

  /// Starts the thread.
  ///
  /// - Parameters:
  ///   - name: what an error calls it, and the system too (`top -H`): its first 15 bytes there.
  ///   - run: called on the new thread.
  /// - Throws: `unavailable` where the system grants no more threads.
  package init(named name: String, _ run: @escaping @Sendable () -> Void) throws(AudioError) {
    body = Body(name, run)
    var created = pthread_t()
    let argument = unsafe Unmanaged.passRetained(body)
    let code = unsafe pthread_create(&created, nil, systemThreadMain, argument.toOpaque())
    guard code == 0 else {
      unsafe argument.release()
      throw AudioError(
        .unavailable, cannot: "start the thread", name,
        because: code == EAGAIN
          ? "the system has no more threads or memory to give"
          : unsafe String(cString: strerror(code)).lowercased(),
        advice: code == EAGAIN ? "see ulimit -u and ulimit -v" : nil)
    }
    thread = created
  }

  /// Asks the system to let this thread run as soon as it can, before every ordinary one.
  ///
  /// - Parameter level: of SCHED_FIFO, 1 to 99.
  /// - Returns: 0, or the errno of the refusal. The corresponding C function is `pthread_setschedparam`.
  @discardableResult
  package func raise(toFIFO level: Int) -> CInt {
    var parameters = sched_param()
    parameters.sched_priority = CInt(level)
    return unsafe pthread_setschedparam(thread, SCHED_FIFO, &parameters)
  }

  /// Waits until the thread has ended, for `limit` at most, as long as `isWanted`, which is asked
  /// ten times a second and after every signal.
  func wait(atMost limit: Duration, while isWanted: () -> Bool) {
    let begin = MonotonicTime.now
    while !body.hasEnded.load(ordering: .acquiring), isWanted() {
      let remaining = limit - MonotonicTime.now.elapsed(since: begin)
      if remaining <= .zero { return }
      body.ended.wait(atMost: min(remaining, .milliseconds(100)))
    }
  }

  /// Waits until the thread has ended. Call this once, from another thread.
  ///
  /// - Returns: false when it still runs after `limit`, stuck inside a driver; it is then
  ///   left to end by itself and keeps alive what it uses.
  package func join(atMost limit: Duration) -> Bool {
    wait(atMost: limit) { true }
    guard body.hasEnded.load(ordering: .acquiring) else {
      pthread_detach(thread)
      return false
    }
    pthread_join(thread, nil)
    return true
  }
}

/// A free function, for a closure written elsewhere might inherit an actor that the new thread is not.
private func systemThreadMain(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let argument = unsafe argument else { return nil }
  // Signals are for the session's threads: here they would only cut waits short.
  var signals = sigset_t()
  unsafe sigfillset(&signals)
  unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
  let body = unsafe Unmanaged<SystemThread.Body>.fromOpaque(argument).takeRetainedValue()
  unsafe rawaudio_name_thread(body.name)
  body.run()
  body.hasEnded.store(true, ordering: .releasing)
  body.ended.signal()
  return nil
}

/// An identity of the calling thread that no other living thread has; never 0.
package var currentThread: UInt { UInt(pthread_self()) }
