// SPDX-License-Identifier: Apache-2.0
/// How many sums of one output are a vector: what 64 bytes hold.
func laneCount<Sample: AudioSample>(of _: Sample.Type) -> Int { 64 / MemoryLayout<Sample>.stride }

/// The kernel `sumTile` of the processor.
func sumTile<Sample: AudioSample>(
  _ coefficients: UnsafePointer<Sample>, _ way: TileWay, _ samples: UnsafePointer<Sample>,
  vectors: Int, to sums: UnsafeMutablePointer<Sample>, every stride: Int
) -> Bool {
  var way = way
  return unsafe KernelTable.current[Sample.precision].sumTile(
    coefficients, &way, samples, vectors, sums, stride)
}
