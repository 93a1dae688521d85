# SPDX-License-Identifier: Apache-2.0
"""A PipeWire server of one's own: a session bus, `pipewire`, `wireplumber` and null sinks, without a sound card.

All its files are in a folder of its own, and nothing of the user's configuration is read. A null sink takes what is
played at the pace of a timer, at 48 kHz, and its monitor gives the same samples.
"""

import glob
import json
import os
import shutil
import signal
import subprocess
import tempfile
import time

from .processes import ended

RATE = 48_000
NEEDED = {"dbus-daemon": "dbus", "pipewire": "pipewire", "pw-cat": "pipewire-bin", "pw-dump": "pipewire-bin",
          "wireplumber": "wireplumber", "aplay": "alsa-utils"}
# The plugin for ALSA: where Debian's package installs it, and where Scripts/set-up.sh unpacks it.
PLUGIN_FOLDERS = ["/", os.path.abspath(os.path.join(os.path.dirname(__file__), "../../.build/pipewire-alsa"))]
PLUGIN_CONFIGURATION = "usr/share/alsa/alsa.conf.d/50-pipewire.conf"
PLUGIN_LIBRARY = "usr/lib/*/alsa-lib/libasound_module_{}_pipewire.so"

SINK = """  {{ factory = adapter args = {{ factory.name = support.null-audio-sink node.name = {name}
    node.description = "{name}" media.class = Audio/Sink object.linger = true audio.position = [ FL FR ]
    audio.rate = {rate} monitor.channel-volumes = false }} }}
"""

# A source for programs that record: what is played into its other half.
SOURCE = """  {{ factory = adapter args = {{ factory.name = support.null-audio-sink node.name = {name}
    node.description = "{name}" media.class = Audio/Source/Virtual object.linger = true audio.position = [ FL FR ]
    audio.rate = {rate} }} }}
"""


def plugin_folder():
    """The root of the plugin's files; None if it is missing."""
    return next((folder for folder in PLUGIN_FOLDERS if os.path.exists(os.path.join(folder, PLUGIN_CONFIGURATION))), None)


def plugin_configuration():
    """The lines of asound.conf that load the plugin."""
    lines = [f"<{os.path.join(plugin_folder(), PLUGIN_CONFIGURATION)}>\n"]
    for kind in "pcm", "ctl":
        libraries = glob.glob(os.path.join(plugin_folder(), PLUGIN_LIBRARY.format(kind)))
        lines += [f'{kind}_type.pipewire {{ lib "{library}" }}\n' for library in libraries[:1]]
    return lines


def missing_packages():
    """What has to be installed."""
    missing = [package for program, package in NEEDED.items() if shutil.which(program) is None]
    if plugin_folder() is None:
        missing.append("pipewire-alsa")
    return sorted(set(missing))


class NotUp(SystemExit):
    """The server did not come up."""


