// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

/// The values of the fields in the name of one output.
struct OutputNaming {
  enum Parts {
    case none
    /// A name with a number or a time is that of parts, as of a device's recording.
    case ofPattern
    case always
  }

  /// The source of the fields' values. Nil = none.
  var item: ListedFile?
  var fields: [String] = []
  /// The fields that stay until the streams are known.
  var later: [String] = []
  var parts: Parts
  /// Whether the folders in front of the first field are made, too: not for a recording, whose disk may be missing.
  var makesFolders: Bool
  var civilTime = CivilTime.local
  /// Returns the time at which the output begins, in seconds since 1970.
  var time: () -> Int = { RecordingClock.Moment.now.seconds }

  init(liveness: Liveness) {
    parts = liveness == .live ? .ofPattern : .none
    makesFolders = liveness != .live
  }

  /// The naming after the first of some sources.
  func after(_ source: SourceEndpoint?) -> OutputNaming {
    var naming = self
    naming.fields = OutputPattern.ofSources
    naming.item = ListedFile(source?.filePath ?? "", number: 1)
    return naming
  }
}

extension OutputPlan {
  /// Fills in the fields of the output's name, if it is a pattern: it has a brace, or a number that is not that of parts.
  mutating func name(by naming: OutputNaming, for option: Declaration) throws(UsageError) {
    guard let path = sink.ownPath else { return }
    if let named = try naming.name(path, for: option) {
      (sink, folders, isNameGenerated) = (.file(named.text), named.folders, true)
    } else if naming.makesFolders, naming.parts != .none, sink.partNames(in: .utc) != nil {
      folders = PartFolders(fixedFolders: 0)
    }
  }
}

extension OutputNaming {
  /// Fills in the fields of a name, if it is a pattern.
  ///
  /// - Returns: the name and its folders. Nil if it is none.
  func name(
    _ path: String, for option: Declaration
  ) throws(UsageError) -> (text: String, folders: PartFolders)? {
    guard parts == .none ? OutputPattern.isNamed(path) : path.hasBrace else { return nil }
    do throws(InvalidValue) {
      let pattern = try OutputPattern(path, fields: fields, keeping: later)
      let below = item.map { ListedFile.sharedFolders(of: [$0.source]) } ?? 0
      let filled = try pattern.filled { item?.value(of: $0, below: below) }
      if parts == .always, !pattern.names.varies {
        throw InvalidValue(
          "all parts would have the same name: {n} counts sources; put %03d into it for the part's number, or %H%M%S"
            + " for the time")
      }
      let text = filled.output(
        namesParts: parts == .always || parts == .ofPattern && pattern.names.varies, number: 0,
        in: civilTime, at: time)
      let typed = pattern.names.fixedFolders
      return (text, PartFolders(fixedFolders: makesFolders ? 0 : typed, typedFolders: typed))
    } catch {
      throw UsageError(invalid: path, for: option, because: error.reason)
    }
  }
}
