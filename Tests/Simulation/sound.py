# SPDX-License-Identifier: Apache-2.0
"""Sound files, read and written without the program: their headers by hand, their samples by libsndfile."""

import ctypes
import os
import struct

import numpy

_library = ctypes.CDLL("libsndfile.so.1")


class _Information(ctypes.Structure):
    _fields_ = [("frames", ctypes.c_int64), ("samplerate", ctypes.c_int), ("channels", ctypes.c_int),
                ("format", ctypes.c_int), ("sections", ctypes.c_int), ("seekable", ctypes.c_int)]


_library.sf_open.restype = ctypes.c_void_p
_library.sf_open.argtypes = [ctypes.c_char_p, ctypes.c_int, ctypes.POINTER(_Information)]
# What libsndfile says where a FLAC file does not say how long it is.
_UNKNOWN = (1 << 63) - 1
_library.sf_close.argtypes = [ctypes.c_void_p]
_library.sf_strerror.restype = ctypes.c_char_p
_library.sf_strerror.argtypes = [ctypes.c_void_p]
_library.sf_seek.restype = ctypes.c_int64
_library.sf_seek.argtypes = [ctypes.c_void_p, ctypes.c_int64, ctypes.c_int]
for _name in ("sf_readf_int", "sf_readf_float", "sf_writef_short"):
    getattr(_library, _name).restype = ctypes.c_int64
    getattr(_library, _name).argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64]

BITS = {"u8": 8, "s16": 16, "s24": 24, "s32": 32, "f32": 32}


_WRITTEN = {"wav": 0x010000, "aiff": 0x020000, "au": 0x030000, "flac": 0x170000, "caf": 0x180000}
_PCM_16 = 0x0002


class Unreadable(Exception):
    """A file that is not what its header says, or none at all."""


class Sound:
    """What a file holds: `numbers` are the bits of its samples, a row a sample frame."""

    def __init__(self, rate, channels, numbers):
        self.rate = rate
        self.channels = channels
        self.numbers = numbers

    def __len__(self):
        return len(self.numbers)


