// SPDX-License-Identifier: Apache-2.0
// Every test that imports this module uses the library.
@_exported public import AudioCore
