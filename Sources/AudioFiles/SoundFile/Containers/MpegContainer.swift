// SPDX-License-Identifier: Apache-2.0
internal import CSndfile

extension Container {
  /// MPEG audio without a container.
  public static let mp3 = Container(
    "mp3",
    ContainerRow(
      SF_FORMAT_MPEG, title: "MPEG audio", otherNames: ["mp1", "mp2", "mpeg"], isUsual: true,
      packed: SampleEncoding.allCases, streaming: .all(except: nil), isFrames: true,
      rates: [8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000],
      metadata: .mpeg,
      // libsndfile only estimates it.
      settle: { file, _ in file.samplesPerChannel = nil }))
}

extension MetadataShape {
  static let mpeg = MetadataShape(
    name: "MP3", places: [.texts: "frames of ID3v2.4", .pictures: "`APIC`"],
    family: { _ in .id3 }, isFramed: true, collect: { _, _, _ in ([], []) },
    compose: { written, request in
      let composition = ID3Composition(request.metadata, isStream: !request.isPatchable)
      written.front = composition.front
      written.behind = composition.behind
      written.omissions += composition.omissions
    })
}