def read(path, container, encoding, channels, rate):
    """All of a file; `Unreadable` where the header claims what is not there."""
    if container == "raw":
        return _raw(path, encoding, channels, rate)
    claimed = _claimed(path, container)
    handle, information = _opened(path)
    if information.frames == _UNKNOWN:
        information.frames = _count(path)
    if information.frames > os.path.getsize(path) * 1_000:
        raise Unreadable(f"{path}: the header says {information.frames} sample frames")
    try:
        sound = _all(handle, information, encoding)
    finally:
        _library.sf_close(handle)
    if len(sound) != information.frames:
        raise Unreadable(f"{path}: the header says {information.frames}, there are {len(sound)} sample frames")
    frame_bytes = information.channels * BITS[encoding] // 8
    if container == "w64":
        # libsndfile reads it to its end, whatever its header says.
        sound.numbers = sound.numbers[:claimed // frame_bytes]
    if claimed is not None and claimed // frame_bytes != len(sound):
        raise Unreadable(f"{path}: the header says {claimed} bytes of samples, libsndfile finds "
                         f"{len(sound)} sample frames of {frame_bytes}")
    return sound


def write(path, container, numbers, rate):
    """A file of 16 bits; `numbers` has a row a sample frame."""
    samples = numpy.ascontiguousarray(numbers, numpy.int16)
    information = _Information(0, rate, samples.shape[1], _WRITTEN[container] | _PCM_16, 0, 0)
    handle = _library.sf_open(os.fsencode(path), 0x20, ctypes.byref(information))
    if not handle:
        raise OSError(f"{path}: libsndfile: {_library.sf_strerror(None).decode()}")
    written = _library.sf_writef_short(handle, samples.ctypes.data, len(samples))
    if _library.sf_close(handle) != 0 or written != len(samples):
        raise OSError(f"cannot write {path}")


def _opened(path):
    information = _Information()
    handle = _library.sf_open(os.fsencode(path), 0x10, ctypes.byref(information))
    if not handle:
        raise Unreadable(f"{path}: libsndfile: {_library.sf_strerror(None).decode()}")
    return handle, information


def _count(path):
    """Reads to the end. libsndfile does not always find the way back from there: where a frame of FLAC is cut."""
    handle, information = _opened(path)
    block = numpy.zeros((65_536, information.channels), numpy.int32)
    total, given = 0, len(block)
    while given == len(block):
        given = _library.sf_readf_int(handle, block.ctypes.data, len(block))
        total += given
    _library.sf_close(handle)
    return total


def _all(handle, information, encoding):
    count, channels = information.frames, information.channels
    is_float = encoding.startswith("f")
    samples = numpy.zeros((count + 1, channels), numpy.float32 if is_float else numpy.int32)
    function = _library.sf_readf_float if is_float else _library.sf_readf_int
    given = function(handle, samples.ctypes.data, count + 1)
    samples = samples[:given]
    if is_float:
        numbers = samples.view(numpy.uint32).astype(numpy.int64)
    else:
        # libsndfile moves the bits to the top.
        numbers = samples.astype(numpy.int64) >> (32 - BITS[encoding])
        if encoding == "u8":
            numbers += 128
        numbers &= (1 << BITS[encoding]) - 1
    return Sound(information.samplerate, channels, numbers)


def _raw(path, encoding, channels, rate):
    size = BITS[encoding] // 8
    data = numpy.fromfile(path, numpy.uint8)
    whole = len(data) // (size * channels)
    bytes_ = data[:whole * size * channels].reshape(whole, channels, size).astype(numpy.int64)
    numbers = sum(bytes_[:, :, i] << (8 * i) for i in range(size))
    return Sound(rate, channels, numbers)


def has_header(path, container):
    """Whether all of the header is there."""
    try:
        if container == "flac":
            _flac(path.read_bytes())
        else:
            _stated(path, container)
    except (struct.error, ValueError):
        return False
    return True


def _flac(bytes_):
    """FLAC format specification (RFC 9639), 8.1: blocks of metadata up to one that says it is the last."""
    if not bytes_.startswith(b"fLaC"):
        raise ValueError("it is no FLAC file")
    place = 4
    while True:
        header, = struct.unpack_from(">I", bytes_, place)
        place += 4 + (header & 0xFFFFFF)
        if place > len(bytes_):
            raise ValueError("a block of metadata is incomplete")
        if header >> 31:
            return


def states_length(path):
    """Whether a FLAC file's header says how long it is: 36 bits of STREAMINFO, RFC 9639, 8.2."""
    head = path.read_bytes()[21:26]
    return int.from_bytes(head, "big") & (1 << 36) - 1 != 0


def _claimed(path, container):
    """How many bytes of samples the header claims, which have to be there; nothing where it does not say that."""
    try:
        stated = _stated(path, container)
    except (struct.error, ValueError) as error:
        raise Unreadable(f"{path}: {error}") from None
    if stated is None:
        return None
    begin, claimed = stated
    size = os.path.getsize(path)
    # libsndfile begins a Wave64 file with a size that counts less than itself.
    claimed = max(claimed, 0)
    if begin + claimed > size:
        raise Unreadable(f"{path}: the header claims {claimed} bytes of samples from {begin} on, "
                         f"the file has {size}")
    return claimed


def _stated(path, container):
    """Where the samples begin, and how many bytes of them the header claims; nothing where it does not say that."""
    with open(path, "rb") as file:
        head = file.read(65_536)
    found = {"wav": _wave, "wavex": _wave, "rf64": _wave, "au": _au, "aiff": _aiff, "w64": _w64,
             "caf": _caf}.get(container)
    return found and found(head, os.path.getsize(path))


# Each of these takes the head of a file and the file's size, and gives what _stated does.

def _wave(head, size):
    """RIFF: Multimedia Programming Interface (IBM and Microsoft, 1991); RF64: EBU Tech 3306."""
    kind, riff, wave = struct.unpack_from("<4sI4s", head)
    if kind not in (b"RIFF", b"RF64") or wave != b"WAVE":
        raise ValueError("it is no WAVE file")
    place, wide = 12, None
    while True:
        name, count = struct.unpack_from("<4sI", head, place)
        if name == b"ds64":
            riff_wide, wide = struct.unpack_from("<QQ", head, place + 8)
            if riff_wide + 8 > size:
                raise ValueError(f"ds64 claims {riff_wide + 8} bytes, the file has {size}")
        if name == b"data":
            break
        place += 8 + count + count % 2
    if kind == b"RF64":
        count = wide
    # The last byte pads an odd number of bytes of samples; it comes when the file is complete.
    elif riff + 8 > size + (size - place) % 2:
        raise ValueError(f"RIFF claims {riff + 8} bytes, the file has {size}")
    return place + 8, count


def _require(head, kind):
    if not head.startswith(kind):
        raise ValueError(f"it does not begin with {kind.decode()}")


def _au(head, size):
    _require(head, b".snd")
    begin, count = struct.unpack_from(">II", head, 4)
    return begin, count if count != 0xFFFFFFFF else size - begin


def _aiff(head, size):
    _require(head, b"FORM")
    place = 12
    while True:
        name, count = struct.unpack_from(">4sI", head, place)
        if name == b"SSND":
            return place + 16, count - 8
        place += 8 + count + count % 2


def _w64(head, size):
    _require(head, b"riff")
    place = 40
    while True:
        name, count = struct.unpack_from("<4s12xQ", head, place)
        if name == b"data":
            return place + 24, count - 24
        place += (count + 7) // 8 * 8


def _caf(head, size):
    _require(head, b"caff")
    place = 8
    while True:
        name, count = struct.unpack_from(">4sq", head, place)
        if name == b"data":
            # Before the samples stands a count of edits; -1 = up to the end.
            return place + 16, (count - 4 if count >= 0 else size - place - 16)
        place += 12 + count
