// SPDX-License-Identifier: Apache-2.0
// Importing this module also imports the module below it.
@_exported public import AudioCore
