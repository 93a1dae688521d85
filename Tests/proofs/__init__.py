# SPDX-License-Identifier: Apache-2.0
"""The parts that the proofs in this folder's neighbours share: the command, processes, WAV files, command lines of documents."""