class Server:
    """Runs while it is the context of a `with`."""

    def __init__(self, sinks, sources=(), may_raise=True):
        """may_raise: whether it and its clients may run at a real-time priority, where the user may."""
        self.sinks = list(sinks)
        self.sources = list(sources)
        self.prefix = [] if may_raise else ["setpriv", "--bounding-set", "-sys_nice", "--inh-caps", "-sys_nice"]
        self.processes = []

    def __enter__(self):
        missing = missing_packages()
        if missing:
            raise SystemExit(f"a PipeWire server needs packages that are missing: {' '.join(missing)}")
        # Once in a hundred times WirePlumber starts and does nothing.
        for attempt in range(3):
            self.folder = tempfile.mkdtemp(prefix="pipewire.")
            try:
                self.start()
                return self
            except BaseException as error:
                self.stop()
                if attempt == 2 or not isinstance(error, NotUp):
                    raise
        raise AssertionError

    def __exit__(self, *_):
        self.stop()

    def path(self, name):
        return os.path.join(self.folder, name)

    def start(self):
        run, settings = self.path("run"), self.path("settings")
        os.mkdir(run, 0o700)
        os.makedirs(os.path.join(settings, "pipewire", "pipewire.conf.d"))
        with open(os.path.join(settings, "pipewire", "pipewire.conf.d", "rig.conf"), "w", encoding="utf-8") as file:
            file.write("context.objects = [\n")
            file.writelines(SINK.format(name=name, rate=RATE) for name in self.sinks)
            file.writelines(SOURCE.format(name=name, rate=RATE) for name in self.sources)
            file.write("]\n")
        with open(self.path("asound.conf"), "w", encoding="utf-8") as file:
            file.writelines(plugin_configuration())
        self.environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith(("PIPEWIRE_", "PULSE_"))},
            "HOME": self.folder, "XDG_RUNTIME_DIR": run, "PIPEWIRE_RUNTIME_DIR": run, "XDG_CONFIG_HOME": settings,
            "XDG_STATE_HOME": self.path("state"), "ALSA_CONFIG_PATH": self.path("asound.conf"),
        }
        bus = self.run_beside(["dbus-daemon", "--session", "--nofork", "--print-address=1"], stdout=subprocess.PIPE)
        self.environment["DBUS_SESSION_BUS_ADDRESS"] = bus.stdout.readline().decode().strip()
        self.run_beside(["pipewire"], log="pipewire.log")
        self.wait_for(lambda: set(self.sinks + self.sources) <= set(self.nodes()), "its sinks")
        self.run_beside(["wireplumber"], log="wireplumber.log")
        self.wait_for(lambda: self.default_sink() is not None, "a default sink")

    def run_beside(self, command, log=None, stdout=subprocess.DEVNULL):
        """Starts a part of the server."""
        output = open(self.path(log), "wb") if log else stdout
        process = subprocess.Popen([*self.prefix, *command], env=self.environment, stdin=subprocess.DEVNULL, stdout=output,
                                   stderr=output if log else subprocess.DEVNULL)
        if log:
            output.close()
        self.processes.append(process)
        return process

    def wait_for(self, is_there, what):
        limit = time.monotonic() + 60
        while not is_there():
            if time.monotonic() > limit or any(process.poll() is not None for process in self.processes):
                raise NotUp(f"the PipeWire server does not come up with {what}: see {self.keep_logs()}")
            time.sleep(0.1)

    def keep_logs(self):
        kept = tempfile.mkdtemp(prefix="pipewire-logs.")
        for name in ("pipewire.log", "wireplumber.log"):
            if os.path.exists(self.path(name)):
                shutil.copy(self.path(name), kept)
        return kept

    def dump(self):
        """What there is in the server, as `pw-dump` says it."""
        answer = subprocess.run(["pw-dump"], env=self.environment, capture_output=True, timeout=60, check=False)
        try:
            return json.loads(answer.stdout or b"[]")
        except json.JSONDecodeError:
            return []

    def nodes(self):
        """The properties of all nodes by their names."""
        found = [thing for thing in self.dump() if thing.get("type") == "PipeWire:Interface:Node"]
        properties = [thing["info"].get("props") or {} for thing in found if thing.get("info")]
        return {each["node.name"]: each for each in properties if "node.name" in each}

    def default_sink(self):
        for thing in self.dump():
            for entry in thing.get("metadata", []) if isinstance(thing.get("metadata"), list) else []:
                if entry.get("key") == "default.audio.sink":
                    return entry["value"].get("name")
        return None

    def link_count(self, names):
        """How many links lead from these nodes."""
        things = [thing for thing in self.dump() if thing.get("info")]
        wanted = {thing["id"] for thing in things
                  if (thing["info"].get("props") or {}).get("node.name") in names}
        return sum(1 for thing in things if thing.get("type") == "PipeWire:Interface:Link"
                   and thing["info"]["output-node-id"] in wanted)

    def stop(self):
        """Ends the server and removes its files."""
        for process in reversed(self.processes):
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
        for process in self.processes:
            ended(process, 10)
        self.processes = []
        shutil.rmtree(self.folder, ignore_errors=True)
