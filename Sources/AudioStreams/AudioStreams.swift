// SPDX-License-Identifier: Apache-2.0
// One type of the loops is public: how samples are stored.
@_exported public import AudioKernels
