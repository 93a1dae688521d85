// SPDX-License-Identifier: Apache-2.0
/// The number of sums of one output in a vector of 64 bytes.
func laneCount<Sample: AudioSample>(of _: Sample.Type) -> Int { 64 / MemoryLayout<Sample>.stride }

/// Calls the kernel `sumTile` of the processor.
func sumTile<Sample: AudioSample>(
  _ coefficients: UnsafePointer<Sample>, _ way: TileLayout, _ samples: UnsafePointer<Sample>,
  vectors: Int, to sums: UnsafeMutablePointer<Sample>, every stride: Int
) -> Bool {
  var way = way
  return unsafe KernelTable.current.samples.sumTile(
    Sample.isDouble, coefficients, &way, samples, vectors, sums, stride)
}
