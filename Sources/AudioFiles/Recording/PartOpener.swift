// SPDX-License-Identifier: Apache-2.0
/// Opens the parts of a stream: finds the next name, makes its folders, and makes the sink.
///
/// On the thread that writes.
final class PartOpener {
  /// Of the stream, and so of all parts.
  let format: StreamFormat
  /// Whether names that exist are passed over.
  private let goesOn: Bool
  private let makeSink: (String) -> SoundFileSink
  private let wakeup: Wakeup
  private let folders: PartFolders
  private var paths: PartPaths
  /// The parts so far, without those that were given back.
  private(set) var count = 0
  /// The quantiser of the last part, which the next one continues.
  var quantiser: Quantiser?
  /// The metadata that the parts do not carry, each only once.
  private(set) var metadataOmissions: [Metadata.Omission] = []

  init(
    _ names: PartNames, _ format: StreamFormat, goesOn: Bool, synchronizing: Bool,
    _ wakeup: Wakeup, making maker: @escaping (String) -> SoundFileSink
  ) {
    self.format = format
    self.goesOn = goesOn
    self.wakeup = wakeup
    makeSink = maker
    paths = PartPaths(names, goesOn: goesOn)
    folders = PartFolders(names.names, synchronizing: synchronizing)
  }

  /// Checks whether a part could be opened, without opening it.
  ///
  /// - Parameter second: of the part's name, in seconds since 1970.
  func check(at second: Int) throws(AudioError) {
    let path = try paths.next(at: second)
    guard try folders.check(for: path) else { return }
    let sink = makeSink(path)
    sink.destination.isNameGenerated = true
    try sink.checkLocation()
  }

  /// Opens the next part.
  ///
  /// - Parameters:
  ///   - position: the part's beginning in the stream, in samples per channel.
  ///   - time: of that position, in nanoseconds since 1970; nil if no clock is known.
  ///   - second: of the part's name, in seconds since 1970.
  func open(
    at position: Int64, time: Int64?, second: Int, _ metadata: Metadata?
  ) throws(AudioError) -> OpenedPart {
    var attempts = 0
    while true {
      let path = try paths.next(at: second)
      do {
        let (sink, made) = try openSink(path, metadata)
        paths.take(path)
        count += 1
        return OpenedPart(sink, path, at: position, time: time, namedAt: second, folders: made)
      } catch {
        // Another process took the name since it was looked up.
        attempts += 1
        guard goesOn, error.kind == .alreadyExists, attempts < 100 else { throw error }
        paths.avoid(path)
      }
    }
  }

  /// Removes an empty part, whose name is free again.
  func giveBack(_ part: OpenedPart) {
    part.dispose()
    paths.giveBack(part.path)
    count -= 1
  }

  private func openSink(
    _ path: String, _ metadata: Metadata?
  ) throws(AudioError) -> (SoundFileSink, folders: [Pathname]) {
    let sink = makeSink(path)
    sink.destination.isNameGenerated = true
    sink.options.inheritedQuantiser = quantiser
    sink.options.isPart = true
    if let metadata { sink.metadata = metadata }
    let made = try folders.make(for: path)
    do {
      let taken = try sink.initialize(proposing: format, wakeup: wakeup)
      metadataOmissions += sink.metadataOmissions.filter { !metadataOmissions.contains($0) }
      precondition(taken == format, "all parts have one format")
      try sink.start()
    } catch {
      sink.dispose()
      PartFolders.remove(made)
      throw error
    }
    return (sink, made)
  }
}
