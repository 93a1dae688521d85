# SPDX-License-Identifier: Apache-2.0
"""The version of the package, which is the program's: Scripts/package/wheel.py writes it here."""

__version__ = "0"
