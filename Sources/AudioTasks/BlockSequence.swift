// SPDX-License-Identifier: Apache-2.0
extension AudioSource {
  /// Returns the samples of the source as an asynchronous sequence of owned blocks.
  ///
  /// ```swift
  /// let shape = FrameParameters(sampleRate: 16_000, channelCount: 1, interval: .milliseconds(100))
  /// for try await block in FileSource(path: path).blocks(as: shape) { recognise(block.samples) }
  /// ```
  ///
  /// The loop begins a session on a thread of its own, which reads at most 100 blocks ahead; the last block may be
  /// shorter. Leaving the loop and cancelling its task end the session. A live source never waits: blocks that the loop
  /// does not take in time are dropped, and counted in the next one's ``AudioFrameCopy/droppedFrames``.
  ///
  /// The source belongs to the sequence from now on.
  ///
  /// - Parameters:
  ///   - parameters: the shape of the blocks.
  ///   - type: the sample type.
  public func blocks<Sample: FrameSample>(
    as parameters: FrameParameters = FrameParameters(), of type: Sample.Type = Float.self
  ) -> BlockSequence<Sample> {
    BlockSequence(self, parameters)
  }
}

/// The samples of a source in owned blocks, for one iteration in a task; see ``AudioSource/blocks(as:of:)``.
public struct BlockSequence<Sample: FrameSample>: AsyncSequence {
  public typealias Element = AudioFrameCopy<Sample>
  public typealias Failure = AudioError

  private let source: any AudioSource
  private let parameters: FrameParameters

  init(_ source: any AudioSource, _ parameters: FrameParameters) {
    self.source = source
    self.parameters = parameters
  }

  public func makeAsyncIterator() -> Iterator { Iterator(source, parameters) }

  /// Takes the blocks one by one.
  public struct Iterator: AsyncIteratorProtocol {
    private let source: any AudioSource
    private let parameters: FrameParameters
    private var reading: Reading<Sample>?

    fileprivate init(_ source: any AudioSource, _ parameters: FrameParameters) {
      self.source = source
      self.parameters = parameters
    }

    /// Returns the next block; nil behind the last one, or if the task is cancelled.
    ///
    /// - Throws: the errors of `Session.run()`, behind the blocks in front of the failure.
    public mutating func next() async throws(AudioError) -> AudioFrameCopy<Sample>? {
      try await next(isolation: nil)
    }

    /// Returns the next block; nil behind the last one, or if the task is cancelled.
    ///
    /// - Throws: the errors of `Session.run()`, behind the blocks in front of the failure.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(AudioError) -> AudioFrameCopy<Sample>? {
      let reading = reading ?? Reading(source, parameters)
      self.reading = reading
      return try await reading.next(isolation: actor)
    }
  }
}

/// A session that reads a source for one iteration.
private final class Reading<Sample: FrameSample> {
  private let reader: QueueReader<AudioFrameCopy<Sample>>
  private let session: Task<AudioError?, Never>

  init(_ source: any AudioSource, _ parameters: FrameParameters) {
    let queue = HandoverQueue<AudioFrameCopy<Sample>>(capacity: 100)
    let control = SessionControl()
    reader = QueueReader(Subscription(queue) { control.requestStop(.abandon) })
    // The sequence was given the source, and uses it nowhere else.
    nonisolated(unsafe) let source = source
    session = Task.detached {
      do throws(AudioError) {
        try await Session.run(control: control) { session in
          try unsafe session.setLocal(source)
          try session.register(QueueingObserver(.record, parameters, queue))
        }
        return nil
      } catch {
        queue.end()
        return error
      }
    }
  }

  func next(
    isolation actor: isolated (any Actor)?
  ) async throws(AudioError) -> AudioFrameCopy<Sample>? {
    if let block = await reader.subscription.next(isolation: actor) { return block }
    if let error = await session.value { throw error }
    return nil
  }
}
