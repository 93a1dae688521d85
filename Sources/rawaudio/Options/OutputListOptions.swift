// SPDX-License-Identifier: Apache-2.0
internal import AudioFiles
internal import AudioCore

/// The names of a list's outputs, and the handling of existing ones.
struct OutputListRequest: Sendable, Equatable {
  enum Names: Sendable, Equatable {
    /// The output of the only source, or a sink that discards all samples.
    case sink(SinkEndpoint)
    /// Drops the given number of leading folders of every source.
    case pattern(OutputPattern, below: Int)
    /// The list names each output.
    case list
  }

  var names: Names
  var existing: ExistingOutput
}

extension WorkListRequest {
  /// The fields of its outputs' names. Nil if its entries have fields of their own.
  var fields: [String]? {
    guard arguments != nil else { return nil }
    switch pieces {
    case nil: return OutputPattern.ofSources
    case .marks, .mark: return OutputPattern.ofSources + ["label"]
    case .table: return nil
    }
  }
}

/// The options of commands that write a file for each source.
struct OutputListOptions {
  var output = OutputOptions()
  @Option(
    "existing", .choice(name: "what"),
    default: "fail", group: .output,
    help: "What to do if an output exists: fail, skip its source, or replace it.")
  var existing: ExistingOutput

  /// - Parameter naming: the parts of each source.
  func request(
    for list: WorkListRequest, by naming: OutputNaming
  ) throws(UsageError) -> OutputListRequest {
    OutputListRequest(
      names: try names(of: list, by: naming),
      existing: try existing.settled($existing, output.$overwrites))
  }

  private func names(
    of list: WorkListRequest, by naming: OutputNaming
  ) throws(UsageError) -> OutputListRequest.Names {
    let label = output.$sink.label
    let sources = list.arguments
    // One mark of one source has one output.
    let isWhole = list.pieces?.isOnePiece ?? true
    switch output.sink {
    case nil:
      guard let sources, isWhole else { return .list }
      let meant =
        sources.count == 2 ? "; if '\(sources[1])' is the output, say -o in front of it" : ""
      throw UsageError(
        "Several sources need '\(label)' with a pattern, for example -o 'out/{stem}.wav'\(meant)")
    case let sink? where sink.discards: return .sink(sink)
    case .standardOutput?, .end?:
      throw UsageError(
        "Several sources go to files; name them with '\(label)', for example -o 'out/{stem}.wav'")
    case .file(let path)?:
      return try OutputListRequest.Names(path, for: list, of: output.$sink, by: naming)
    }
  }
}

extension WorkListRequest {
  /// The request without the outputs as sources, if a folder among the sources holds them.
  func leavingOut(_ names: OutputListRequest.Names) -> WorkListRequest {
    guard var sources = folders, case .pattern(let pattern, _) = names,
      pattern.names.fixedFolders > 0, case .text(let beginning)? = pattern.names.pieces.first
    else { return self }
    sources.outputs = Pathname(beginning).directory.text
    var request = self
    request.origin = .folders(sources)
    return request
  }
}

extension OutputListRequest.Names {
  /// The names by the value of an option: a path of the only source, or a pattern.
  ///
  /// - Parameters:
  ///   - path: the value.
  ///   - naming: the parts of each source.
  ///   - end: the end of the names in an example.
  init(
    _ path: String, for list: WorkListRequest, of option: Declaration,
    by naming: OutputNaming = OutputNaming(liveness: .none), example end: String = "wav"
  ) throws(UsageError) {
    var sources: [String]?
    if case .arguments(let paths) = list.origin { sources = paths }
    // One mark of one source has one output.
    let isWhole = list.pieces?.isOnePiece ?? true
    let namesParts = naming.parts == .always
    if sources?.count == 1, isWhole, namesParts ? !path.hasBrace : !OutputPattern.isNamed(path) {
      self = .sink(.file(path))
      return
    }
    let pattern: OutputPattern
    do throws(InvalidValue) {
      pattern = try OutputPattern(path, fields: list.fields, keeping: naming.later)
    } catch {
      throw UsageError(invalid: path, for: option, because: error.reason)
    }
    guard sources?.count == 1 && isWhole || pattern.tellsSourcesApart(namesParts: namesParts) else {
      let name = "\(list.folders == nil ? "" : "{path}/"){stem}\(isWhole ? "" : "-{nnn}").\(end)"
      throw UsageError(
        "Several \(isWhole ? "sources" : "pieces") cannot all go to '\(path)'; a pattern gives each its own, for"
          + " example -o 'out/\(name)'")
    }
    guard let sources else {
      // The files of folders are not known yet.
      self = .pattern(
        pattern, below: ListedFile.sharedFolders(of: list.folders?.places ?? []))
      return
    }
    let shared = ListedFile.sharedFolders(of: sources)
    // The label of a mark is in its file.
    let isKnown = list.pieces == nil || pattern.names.textKeys.isEmpty
    if isWhole, isKnown, namesParts || !pattern.names.hasTime {
      try Self.check(pattern, below: shared, for: sources, namesParts)
    }
    self = .pattern(pattern, below: shared)
  }

  /// - Throws: if two sources share an output, or a source has none.
  private static func check(
    _ pattern: OutputPattern, below shared: Int, for sources: [String], _ namesParts: Bool
  ) throws(UsageError) {
    var taken: [String: String] = [:]
    for (index, source) in sources.enumerated() {
      let output: String
      do throws(AudioError) {
        output = try ListedFile(source, number: index + 1)
          .output(by: pattern, below: shared, namesParts: namesParts)
      } catch {
        throw UsageError("'\(source)': \(error.reason)")
      }
      if let other = taken.updateValue(source, forKey: output) {
        throw UsageError(
          "'\(other)' and '\(source)' have the same output, '\(output)'; tell them apart with {path} or {n}"
        )
      }
    }
  }
}
