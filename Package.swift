// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

let strict: [SwiftSetting] = [
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableExperimentalFeature("Lifetimes"),
]

// `make test` builds the tests in release mode, but to optimise them, too, takes longer than they run.
let tests = strict + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

// One file each, in a folder of its name.
let examples = [
  "HallVoices", "HostPlayback", "MeetingTracks", "MutedMicrophone", "NoiseGate", "OwnVoice",
  "PushTone", "RenderedTone", "SpeechLevel", "TaskLevels", "VoiceBridge",
]

let package = Package(
  name: "rawaudio",
  products: [
    .library(name: "AudioCore", targets: ["AudioCore"]),
    .executable(name: "rawaudio", targets: ["rawaudio"]),
  ],
  targets: [
    .systemLibrary(name: "CSndfile", pkgConfig: "sndfile", providers: [.apt(["libsndfile1-dev"])]),
    .systemLibrary(name: "CALSA", pkgConfig: "alsa", providers: [.apt(["libasound2-dev"])]),
    .systemLibrary(name: "CMD5", pkgConfig: "libmd", providers: [.apt(["libmd-dev"])]),
    // Only its header: the library is loaded when a picture is drawn.
    .systemLibrary(name: "CPNG", providers: [.apt(["libpng-dev"])]),
    .systemLibrary(name: "CLinux"),
    // What the loudness is compared with, by tests only.
    .systemLibrary(name: "CEBUR128", path: "Tests/CEBUR128"),
    .target(
      name: "AudioCore", dependencies: ["CSndfile", "CALSA", "CMD5", "CPNG", "CLinux"],
      swiftSettings: strict),
    .executableTarget(
      name: "rawaudio", dependencies: ["AudioCore", "CLinux"], swiftSettings: strict),
    .target(
      name: "TestProcess", dependencies: ["CLinux"], path: "Tests/TestProcess",
      swiftSettings: strict),
    .testTarget(
      name: "AudioCoreTests", dependencies: ["AudioCore", "TestProcess", "CSndfile", "CEBUR128"],
      swiftSettings: tests),
    .testTarget(
      name: "CommandTests",
      dependencies: ["AudioCore", "rawaudio", "TestProcess", "CSndfile", "CLinux"],
      swiftSettings: tests),
    .executableTarget(
      name: "KernelBenchmarks", dependencies: ["AudioCore"], path: "Benchmarks/Kernels",
      swiftSettings: strict),
  ]
    + examples.map { name in
      .executableTarget(
        name: name, dependencies: ["AudioCore"], path: "Examples/\(name)",
        swiftSettings: [.treatAllWarnings(as: .error)])
    },
  swiftLanguageModes: [.v6]
)
