# SPDX-License-Identifier: Apache-2.0
"""What a sound file carries, read by mutagen where that knows the container, and else byte by byte from the
specifications: EBU Tech 3285 (bext), Microsoft's RIFF (INFO, cue, adtl, smpl), Apple's AIFF 1.3 and CAF 1.0."""

import base64
import re
import struct
from xml.sax.saxutils import unescape

from mutagen import aiff, apev2, flac, id3, mp3, oggopus, oggvorbis


RATE = 48_000
"""Of all files here."""


class Carried:
    """The fields that were found; what is not there is missing."""

    def __init__(self):
        self.texts = {}
        self.fields = {}

    def add(self, key, value):
        if value:
            self.texts.setdefault(key.upper(), []).append(value)

    def found(self):
        """Each field by name, in a form that can be compared."""
        found = dict(self.fields)
        for key, values in self.texts.items():
            if key in ("TITLE", "ARTIST", "COMMENT", "DATE", "MOOD", "DESCRIPTION"):
                found[key.lower()] = sorted(part for value in values for part in value.split("; "))
        origin = {key: self.texts[key][0] for key in ("TIME_REFERENCE", "ORIGINATOR_REFERENCE") if key in self.texts}
        if len(origin) == 2:
            found.setdefault("origin", (int(origin["TIME_REFERENCE"]), origin["ORIGINATOR_REFERENCE"]))
        if "GUANO" in self.texts:
            lines = self.texts["GUANO"][0].splitlines()
            found["GUANO"] = {key.strip(): value.strip() for key, _, value in (line.partition(":") for line in lines) if value}
        if "MP3GAIN_MINMAX" in self.texts:
            found["MP3GAIN"] = self.texts["MP3GAIN_MINMAX"]
        # Either states the gain, to -18 or to -23 LUFS.
        if "R128_TRACK_GAIN" in self.texts:
            found["R128"] = round(int(self.texts["R128_TRACK_GAIN"][0]) / 256 + 5, 2)
        if "REPLAYGAIN_TRACK_GAIN" in self.texts:
            found["R128"] = float(self.texts["REPLAYGAIN_TRACK_GAIN"][0].removesuffix(" dB"))
        return found


def read(path):
    """What the file at `path` carries."""
    data = path.read_bytes()
    is_opus = b"OpusHead" in data[:64]
    carried = Carried()
    if data[:4] in (b"RIFF", b"RF64"):
        riff(data, carried)
    elif data[:4] == b"FORM":
        aiff_chunks(data, path, carried)
    elif data[:4] == b"caff":
        caf(data, carried)
    elif data[:4] == b"fLaC":
        blocks(flac.FLAC(path), carried)
    elif data[:4] == b"OggS":
        comments((oggopus.OggOpus if is_opus else oggvorbis.OggVorbis)(path), carried)
    else:
        frames(mp3.MP3(path).tags, carried)
        try:
            for key, value in apev2.APEv2(path).items():
                carried.add(key, str(value))
        except apev2.APENoHeaderError:
            pass
    # No file has the gain of the other kind.
    carried.texts.pop("REPLAYGAIN_TRACK_GAIN" if is_opus else "R128_TRACK_GAIN", None)
    return carried.found()


