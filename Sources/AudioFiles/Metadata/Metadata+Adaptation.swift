// SPDX-License-Identifier: Apache-2.0
extension Metadata {
  /// As it holds for samples of another shape: positions at its rate, no places of channels that are not there, and
  /// nothing that was measured of samples which are now others.
  func adapted(to format: StreamFormat, _ encoding: SampleEncoding) -> Metadata {
    var other = converted(to: format.sampleRate)
    if let channelCount, channelCount != format.channelCount {
      other.channelLayout = nil
      other.channelCount = format.channelCount
      other = other.withoutMeasurements
    }
    if other.isConverted { other = other.withoutMeasurements }
    let isEncodedAnew = self.encoding != nil && self.encoding != encoding
    if isEncodedAnew { other.dropDigests() }
    if isEncodedAnew || other.isConverted || other.channelCount != channelCount {
      other.dropForeignHeaders(because: "it is of a file of another format")
      other.restate(format, encoding)
    }
    return other
  }

  /// What of pieces describes the encoder that made their file. Another one makes the next.
  private static let ofEncoder: Set = ["ENCODER", "ENCODER_OPTIONS", "ENCODERSETTINGS"]

  /// The texts as they hold for samples that are encoded anew: without what pieces say of the encoder that made them.
  var textsOfSound: Tags {
    let keys = Self.ofEncoder.filter { !tags[$0].isEmpty }
    guard !keys.isEmpty else { return tags }
    var texts = tags
    let stated = Metadata(interpreting: chunks).tags
    let old = keys.filter { tags[$0] == stated[$0] }
    texts.removeAll(where: old.contains)
    return texts
  }

  /// Without the texts of the encoder that made the file.
  var withoutTextsOfEncoder: Metadata {
    var other = self
    other.tags.removeAll(where: Self.ofEncoder.contains)
    return other
  }
}
