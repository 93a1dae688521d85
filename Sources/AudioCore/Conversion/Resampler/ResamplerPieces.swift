/// Output samples of a rate conversion that are computed ahead, several pieces at a time, and handed on
/// in their order.
final class ResamplerPieces<Sample: AudioSample> {
  private let crew: WorkCrew
  private let filter: ResamplerFilter<Sample>
  private let channelCount: Int
  /// Those handed out, in order.
  private var pieces: [Piece] = []
  private var idle: [Piece] = []
  private var begun = 0

  /// Pieces that the session thread does itself before anybody is asked to help: a short stream is done
  /// before a thread has started.
  private static var ownPieces: Int { 2 }

  init(_ filter: ResamplerFilter<Sample>, channelCount: Int, _ crew: WorkCrew) {
    self.filter = filter
    self.channelCount = channelCount
    self.crew = crew
  }

  /// Begins to compute `outputs`; `samples` are copied.
  func add(
    _ outputs: Range<Int64>, from samples: Span<Sample>, startingAt start: Int64,
    into output: SampleQueue<Sample>
  ) {
    let piece = idle.popLast() ?? Piece(filter, channelCount)
    piece.begin(outputs, from: samples, startingAt: start)
    pieces.append(piece)
    begun += 1
    if begun <= Self.ownPieces { piece.work.run() } else { crew.add(piece.work) }
    while let first = pieces.first, first.work.isDone || pieces.count >= crew.usefulPieces {
      handOn(first, into: output)
    }
  }

  /// Appends everything that was begun.
  func finish(into output: SampleQueue<Sample>) {
    while let first = pieces.first { handOn(first, into: output) }
  }

  private func handOn(_ piece: Piece, into output: SampleQueue<Sample>) {
    crew.finish(piece.work)
    let result = piece.result
    output.append(result.readable)
    pieces.removeFirst()
    idle.append(piece)
  }

  private final class Piece {
    let result: SampleQueue<Sample>
    let work: WorkPiece
    private let task: Task

    /// What the piece is computed from; apart, so that the work does not keep the piece alive.
    private final class Task {
      let input = SampleQueue<Sample>()
      let result = SampleQueue<Sample>()
      let convolution: any Convolution<Sample>
      let channelCount: Int
      var outputs: Range<Int64> = 0..<0
      var start: Int64 = 0

      init(_ filter: ResamplerFilter<Sample>, _ channelCount: Int) {
        convolution = filter.convolution(channelCount: channelCount)
        self.channelCount = channelCount
      }

      func run() {
        let input = input
        convolution.append(
          outputs, from: input.readable, startingAt: start, channelCount: channelCount, to: result)
      }
    }

    init(_ filter: ResamplerFilter<Sample>, _ channelCount: Int) {
      let task = Task(filter, channelCount)
      self.task = task
      result = task.result
      work = WorkPiece { task.run() }
    }

    func begin(_ outputs: Range<Int64>, from samples: Span<Sample>, startingAt start: Int64) {
      task.input.removeAll()
      task.input.append(samples)
      task.result.removeAll()
      task.outputs = outputs
      task.start = start
      work.reset()
    }
  }
}
