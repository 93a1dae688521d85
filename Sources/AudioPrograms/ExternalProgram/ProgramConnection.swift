// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The bytes between the session and a running program, in both directions at once.
///
/// Nothing here waits but ``wait(milliseconds:)``. Session thread only.
final class ProgramConnection {
  let child: ChildProcess
  /// The bytes that the program has not taken yet.
  let toProgram: ByteQueue
  /// The bytes of the program that were not taken yet.
  let fromProgram: ByteQueue
  /// Whether the program closed its input before it took all bytes.
  private(set) var isInputRefused = false
  /// Whether no more bytes will come: the program closed its output, or its output is discarded.
  private(set) var isOutputEnded: Bool

  private var input: PipeEnd?
  private var output: PipeEnd?
  private var isInputEnding = false

  /// - Parameters:
  ///   - mode: a read-only program's output is discarded.
  ///   - backlog: bytes that may wait for the program outside its pipe.
  init(
    _ program: ExternalProgram, environment: [String: String?], mode: ObserverMode, backlog: Int
  ) throws(AudioError) {
    let input = try PipeEnd.pipe()
    let output: (reading: PipeEnd?, writing: PipeEnd) =
      mode == .readOnly ? (nil, try .null(O_WRONLY)) : try PipeEnd.pipe()
    self.input = input.writing
    self.output = output.reading
    isOutputEnded = mode == .readOnly
    toProgram = ByteQueue(capacity: backlog)
    fromProgram = ByteQueue(capacity: Self.blockSize)
    input.writing.makeNonBlocking()
    output.reading?.makeNonBlocking()
    child =
      switch program.launch {
      case .shell(let command):
        try ChildProcess(
          command: command, environment: environment, input: input.reading, output: output.writing)
      case .program(let path, let words, let reports):
        try ChildProcess(
          program: path, words.map { Pathname($0) }, environment: environment,
          input: input.reading, output: output.writing, errors: reports.descriptor)
      }
  }

  /// The bytes of one read.
  static var blockSize: Int { 1 << 16 }

  /// Writes and reads the possible bytes; the caller takes them from ``fromProgram`` and calls again.
  ///
  /// - Parameter isReading: whether to read.
  /// - Returns: whether anything moved.
  func exchange(isReading: Bool = true) throws(AudioError) -> Bool {
    let hasWritten = try write()
    return isReading ? try read() || hasWritten : hasWritten
  }

  /// Ends the program's input once all bytes are written.
  func endInput() {
    isInputEnding = true
    if toProgram.count == 0 { closeInput() }
  }

  /// Closes the program's output; the program gets an error at its next write.
  func closeOutput() {
    output?.close()
    output = nil
    isOutputEnded = true
  }

  /// Waits until a byte can move, for `milliseconds` at most.
  func wait(milliseconds: Int) {
    var requests: [pollfd] = []
    if let input, toProgram.count > 0 {
      requests.append(pollfd(fd: input.number, events: Int16(POLLOUT), revents: 0))
    }
    if let output {
      requests.append(pollfd(fd: output.number, events: Int16(POLLIN), revents: 0))
    }
    _ = unsafe poll(&requests, nfds_t(requests.count), Int32(milliseconds))
  }

  private func write() throws(AudioError) -> Bool {
    var hasMoved = false
    let queue = toProgram
    while let input, queue.count > 0 {
      switch try unsafe input.write(queue.bytes) {
      case .moved(let count):
        queue.consume(count)
        hasMoved = true
      case .wouldWait: return hasMoved
      case .ended:
        isInputRefused = true
        queue.consume(queue.count)
        closeInput()
        return true
      }
    }
    if isInputEnding { closeInput() }
    return hasMoved
  }

  private func read() throws(AudioError) -> Bool {
    guard let output else { return false }
    var hasMoved = true
    var hasEnded = false
    _ = try unsafe fromProgram.append { (target) throws(AudioError) in
      switch try unsafe output.read(into: target) {
      case .moved(let count): return count
      case .wouldWait: hasMoved = false
      case .ended: hasEnded = true
      }
      return 0
    }
    if hasEnded { closeOutput() }
    return hasMoved
  }

  /// Closes both directions; unwritten bytes are dropped.
  func close() {
    toProgram.consume(toProgram.count)
    closeInput()
    closeOutput()
  }

  private func closeInput() {
    input?.close()
    input = nil
  }
}
