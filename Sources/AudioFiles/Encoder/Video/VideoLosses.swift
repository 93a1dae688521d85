// SPDX-License-Identifier: Apache-2.0
/// The content of a video that the written one lacks, outside the replaced sound.
///
/// The written file is read again: ffmpeg drops what a container has no place for without a word.
struct VideoLosses {
  let target: VideoTarget
  let written: VideoContent
  /// Of the new sound.
  let tags: Metadata.Tags

  /// Texts of the container that the written file lacks, outside those that measure the former sound.
  var texts: [VideoContent.Text] {
    target.content.texts.filter { text in
      !DecodedTexts.isTechnical(text) && !target.isObsolete(text, tags)
        && !written.texts.holds(text)
    }
  }

  /// - Parameter container: its name for users.
  func omissions(in container: String) -> [Metadata.Omission] {
    let reason = "ffmpeg does not write it into \(container)"
    var omissions: [Metadata.Omission] = []
    func lost(_ names: [String], _ noun: String, of place: String = "") {
      guard !names.isEmpty else { return }
      let noun = noun.isEmpty || names.count == 1 ? noun : noun + "s"
      let list = names.joined(separator: ", ")
      omissions.append(
        .init(noun.isEmpty ? list + place : "\(noun) \(list)\(place)", because: reason))
    }
    lost(missingStreams.map(\.title), "")
    lost(texts.map(\.name), "tag")
    for (stream, other) in pairs {
      let place = " of stream \(stream.index)"
      lost(lostTexts(of: stream, in: other), "tag", of: place)
      lost(stream.dispositions.filter { !other.dispositions.contains($0) }, "flag", of: place)
      lost(lostSideData(of: stream, in: other), "", of: place)
    }
    let chapters = target.content.chapterCount - written.chapterCount
    if chapters > 0 {
      omissions.append(
        .init(chapters == 1 ? "chapter" : "\(chapters) chapters", because: reason))
    }
    let obsolete = target.content.texts.filter { target.isObsolete($0, tags) }.map(\.name)
    if !obsolete.isEmpty {
      omissions.append(
        .init(
          "tag\(obsolete.count == 1 ? "" : "s") \(obsolete.joined(separator: ", "))",
          because: "of the former sound"))
    }
    return omissions
  }

  /// Without the titles of chapters, which ffmpeg writes anew.
  private var writtenStreams: [VideoContent.Stream] {
    written.streams.filter { !$0.isChapterTitles }
  }

  /// The streams that are in both files, with their counterparts.
  private var pairs: [(stream: VideoContent.Stream, other: VideoContent.Stream)] {
    zip(target.places, writtenStreams).compactMap { place, other in
      (place ?? target.sound).map { ($0, other) }
    }
  }

  private var missingStreams: [VideoContent.Stream] {
    // The writer makes some itself, such as the track of a time code.
    var others = writtenStreams.dropFirst(target.places.count)
    let copied = target.places.prefix(writtenStreams.count).compactMap { $0?.index }
    return target.content.streams.filter { stream in
      guard !stream.isChapterTitles, stream.index != target.sound?.index,
        !copied.contains(stream.index)
      else { return false }
      guard let same = others.firstIndex(where: { stream.isWritten(as: $0) }) else { return true }
      others.remove(at: same)
      return false
    }
  }

  private func lostTexts(
    of stream: VideoContent.Stream, in other: VideoContent.Stream
  ) -> [String] {
    let isSound = stream.index == target.sound?.index
    // A container of another family has one time for all streams.
    let hasTimes = target.content.demuxer == written.demuxer
    return stream.texts.filter { text in
      !DecodedTexts.isTechnical(text) && (hasTimes || text.name != "creation_time")
        && !(isSound && target.isObsolete(text, tags)) && !other.texts.holds(text)
    }.map(\.name)
  }

  private func lostSideData(
    of stream: VideoContent.Stream, in other: VideoContent.Stream
  ) -> [String] {
    guard stream.index != target.sound?.index else { return [] }
    return stream.sideData.filter {
      !Self.derivedSideData.contains($0) && !other.sideData.contains($0)
    }
  }

  /// ffmpeg makes these from tags and from the rate of the bits.
  private static let derivedSideData: Set = ["Replay Gain", "CPB properties"]
}

extension VideoContent.Stream {
  /// The stream in words: `stream 3 (subtitle, webvtt)`.
  fileprivate var title: String {
    let name = texts.first { $0.name.lowercased() == "filename" }?.value
    let format = codec.isEmpty && !tag.hasPrefix("[") ? tag : codec
    return
      "stream \(index) (\([kind, name ?? format].filter { !$0.isEmpty }.joined(separator: ", ")))"
  }
}

extension [VideoContent.Text] {
  /// Whether a text of that name and value is among these. Names differ in case between containers, and MP4 repeats a
  /// text with a language behind its name. Some containers store times in whole seconds.
  func holds(_ text: VideoContent.Text) -> Bool {
    let name = text.name.lowercased()
    let bare = name.dropLast(4) + "-"
    let isTime = name == "creation_time"
    return contains { other in
      let otherName = other.name.lowercased()
      guard otherName == name || name.hasPrefix(bare) && otherName == name.dropLast(4) else {
        return false
      }
      return other.value == text.value || isTime && other.value.prefix(19) == text.value.prefix(19)
    }
  }
}
