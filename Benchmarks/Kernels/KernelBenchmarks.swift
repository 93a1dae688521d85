// SPDX-License-Identifier: Apache-2.0
// Measures every kernel by itself and prints a line for each, its words separated by tabs: what it is,
// then nanoseconds of processor time for a sample written, in Float and in Double.
//
//     make bench
//
// With --smoke everything runs once, for the sake of running.

import AudioStreams

@main
enum KernelBenchmarks {
  static func main() throws(AudioError) {
    let isSmokeTest = CommandLine.arguments.contains("--smoke")
    let stopwatch = Stopwatch(isSmokeTest: isSmokeTest)
    print("kernel, ns a sample\tFloat\tDouble")
    for row in encodingRows(stopwatch) { print(row) }
    for row in arithmeticRows(stopwatch) { print(row) }
    for row in dotProductRows(stopwatch) { print(row) }
    for row in ditherRows(stopwatch) { print(row) }
    for row in try channelRows(stopwatch) { print(row) }
    for row in try resamplerRows(stopwatch) { print(row) }
  }
}
