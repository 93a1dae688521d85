// SPDX-License-Identifier: Apache-2.0
// Its own types appear together with those below it.
@_exported public import AudioPrograms
