// SPDX-License-Identifier: Apache-2.0
// One type of the kernels is public: `SampleStorage`, which says how samples are stored.
@_exported public import AudioKernels
