# SPDX-License-Identifier: Apache-2.0
"""``python -m rawaudio`` is the command."""

from ._program import main

main()
