// SPDX-License-Identifier: Apache-2.0
extension Metadata {
  /// Adapts the metadata to samples of another shape. Positions change to the new rate. Layouts of other channel counts
  /// and measurements of changed samples are dropped.
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

  /// Texts that describe the encoder of the old file.
  private static let ofEncoder: Set = ["ENCODER", "ENCODER_OPTIONS", "ENCODERSETTINGS"]

  /// The texts for re-encoded samples: without those that pieces state of the old encoder.
  var textsOfSound: Tags {
    let keys = Self.ofEncoder.filter { !tags[$0].isEmpty }
    guard !keys.isEmpty else { return tags }
    var texts = tags
    let stated = Metadata(interpreting: chunks).tags
    let old = keys.filter { tags[$0] == stated[$0] }
    texts.removeAll(where: old.contains)
    return texts
  }

  /// Without the texts that describe the encoder of the file.
  var withoutTextsOfEncoder: Metadata {
    var other = self
    other.tags.removeAll(where: Self.ofEncoder.contains)
    return other
  }
}
