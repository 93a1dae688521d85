// SPDX-License-Identifier: Apache-2.0
internal import CLilv

/// The work that a plug-in defers while it runs (worker.h): done right after that run, on its thread.
///
/// The process has no other task, and the stream waits a second for it. So a plug-in gives the samples of an offline
/// run.
@safe
final class LV2Worker {
  private var requests: [[UInt8]] = []
  private var answers: [[UInt8]] = []
  private var plugin: LV2_Handle?
  private var interface: UnsafePointer<LV2_Worker_Interface>?

  /// - Parameter interface: the plug-in's own functions; nil if it has none.
  func serve(_ plugin: LV2_Handle?, _ interface: UnsafePointer<LV2_Worker_Interface>?) {
    unsafe self.plugin = plugin
    unsafe self.interface = interface
  }

  private var handle: UnsafeMutableRawPointer {
    unsafe Unmanaged.passUnretained(self).toOpaque()
  }

  /// For the feature; valid as long as the worker.
  var schedule: LV2_Worker_Schedule {
    unsafe LV2_Worker_Schedule(
      handle: handle,
      schedule_work: { handle, size, data in
        guard let handle = unsafe handle else { return LV2_WORKER_ERR_UNKNOWN }
        let worker = unsafe Unmanaged<LV2Worker>.fromOpaque(handle).takeUnretainedValue()
        unsafe worker.requests.append(LV2Worker.copy(data, size))
        return LV2_WORKER_SUCCESS
      })
  }

  private static func copy(_ data: UnsafeRawPointer?, _ size: UInt32) -> [UInt8] {
    guard let data = unsafe data else { return [] }
    return unsafe Array(UnsafeRawBufferPointer(start: data, count: Int(size)))
  }

  /// Does the deferred work and delivers the answers.
  ///
  /// - Parameter isRunning: whether a run has just ended; between runs a plug-in expects no `end_run`.
  func work(isRunning: Bool) {
    guard let interface = unsafe interface else { return }
    while !requests.isEmpty {
      let request = requests.removeFirst()
      _ = unsafe request.withUnsafeBytes { bytes in
        unsafe interface.pointee.work?(
          plugin,
          { handle, size, data in
            guard let handle = unsafe handle else { return LV2_WORKER_ERR_UNKNOWN }
            let worker = unsafe Unmanaged<LV2Worker>.fromOpaque(handle).takeUnretainedValue()
            unsafe worker.answers.append(LV2Worker.copy(data, size))
            return LV2_WORKER_SUCCESS
          }, handle, UInt32(bytes.count), bytes.baseAddress)
      }
    }
    while !answers.isEmpty {
      let answer = answers.removeFirst()
      _ = unsafe answer.withUnsafeBytes { bytes in
        unsafe interface.pointee.work_response?(plugin, UInt32(bytes.count), bytes.baseAddress)
      }
    }
    if isRunning { _ = unsafe interface.pointee.end_run?(plugin) }
  }
}
