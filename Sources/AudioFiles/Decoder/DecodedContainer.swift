// SPDX-License-Identifier: Apache-2.0
/// Containers that ffmpeg may decode, by the names of its demuxers: those that contain their sound themselves.
///
/// Every other demuxer stays closed. Some read files that a file only refers to (`hls`, `concat`, `dash`, `imf`,
/// `image2`), connect to a network (`sdp`, `rtsp`) or run a script (`avisynth`). A version of ffmpeg ignores names that
/// it does not know.
enum DecodedContainer {
  /// The options that let ffmpeg and ffprobe open only a file, and only by these demuxers.
  fileprivate static let limits = [
    "-protocol_whitelist", "file", "-format_whitelist", names.joined(separator: ","),
  ]

  static func input(_ path: String, _ demuxer: String) -> [Pathname] {
    // Some pictures have no time stamps there, without which no container but AVI takes them.
    let times = ["avi", "mpeg"].contains(demuxer) ? ["-fflags", "+genpts"] : []
    return (limits + times + ["-f", demuxer, "-i"]).map { Pathname($0) } + [url(of: path)]
  }

  /// A path that ffmpeg takes neither for an option nor for an address.
  fileprivate static func url(of path: String) -> Pathname {
    Pathname(bytes: Array("file:".utf8) + Pathname(path).bytes)
  }

  /// ffmpeg's own name of a demuxer, as its option `-f` takes it.
  ///
  /// - Parameter formatName: ffprobe's name of the container: one, or several with commas, as in
  ///   `mov,mp4,m4a,3gp,3g2,mj2`.
  /// - Returns: nil if the container is not listed here.
  static func demuxer(_ formatName: String) -> String? {
    let all = formatName.split(separator: ",").map(String.init)
    return all.contains { known.contains($0) } ? all.first : nil
  }

  /// Demuxers that only follow references to other files.
  static let lists: Set<String> = ["concat", "dash", "hls", "imf", "webm_dash_manifest"]

  private static let known = Set(names)

  /// Source: the demuxers of ffmpeg 5.1 to 7.1 (libavformat/allformats.c) that have sound, recognise their files by the
  /// content, and open no second one.
  private static let names = """
    3dostr 4xm aac ac3 ac4 acm act adp ads adx aea afc aiff aix alp amr amrnb amrwb ape apm argo_asf asf asf_o ast au \
    avi avr bfstm boa brstm caf codec2 dcstr derf dsf dsicin dss dts dtshd dv dxa ea eac3 epaf flac flv fsb fwse gxf \
    hca hcom iamf idcin iff ifv ilbc ircam iss kux live_flv lmlm4 loas luodat lvf lxf matroska mca mlp mm mmf mods mov \
    mp3 mpc mpc8 mpeg mpegts msf mtaf musx mv mxf mxg nistsphere nsp nsv nut nuv ogg oma osq paf pp_bnk pva pvf qcp \
    qoa r3d rka rl2 rm roq rpl rsd rso sbc scd sdns sdr2 sds sdx sga shn siff smjpeg smk smush sol sox svag svs swf \
    tak thp tiertexseq tmv truehd tta txd vag vividas vivo vmd voc vpk vqf w64 wady wav wavarc wc3movie wsaud wsd \
    wsvqa wtv wv wve xa xmd xmv xvag xwma yop
    """.split(separator: " ").map(String.init)
}

extension CommandOutput {
  init(
    ofProbe options: [String], _ path: String, atMost limit: Int = Self.mostBytes, wakeup: Wakeup?
  ) throws(AudioError) {
    let words = ["-v", "error"] + DecodedContainer.limits + options
    try self.init(
      of: FFmpeg.probe, words.map { Pathname($0) } + [DecodedContainer.url(of: path)],
      atMost: limit, wakeup: wakeup)
  }
}
