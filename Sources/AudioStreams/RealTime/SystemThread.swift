// SPDX-License-Identifier: Apache-2.0
internal import CLinux
import Glibc
internal import Synchronization

/// A POSIX thread that runs one function to its end.
///
/// Swift's tasks share a pool of threads that must not be blocked and whose wake-up time has no bound; a device and a
/// disk each need their own thread.
@safe
package final class SystemThread {
  /// The thread's function and the signal of its end; the thread keeps it alive.
  fileprivate final class Body: Sendable {
    let name: String
    let run: @Sendable () -> Void
    let hasEnded = Atomic<Bool>(false)
    let ended = Semaphore()
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
  ///   - name: the thread's name in errors; the system shows its first 15 bytes (`top -H`).
  ///   - run: called on the new thread.
  /// - Throws: `unavailable` if the system grants no more threads.
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

  /// Asks the system to run this thread as soon as it can, before every ordinary one.
  ///
  /// - Parameter level: of SCHED_FIFO, 1 to 99.
  /// - Returns: 0, or the errno of the refusal. The corresponding C function is `pthread_setschedparam`.
  @discardableResult
  package func raise(toFIFO level: Int) -> CInt {
    var parameters = sched_param()
    parameters.sched_priority = CInt(level)
    return unsafe pthread_setschedparam(thread, SCHED_FIFO, &parameters)
  }

  /// Waits until the thread has ended, for `limit` at most, while `isWanted` holds. It asks that ten times a second and
  /// after every signal.
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
  /// - Returns: false if it still runs after `limit`, stuck inside a driver. It is then left to end by itself, and
  ///   keeps its objects alive.
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

/// A free function, because a closure elsewhere might inherit an actor that the new thread does not run on.
private func systemThreadMain(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let argument = unsafe argument else { return nil }
  // Blocks signals, which are for the session's threads: here they would only cut waits short.
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
