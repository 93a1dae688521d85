# SPDX-License-Identifier: Apache-2.0
"""pipecat_tracks.py: records what user and bot say in a pipeline of pipecat, as tracks that begin together."""

import numpy as np
from pipecat.frames.frames import Frame, InputAudioRawFrame, OutputAudioRawFrame
from pipecat.processors.frame_processor import FrameDirection, FrameProcessor

import rawaudio as ra


class SessionTracks(FrameProcessor):
    """Passes every frame on. The sound of the user and of the bot also goes into a session."""

    def __init__(self, session: ra.SessionClient) -> None:
        super().__init__()
        self.session = session
        self.sources: dict[str, ra.Source] = {}

    async def process_frame(self, frame: Frame, direction: FrameDirection) -> None:
        await super().process_frame(frame, direction)
        await self.push_frame(frame, direction)
        if isinstance(frame, (InputAudioRawFrame, OutputAudioRawFrame)):
            name = "user" if isinstance(frame, InputAudioRawFrame) else "bot"
            samples = np.frombuffer(frame.audio, "<i2").reshape(-1, frame.num_channels) / 32768
            if name not in self.sources:
                self.sources[name] = await self.session.join(
                    name, rate=frame.sample_rate, channels=frame.num_channels, latency=1
                )
            await self.sources[name].write(samples)

    async def cleanup(self) -> None:
        await super().cleanup()
        for source in self.sources.values():
            await source.close()
