// SPDX-License-Identifier: Apache-2.0
// Re-exported, so that one import suffices.
@_exported public import AudioStreams
