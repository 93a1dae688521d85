// SPDX-License-Identifier: Apache-2.0
extension Metadata {
  /// What of pieces describes the encoder that made their file. Another one makes the next.
  private static let ofEncoder: Set = ["ENCODER", "ENCODER_OPTIONS", "ENCODERSETTINGS"]

  /// The texts as they hold for samples that are encoded anew: without what pieces say of the encoder that made them.
  var textsOfSound: Tags {
    let keys = Self.ofEncoder.filter { !tags[$0].isEmpty }
    guard !keys.isEmpty else { return tags }
    var texts = tags
    let stated = Metadata(interpreting: chunks).tags
    for key in keys where tags[key] == stated[key] { texts[key] = [] }
    return texts
  }
}
