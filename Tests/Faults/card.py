# SPDX-License-Identifier: Apache-2.0
"""The virtual card as a fault needs it: its settings, and what its log says afterwards."""

import os
import re

RATE = 48_000
CHANNELS = 2
FRAME_BYTES = 4 * CHANNELS


def environment(configuration, log, settings):
    """For a program that is to record from or play to a card with these settings."""
    inherited = {name: value for name, value in os.environ.items()
                 if not name.startswith("VIRTUAL_CARD_")}
    ours = {f"VIRTUAL_CARD_{name}": str(value) for name, value in settings.items()}
    return {**inherited, **ours, "LC_ALL": "C",
            "ALSA_CONFIG_PATH": str(configuration), "VIRTUAL_CARD_LOG": str(log)}


class Log:
    """One line an event: seconds, direction, position of the device, what."""

    def __init__(self, path):
        self.lines = path.read_text().splitlines() if path.exists() else []

    def position(self, what):
        """Where the device stood when this happened first; nothing where it did not."""
        for line in self.lines:
            _, _, position, text = line.split(maxsplit=3)
            if text.startswith(what):
                return int(position)
        return None

    def rate(self):
        """What the device agreed to."""
        found = re.findall(r"hw_params .*rate=(\d+)", "\n".join(self.lines))
        return int(found[-1]) if found else None

    def played(self):
        """How many frames it had played when it was closed."""
        found = re.findall(r"close .*played=(\d+)", "\n".join(self.lines))
        return int(found[-1]) if found else 0

    def happened(self, what):
        return any(line.endswith(f" {what}") for line in self.lines)
