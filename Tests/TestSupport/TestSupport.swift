// SPDX-License-Identifier: Apache-2.0
// Every test that is helped uses the library.
@_exported public import AudioCore
