// SPDX-License-Identifier: Apache-2.0
import AudioStreams

/// From one channel count to another.
func channelRows(_ stopwatch: Stopwatch) throws(AudioError) -> [Row] {
  var rows: [Row] = []
  for (from, to) in [(1, 2), (2, 1), (6, 2)] {
    let conversion = Conversion(
      input: try StreamFormat(sampleRate: 48_000, channelCount: from),
      output: try StreamFormat(sampleRate: 48_000, channelCount: to))
    rows.append(
      Row(
        name: "channels \(from) → \(to)", float: try conversion.time(.s16, stopwatch),
        double: try conversion.time(.s32, stopwatch)))
  }
  return rows
}

/// From one rate to another. At `best` a session always computes in double precision.
func resamplerRows(_ stopwatch: Stopwatch) throws(AudioError) -> [Row] {
  var rows: [Row] = []
  for (from, to) in [(44_100, 48_000), (48_000, 16_000), (44_100, 47_999)] {
    for channelCount in [1, 2] {
      for quality in [ResamplerQuality.fast, .high, .best] {
        let conversion = Conversion(
          input: try StreamFormat(sampleRate: from, channelCount: channelCount),
          output: try StreamFormat(sampleRate: to, channelCount: channelCount),
          quality: quality)
        let name = "resample \(from) → \(to), \(channelCount == 1 ? "mono" : "stereo")"
        rows.append(
          Row(
            name: "\(name), \(quality)",
            float: quality == .best ? nil : try conversion.time(.s16, stopwatch),
            double: try conversion.time(.s32, stopwatch)))
      }
    }
  }
  return rows
}
