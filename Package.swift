// swift-tools-version: 6.3
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

let warnings: [SwiftSetting] = [.treatAllWarnings(as: .error)]

let language: [SwiftSetting] =
  warnings + [
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableExperimentalFeature("Lifetimes"),
  ]

// An expression that needs more attempts of the type checker than the Makefile allows is an error. Tests are free of this
// limit, because a macro makes their expressions.
let closed: [SwiftSetting] =
  language
  + (Context.environment["RAWAUDIO_SOLVER_SCOPES"].map {
    [.unsafeFlags(["-Xfrontend", "-solver-scope-threshold=\($0)"])]
  } ?? [])

// `make` compiles the library once, for the program and for the tests, which call its internal functions; the linker leaves
// unused ones out of the program. The kernels stay closed: their loops are made for the types of samples only.
let strict =
  closed
  + (Context.environment["RAWAUDIO_TESTABLE"] == nil ? [] : [.unsafeFlags(["-enable-testing"])])

// `make test` builds the tests in release mode, with the objects of the program, but to optimise them, too, takes longer
// than they run. An interface is made with its module's code: if it is made first, a test module takes a fifth more time to
// compile.
let tests =
  language
  + [
    .unsafeFlags(["-Onone", "-no-emit-module-separately-wmo"], .when(configuration: .release))
  ]

// A test bundle that is a build of its own, as for arm64, leaves targets with few loops over samples unoptimised, too.
let plain = Context.environment["RAWAUDIO_TEST_BUNDLE"] == nil ? strict : tests

// The Makefile links its programs with Swift's own libraries in them. `swift build --static-swift-stdlib` would compile for
// that, too, and then the tests could not use the same objects: Swift Testing is a shared library only.
let linking: [LinkerSetting] =
  Context.environment["RAWAUDIO_STATIC"] == nil ? [] : [.unsafeFlags(["-static-stdlib"])]

let library: [Target.Dependency] = [
  "AudioCore", "AudioFiles", "AudioDevices", "AudioJack", "AudioNetwork", "AudioPictures",
  "AudioPrograms",
  "AudioTasks",
  "AudioFoundation",
]

// A debug build compiles file by file, but the kernels are generic across files. The compiler specialises them, and proves
// that they neither allocate nor lock, only if it sees the whole module. Without optimisation they take 30 times as long.
let kernels =
  closed
  + [
    .unsafeFlags(
      ["-O", "-wmo", "-num-threads", "1", "-disable-batch-mode"], .when(configuration: .debug))
  ]

// The kernels once more for newer processors, of which KernelTable.current chooses (docs/architecture/kernels.md). Their folders
// are links to that of the first copy.
#if arch(x86_64)
// 64 bytes are one register, not two: the compiler would be careful with them, for the sake of early processors.
let wholeRegisters = ["-target-feature", "-prefer-256-bit"].flatMap {
  ["-Xcc", "-Xclang", "-Xcc", $0]
}
// `make arm64` sets RAWAUDIO_MACHINE, because it builds for another machine than this manifest runs on.
let levels =
  Context.environment["RAWAUDIO_MACHINE"] == nil ? [("V3", []), ("V4", wholeRegisters)] : []
let kernelCopies = levels.map { level, others in
  Target.target(
    name: "AudioKernels\(level)", dependencies: ["CLinux"],
    swiftSettings: kernels + [
      .unsafeFlags(["-Xcc", "-march=x86-64-\(level.lowercased())"] + others)
    ])
}
#else
let kernelCopies: [Target] = []
#endif

/// The tests of a target, with what else of the package they use.
func libraryTests(_ target: String, with others: [Target.Dependency] = []) -> Target {
  .testTarget(
    name: "\(target)Tests",
    dependencies: [.byName(name: target), "TestSupport", "TestProcess"] + others,
    swiftSettings: tests)
}

// One file each, in a folder of its name.
let examples = [
  "ActorMeter", "HallVoices", "HostPlayback", "MeetingTracks", "MutedMicrophone", "NoiseGate",
  "OwnVoice",
  "PushTone", "RenderedTone", "SpeechLevel", "TaskLevels", "VoiceBridge",
]

