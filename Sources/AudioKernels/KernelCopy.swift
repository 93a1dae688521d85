// SPDX-License-Identifier: Apache-2.0
// The only symbol of a copy of this folder that the program knows by name. The Makefile compiles a copy for each of
// these conditions.

#if KERNELS_OF_X86_64_V3
@_cdecl("rawaudio_kernels_x86_64_v3")
public func fillTable(_ table: UnsafeMutableRawPointer) {
  unsafe table.initializeMemory(as: KernelTable.self, to: .compiledHere)
}
#elseif KERNELS_OF_X86_64_V4
@_cdecl("rawaudio_kernels_x86_64_v4")
public func fillTable(_ table: UnsafeMutableRawPointer) {
  unsafe table.initializeMemory(as: KernelTable.self, to: .compiledHere)
}
#endif
