#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Builds a package outside of the tree that depends on this one by a tag, where the headers of libsndfile and libasound are
# hidden, and runs it: an observer over a tone. Packages by a path, with files and a card, are those of guide.py.
set -euo pipefail
cd "$(dirname "$0")/.."

root=$PWD
results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT

# What is committed, under a version that there will never be.
git clone -q --bare "$root" "$results/rawaudio"
git -C "$results/rawaudio" -c user.name=outside -c user.email=outside@localhost tag 999.0.0
mkdir -p "$results/ByTag/Sources/ByTag"
cat > "$results/ByTag/Package.swift" <<END
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "ByTag",
  dependencies: [.package(url: "file://$results/rawaudio", exact: "999.0.0")],
  targets: [
    .executableTarget(name: "ByTag", dependencies: [.product(name: "AudioCore", package: "rawaudio")])
  ]
)
END
cat > "$results/ByTag/Sources/ByTag/main.swift" <<'END'
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