let targets: [Target] = [
  .systemLibrary(name: "CSndfile", pkgConfig: "sndfile", providers: [.apt(["libsndfile1-dev"])]),
  .systemLibrary(name: "CALSA", pkgConfig: "alsa", providers: [.apt(["libasound2-dev"])]),
  .systemLibrary(name: "CMD5", pkgConfig: "libmd", providers: [.apt(["libmd-dev"])]),
  .systemLibrary(name: "CJACK", pkgConfig: "jack", providers: [.apt(["libjack-jackd2-dev"])]),
  // Only its header: the library is loaded when a picture is drawn.
  .systemLibrary(name: "CPNG", providers: [.apt(["libpng-dev"])]),
  // Only its header: the library is loaded when echo is cancelled.
  .systemLibrary(name: "CSpeexDSP", providers: [.apt(["libspeexdsp-dev"])]),
  .systemLibrary(
    name: "CLilv", pkgConfig: "lilv-0", providers: [.apt(["liblilv-dev", "lv2-dev"])]),
  // Only its header: LADSPA is nothing else.
  .systemLibrary(name: "CLADSPA", providers: [.apt(["ladspa-sdk"])]),
  .systemLibrary(name: "CLinux"),
  // Tests compare the loudness with it.
  .systemLibrary(name: "CEBUR128", path: "Tests/CEBUR128"),
  // From the bottom up; docs/architecture.md draws them.
  .target(name: "AudioKernels", dependencies: ["CLinux"], swiftSettings: kernels),
  .target(
    name: "AudioStreams",
    dependencies: ["AudioKernels", "CLinux"] + kernelCopies.map { .byName(name: $0.name) },
    swiftSettings: strict),
  .target(
    name: "AudioFiles",
    dependencies: ["AudioStreams", "CSndfile", "CMD5", "CLinux"],
    swiftSettings: plain),
  .target(
    name: "AudioCore", dependencies: ["AudioStreams", "CLinux"],
    swiftSettings: strict),
  .target(
    name: "AudioDevices", dependencies: ["AudioStreams", "CALSA", "CLinux"],
    swiftSettings: plain),
  .target(
    name: "AudioJack", dependencies: ["AudioStreams", "CJACK", "CLinux"],
    swiftSettings: plain),
  .target(
    name: "AudioNetwork", dependencies: ["AudioStreams", "CLinux", "CMD5"],
    swiftSettings: strict),
  .target(
    name: "AudioPictures", dependencies: ["AudioStreams", "CPNG", "CLinux"],
    swiftSettings: strict),
  .target(
    name: "AudioPrograms", dependencies: ["AudioCore", "CLinux"],
    swiftSettings: plain),
  .target(
    name: "AudioPlugins", dependencies: ["AudioPrograms", "CLilv", "CLADSPA", "CLinux"],
    swiftSettings: plain),
  .target(
    name: "AudioEcho", dependencies: ["AudioCore", "CSpeexDSP"], swiftSettings: strict),
  .target(name: "AudioArrays", dependencies: ["AudioStreams"], swiftSettings: strict),
  .target(name: "AudioTasks", dependencies: ["AudioCore"], swiftSettings: strict),
  .target(name: "AudioFoundation", dependencies: ["AudioCore"], swiftSettings: strict),
  .target(
    name: "rawaudio",
    dependencies: [
      "AudioCore", "AudioFiles", "AudioDevices", "AudioJack", "AudioNetwork", "AudioPictures",
      "AudioPrograms", "AudioPlugins", "AudioEcho",
      "CLinux",
    ],
    swiftSettings: plain),
  .executableTarget(
    name: "Main", dependencies: ["rawaudio"], swiftSettings: strict, linkerSettings: linking),
  .target(
    name: "TestProcess", dependencies: ["CLinux"], path: "Tests/TestProcess",
    swiftSettings: strict),
  .target(
    name: "TestSupport", dependencies: ["AudioCore", "TestProcess"], path: "Tests/TestSupport",
    swiftSettings: tests),
  libraryTests("AudioStreams", with: ["AudioCore", "CEBUR128"]),
  libraryTests("AudioCore"),
  libraryTests("AudioFiles", with: ["AudioCore", "AudioDevices", "AudioPrograms", "CSndfile"]),
  libraryTests("AudioDevices", with: ["AudioCore"]),
  libraryTests("AudioJack"),
  libraryTests("AudioNetwork", with: ["AudioCore"]),
  libraryTests("AudioPictures", with: ["AudioCore"]),
  libraryTests("AudioPrograms", with: ["AudioDevices", "AudioFiles"]),
  libraryTests("AudioPlugins"),
  libraryTests("AudioEcho"),
  libraryTests("AudioTasks"),
  libraryTests("AudioFoundation"),
  .testTarget(
    name: "CommandTests",
    dependencies: library + ["rawaudio", "TestProcess", "CSndfile", "CLinux"],
    swiftSettings: tests),
  .executableTarget(
    name: "KernelBenchmarks", dependencies: ["AudioCore", "AudioFiles"],
    path: "Benchmarks/Kernels",
    swiftSettings: strict, linkerSettings: linking),
]

let examplePrograms: [Target] = examples.map { name in
  .executableTarget(
    name: name, dependencies: library, path: "Examples/\(name)",
    swiftSettings: warnings)
}

let package = Package(
  name: "rawaudio",
  products: [
    // With the targets that it exports again, because tools see only those of products.
    .library(name: "AudioCore", targets: ["AudioCore", "AudioStreams", "AudioKernels"]),
    .library(name: "AudioFiles", targets: ["AudioFiles"]),
    .library(name: "AudioDevices", targets: ["AudioDevices"]),
    .library(name: "AudioJack", targets: ["AudioJack"]),
    .library(name: "AudioNetwork", targets: ["AudioNetwork"]),
    .library(name: "AudioPictures", targets: ["AudioPictures"]),
    .library(name: "AudioPrograms", targets: ["AudioPrograms"]),
    .library(name: "AudioPlugins", targets: ["AudioPlugins"]),
    .library(name: "AudioEcho", targets: ["AudioEcho"]),
    .library(name: "AudioTasks", targets: ["AudioTasks"]),
    .library(name: "AudioFoundation", targets: ["AudioFoundation"]),
    .library(name: "AudioArrays", type: .dynamic, targets: ["AudioArrays"]),
    .executable(name: "rawaudio", targets: ["Main"]),
  ],
  targets: targets + kernelCopies + examplePrograms,
  swiftLanguageModes: [.v6]
)