def frames(tags, carried):
    """The frames of an ID3 tag."""
    names = {"TIT2": "TITLE", "TPE1": "ARTIST", "TDRC": "DATE", "TMOO": "MOOD", "COMM": "COMMENT"}
    chapters = []
    for frame in tags.values() if tags is not None else []:
        if frame.FrameID == "CHAP":
            chapters.append((frame.start_time * RATE // 1000, str(frame.sub_frames.get("TIT2", ""))))
        elif frame.FrameID == "APIC":
            carried.fields["picture"] = frame.data
        elif frame.FrameID == "TXXX":
            for text in frame.text:
                carried.add(frame.desc, text)
        elif frame.FrameID in names:
            for text in frame.text:
                carried.add(names[frame.FrameID], str(text))
    if chapters:
        carried.fields["marks"] = sorted(chapters)


def id3_bytes(data, carried):
    """An ID3 tag in a chunk."""
    import io
    tags = id3.ID3()
    tags.load(io.BytesIO(data))
    frames(tags, carried)


def comments(file, carried):
    """Vorbis comments, with pictures and chapters in them."""
    chapters = {}
    for key, value in file.tags or []:
        if key.upper() == "METADATA_BLOCK_PICTURE":
            carried.fields["picture"] = flac.Picture(base64.b64decode(value)).data
        elif re.fullmatch("CHAPTER[0-9]{3}(NAME)?", key.upper()):
            chapters.setdefault(key[7:10], {})[key[10:].upper()] = value
        else:
            carried.add(key, value)
    if chapters:
        carried.fields["marks"] = sorted(
            (milliseconds(chapter[""]) * RATE // 1000, chapter.get("NAME", "")) for chapter in chapters.values())


def milliseconds(time):
    """A time such as 00:00:01.500."""
    hours, minutes, seconds = time.split(":")
    return round((int(hours) * 60 + int(minutes)) * 60_000 + float(seconds) * 1000)


def blocks(file, carried):
    """The blocks of FLAC."""
    comments(file, carried)
    for picture in file.pictures:
        carried.fields["picture"] = picture.data
    if file.cuesheet:
        carried.fields["CUESHEET"] = [track.start_offset for track in file.cuesheet.tracks]
    layout = carried.texts.get("WAVEFORMATEXTENSIBLE_CHANNEL_MASK")
    if layout:
        carried.fields["layout"] = int(layout[0], 16)


def text(data):
    """A text up to its zero."""
    return data.split(b"\0")[0].decode()


def chunks(data, start, order, end=None):
    """Name and content of every chunk, with a size of 32 bits; that of the samples is `samples` where it is not
    stated."""
    while start + 8 <= (end or len(data)):
        name, size = data[start:start + 4], struct.unpack(order + "I", data[start + 4:start + 8])[0]
        if name == b"data" and size == 0xFFFFFFFF:
            size = struct.unpack("<Q", data[28:36])[0]
        yield name, data[start + 8:start + 8 + size]
        start += 8 + size + size % 2


def riff(data, carried):
    """The chunks of WAV and RF64."""
    labels, points = {}, []
    infos = {b"INAM": "TITLE", b"IART": "ARTIST", b"ICMT": "COMMENT", b"ICRD": "DATE"}
    told = Carried()
    for name, content in chunks(data, 12, "<"):
        if name == b"fmt " and content[:2] == b"\xfe\xff":
            carried.fields["layout"] = struct.unpack("<I", content[20:24])[0]
        elif name == b"LIST" and content[:4] == b"INFO":
            for key, value in chunks(content, 4, "<"):
                if key in infos:
                    carried.add(infos[key], text(value))
        elif name == b"LIST" and content[:4] == b"adtl":
            for key, value in chunks(content, 4, "<"):
                if key == b"labl":
                    labels[struct.unpack("<I", value[:4])[0]] = text(value[4:])
        elif name == b"cue ":
            points = [struct.unpack("<IIIIII", content[4 + 24 * i:28 + 24 * i])
                      for i in range(struct.unpack("<I", content[:4])[0])]
        elif name == b"bext":
            carried.fields["origin"] = (struct.unpack("<Q", content[338:346])[0], text(content[288:320]))
        elif name == b"smpl":
            count = struct.unpack("<I", content[28:32])[0]
            carried.fields["loop"] = [struct.unpack("<II", content[44 + 24 * i:52 + 24 * i]) for i in range(count)]
        elif name == b"guan":
            carried.add("GUANO", content.decode())
        elif name == b"iXML":
            tracks = re.findall("<NAME>(.*?)</NAME>", content.decode())
            if tracks:
                carried.fields["iXML tracks"] = [unescape(track) for track in tracks]
        elif name in (b"id3 ", b"ID3 "):
            id3_bytes(content, told)
    # Where both say it, INFO counts.
    for key, values in told.texts.items():
        carried.texts.setdefault(key, values)
    carried.fields.update(told.fields)
    if points:
        carried.fields["marks"] = sorted((point[5], labels.get(point[0], "")) for point in points)


def aiff_chunks(data, path, carried):
    """The chunks of AIFF."""
    names = {b"NAME": "TITLE", b"AUTH": "ARTIST", b"ANNO": "COMMENT"}
    marks, instrument = {}, None
    for name, content in chunks(data, 12, ">"):
        if name in names:
            carried.add(names[name], text(content))
        elif name == b"MARK":
            start = 2
            for _ in range(struct.unpack(">H", content[:2])[0]):
                number, position, length = struct.unpack(">HIB", content[start:start + 7])
                marks[number] = (position, content[start + 7:start + 7 + length].decode())
                start += 7 + length + (length + 1) % 2
        elif name == b"INST":
            instrument = struct.unpack(">HHH", content[8:14])
    if marks:
        carried.fields["marks"] = sorted(marks.values())
    if instrument and instrument[0] and {*instrument[1:]} <= {*marks}:
        # The second mark stands behind the last sample.
        carried.fields["loop"] = [(marks[instrument[1]][0], marks[instrument[2]][0] - 1)]
    tags = aiff.AIFF(path).tags
    told = Carried()
    frames(tags, told)
    for key, values in told.texts.items():
        carried.texts.setdefault(key, values)
    carried.fields.update(told.fields)


def caf(data, carried):
    """The chunks of CAF."""
    names = {"title": "TITLE", "artist": "ARTIST", "comments": "COMMENT", "year": "DATE"}
    start, marks, strings = 8, [], {}
    while start + 12 <= len(data):
        name, size = data[start:start + 4], struct.unpack(">q", data[start + 4:start + 12])[0]
        content = data[start + 12:] if size < 0 else data[start + 12:start + 12 + size]
        if name == b"info":
            words = content[4:].split(b"\0")
            for key, value in zip(words[::2], words[1::2]):
                carried.add(names.get(key.decode(), key.decode()), value.decode())
        elif name == b"mark":
            for i in range(struct.unpack(">I", content[4:8])[0]):
                _, position, number = struct.unpack(">IdI", content[8 + 28 * i:24 + 28 * i])
                marks.append((round(position), number))
        elif name == b"strg":
            count = struct.unpack(">I", content[:4])[0]
            for i in range(count):
                number, offset = struct.unpack(">Iq", content[4 + 12 * i:16 + 12 * i])
                strings[number] = text(content[4 + 12 * count + offset:])
        elif name == b"chan":
            tag, bitmap = struct.unpack(">II", content[:8])
            if tag == 0x10000:
                carried.fields["layout"] = bitmap
        start += 12 + len(content)
    if marks:
        carried.fields["marks"] = sorted((position, strings.get(number, "")) for position, number in marks)
