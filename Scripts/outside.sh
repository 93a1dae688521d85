#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Builds two packages outside of the tree that depend on this one, and runs them: one by a tag, where the headers of
# libsndfile and libasound are hidden, with an observer over a tone; one by a path, with a file and a card.
set -euo pipefail
cd "$(dirname "$0")/.."

root=$PWD
results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT

# package NAME DEPENDENCY PRODUCT…: its program is read from standard input.
package() {
  local folder=$results/$1 products=
  for product in "${@:3}"; do products+=".product(name: \"$product\", package: \"rawaudio\"), "; done
  mkdir -p "$folder/Sources/$1"
  cat > "$folder/Package.swift" <<END
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "$1",
  dependencies: [$2],
  targets: [.executableTarget(name: "$1", dependencies: [$products])]
)
END
  cat > "$folder/Sources/$1/main.swift"
}

# What is committed, under a version that there will never be.
git clone -q --bare "$root" "$results/rawaudio"
git -C "$results/rawaudio" -c user.name=outside -c user.email=outside@localhost tag 999.0.0
package ByTag ".package(url: \"file://$results/rawaudio\", exact: \"999.0.0\")" AudioCore <<'END'
import AudioCore

final class Peak: RecordObserver {
  var peak: Float = 0
  var calls = 0

  func parameters(at position: ObservationPosition) -> FrameParameters {
    FrameParameters(sampleRate: 16_000, channelCount: 1, samplesPerCall: 160)
  }

  func record(_ frame: inout AudioFrame<Float>) -> Bool {
    for index in frame.samples.indices { peak = max(peak, abs(frame.samples[index])) }
    calls += 1
    return true
  }
}

let session = Session()
let peak = Peak()
try session.setLocal(ToneSource(frequency: 1_000, amplitude: 0.5, duration: .time(.seconds(1))))
try session.register(peak)
_ = try session.run()
print("\(peak.calls) calls, peak \((peak.peak * 1_000).rounded() / 1_000)")
END
# Root of its own mount namespace, where files lie above the headers.
hidden() {
  unshare --map-root-user --mount bash -euc '
    for header in /usr/include/sndfile.h /usr/include/alsa/asoundlib.h; do
      if [[ -e $header ]]; then mount --bind /dev/null "$header"; fi
    done
    export PKG_CONFIG_LIBDIR=/nonexistent
    exec "$@"' hidden "$@"
}
hidden swift run --quiet --package-path "$results/ByTag" ByTag > "$results/said"
diff <(echo "100 calls, peak 0.5") "$results/said"
echo "  checked: AudioCore by a tag, without libsndfile and libasound"

package ByPath ".package(name: \"rawaudio\", path: \"$root\")" AudioCore AudioFiles AudioDevices <<'END'
import AudioCore
import AudioDevices
import AudioFiles

/// Stores half a second of a source.
func store(_ source: any AudioSource, in path: String) throws {
  let session = Session()
  try session.setLocal(TrimmedSource(source, start: .samples(0), duration: .samples(24_000)))
  try session.setSink(.publish, SoundFileSink(path: path, format: FileFormat(.wav, .s16)))
  for sink in try session.run().sinks { print("\(path): \(sink.samplesPerChannel) samples per channel") }
}

try store(SoundFileSource(path: CommandLine.arguments[1]), in: "file.wav")
try store(AlsaSource(device: "card"), in: "card.wav")
END
cd "$results"
rawaudio() { "$root/.build/optimised-tests/release/rawaudio" "$@"; }
rawaudio convert tone:440 -d 2 -r 48000 -f s16 -o tone.wav -q
ALSA_CONFIG_PATH="$root/.build/virtual-card/virtual-card.conf" \
  swift run --quiet --package-path "$results/ByPath" ByPath tone.wav > said
diff <(printf '%s.wav: 24000 samples per channel\n' file card) said
cmp <(rawaudio convert file.wav -t raw -o -) <(rawaudio convert tone.wav -d 0.5 -t raw -o -)
echo "  checked: AudioFiles and AudioDevices by a path, a file and a card"
