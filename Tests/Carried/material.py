# SPDX-License-Identifier: Apache-2.0
"""A file of each kind that carries what its kind can, made without rawaudio: by the programs of its kind, by mutagen,
and byte by byte."""

import base64
import math
import struct
from xml.sax.saxutils import escape

from mutagen import apev2, flac, id3, mp3, oggopus, oggvorbis
from proofs import command, riff
from proofs.riff import chunk

KINDS = ["wav", "rf64", "aiff", "caf", "flac", "ogg", "opus", "mp3"]
RATE = 48_000
COUNT = 24_000
MARKS = [(4_800, "one"), (12_000, "two")]
CHAPTERS = {f"CHAPTER{number:03}{end}": [text] for number, (place, label) in enumerate(MARKS, 1)
            for end, text in [("", f"00:00:00.{place * 1000 // RATE:03}"), ("NAME", label)]}
LOOP = (6_000, 11_999)
REFERENCE = (48_000 * 3_600, "USXYZ0123456")
GUANO = ("GUANO|Version: 1.0\nTimestamp: 2004-05-06T14:00:00+02:00\nSamplerate: 48000\nLength: 0.5\n"
         "Make: Dodotronic\n")
UNDO = ("MP3GAIN_MINMAX", "120,200")
NOTES = {"GUANO": GUANO, "REPLAYGAIN_TRACK_GAIN": "-3.00 dB", UNDO[0]: UNDO[1]}
"""Opus has another reference, 5 dB below."""
OPUS_NOTES = {"GUANO": GUANO, "R128_TRACK_GAIN": str(-8 * 256), UNDO[0]: UNDO[1]}
TRACKS = ["Boom", "Lav & Bob"]
TEXTS = {"TITLE": "Übung", "ARTIST": "Ann", "COMMENT": "dry", "DATE": "2004-05-06", "MOOD": "calm"}


def tag(picture, notes):
    """An ID3 tag with everything."""
    frames = id3.ID3()
    frames.add(id3.TIT2(encoding=3, text=TEXTS["TITLE"]))
    frames.add(id3.TPE1(encoding=3, text=TEXTS["ARTIST"]))
    frames.add(id3.COMM(encoding=3, lang="eng", desc="", text=TEXTS["COMMENT"]))
    frames.add(id3.TDRC(encoding=3, text=TEXTS["DATE"]))
    frames.add(id3.TMOO(encoding=3, text=TEXTS["MOOD"]))
    frames.add(id3.APIC(encoding=3, mime="image/png", type=3, desc="", data=picture))
    for key, value in notes.items():
        frames.add(id3.TXXX(encoding=3, desc=key, text=value))
    return frames


def tag_bytes(picture, folder, without=()):
    path = folder / "tag"
    path.unlink(missing_ok=True)
    tag(picture, {key: value for key, value in NOTES.items() if key not in without}).save(path)
    return path.read_bytes()


def wave(folder, picture, is64=False, speakers=None):
    """A WAV or RF64 file with eleven chunks; without them, where it has speakers."""
    channels = 6 if speakers else 2
    sound = samples(channels)
    block = 2 * channels
    form = struct.pack("<HHIIHH", 1, channels, RATE, RATE * block, block, 16)
    if speakers:
        form = struct.pack("<H", 0xFFFE) + form[2:] + struct.pack("<HHI", 22, 16, speakers)
        form += b"\x01\0\0\0\0\0\x10\0\x80\0\0\xaa\0\x38\x9b\x71"
    body = chunk(b"fmt ", form)
    if not speakers:
        bext = b"scene one".ljust(256, b"\0") + b"recorder".ljust(32, b"\0") + REFERENCE[1].encode().ljust(32, b"\0")
        bext += b"2004-05-0612:00:00" + struct.pack("<QH", REFERENCE[0], 1) + bytes(254)
        tracks = "".join(f"<TRACK><INTERLEAVE_INDEX>{number}</INTERLEAVE_INDEX><NAME>{escape(name)}</NAME></TRACK>"
                         for number, name in enumerate(TRACKS, 1))
        body += chunk(b"bext", bext) + chunk(b"guan", GUANO.encode())
        body += chunk(b"iXML", f"<BWFXML><TRACK_LIST>{tracks}</TRACK_LIST></BWFXML>".encode())
    body += chunk(b"data", sound) if not is64 else b"data\xff\xff\xff\xff" + sound
    if not speakers:
        info = b"".join(chunk(name, TEXTS[key].encode() + b"\0") for name, key in
                        [(b"INAM", "TITLE"), (b"IART", "ARTIST"), (b"ICMT", "COMMENT"), (b"ICRD", "DATE")])
        points = b"".join(struct.pack("<II4sIII", i + 1, place, b"data", 0, 0, place)
                          for i, (place, _) in enumerate(MARKS))
        labels = b"".join(chunk(b"labl", struct.pack("<I", i + 1) + label.encode() + b"\0")
                          for i, (_, label) in enumerate(MARKS))
        body += chunk(b"LIST", b"INFO" + info) + chunk(b"cue ", struct.pack("<I", 2) + points)
        body += chunk(b"LIST", b"adtl" + labels)
        body += chunk(b"smpl", struct.pack("<9I", 0, 0, 10**9 // RATE, 60, 0, 0, 0, 1, 0)
                      + struct.pack("<6I", 0, 0, *LOOP, 0, 0))
        body += chunk(b"id3 ", tag_bytes(picture, folder, without=["GUANO"]))
    if is64:
        sizes = struct.pack("<QQQI", len(body) + 4 + 36, len(sound), COUNT, 0)
        return b"RF64\xff\xff\xff\xffWAVE" + chunk(b"ds64", sizes) + body
    return b"RIFF" + struct.pack("<I", 4 + len(body)) + b"WAVE" + body


def samples(channels):
    return b"".join(struct.pack("<h", round(8_000 * math.sin(i * (1 + channel) / 20)))
                    for i in range(COUNT) for channel in range(channels))


def aiff_file(folder, picture):
    rate = struct.pack(">HQ", 16_383 + 15, RATE << 48)
    marks = b"".join(struct.pack(">HIB", number, place, len(label)) + label.encode() + b"\0" * ((len(label) + 1) % 2)
                     for number, (place, label) in enumerate([*MARKS, (LOOP[0], "a"), (LOOP[1] + 1, "b")], 1))
    instrument = struct.pack(">bbbbbbh", 60, 0, 0, 127, 1, 127, 0) + struct.pack(">HHHHHH", 1, 3, 4, 0, 0, 0)
    sound = samples(2)
    swapped = b"".join(sound[i + 1:i + 2] + sound[i:i + 1] for i in range(0, len(sound), 2))
    body = chunk(b"COMM", struct.pack(">HIH", 2, COUNT, 16) + rate, ">")
    body += chunk(b"NAME", TEXTS["TITLE"].encode(), ">") + chunk(b"AUTH", TEXTS["ARTIST"].encode(), ">")
    body += chunk(b"ANNO", TEXTS["COMMENT"].encode(), ">") + chunk(b"MARK", struct.pack(">H", 4) + marks, ">")
    body += chunk(b"INST", instrument, ">") + chunk(b"SSND", bytes(8) + swapped, ">")
    body += chunk(b"ID3 ", tag_bytes(picture, folder), ">")
    return b"FORM" + struct.pack(">I", 4 + len(body)) + b"AIFF" + body


def caf_file(speakers=None):
    channels = 6 if speakers else 2

    def chunk(name, content):
        return name + struct.pack(">q", len(content)) + content
    body = chunk(b"desc", struct.pack(">d4sIIIII", RATE, b"lpcm", 2, 2 * channels, 1, channels, 16))
    if speakers:
        body += chunk(b"chan", struct.pack(">III", 0x10000, speakers, 0))
    else:
        names = {"title": "TITLE", "artist": "ARTIST", "comments": "COMMENT", "year": "DATE", "mood": "MOOD"}
        texts = {name: TEXTS[key] for name, key in names.items()} | NOTES
        body += chunk(b"info", struct.pack(">I", len(texts)) + b"".join(
            f"{name}\0{text}\0".encode() for name, text in texts.items()))
        marks = b"".join(struct.pack(">IdI", 0, place, i + 1) + b"\xff" * 8 + bytes(4)
                         for i, (place, _) in enumerate(MARKS))
        body += chunk(b"mark", struct.pack(">II", 0, len(MARKS)) + marks)
        texts = b"one\0two\0"
        body += chunk(b"strg", struct.pack(">IIqIq", 2, 1, 0, 2, 4) + texts)
    body += chunk(b"data", bytes(4) + samples(channels))
    return b"caff\0\x01\0\0" + body


def run(*words):
    command.run(words).check_returncode()


def make(folder):
    """The files by kind: with everything, and where a kind knows loudspeakers, one of six channels."""
    folder.mkdir()
    picture = folder / "p.png"
    run("ffmpeg", "-v", "error", "-f", "lavfi", "-i", "color=red:s=16x16:d=0.04", "-frames:v", 1, picture)
    picture = picture.read_bytes()
    plain = folder / "plain.wav"
    plain.write_bytes(riff.wave(samples(2), RATE, 2))
    files = {kind: folder / f"full.{kind if kind != 'rf64' else 'rf64.wav'}" for kind in KINDS}
    files["wav"].write_bytes(wave(folder, picture))
    files["rf64"].write_bytes(wave(folder, picture, is64=True))
    files["aiff"].write_bytes(aiff_file(folder, picture))
    files["caf"].write_bytes(caf_file())
    cover = flac.Picture()
    cover.type, cover.mime, cover.width, cover.height, cover.depth, cover.data = 3, "image/png", 16, 16, 24, picture

    run("flac", "-s", plain, "-o", files["flac"])
    cues = folder / "tracks.cue"
    cues.write_text('FILE "plain.wav" WAVE\n  TRACK 01 AUDIO\n    INDEX 01 0\n')
    run("metaflac", "--no-cued-seekpoints", f"--import-cuesheet-from={cues}", files["flac"])
    tagged = flac.FLAC(files["flac"])
    tagged.update({key: [value] for key, value in (TEXTS | NOTES).items()} | CHAPTERS)
    tagged.add_picture(cover)
    tagged.save()
    run("oggenc", "-Q", plain, "-o", files["ogg"])
    run("opusenc", "--quiet", plain, files["opus"])
    for path, kind in [(files["ogg"], oggvorbis.OggVorbis), (files["opus"], oggopus.OggOpus)]:
        tagged = kind(path)
        notes = OPUS_NOTES if kind is oggopus.OggOpus else NOTES
        tagged.update({key: [value] for key, value in (TEXTS | notes).items()} | CHAPTERS)
        tagged["METADATA_BLOCK_PICTURE"] = [base64.b64encode(cover.write()).decode()]
        tagged.save()
    run("ffmpeg", "-v", "error", "-i", plain, "-map_metadata", -1, "-write_xing", 1, files["mp3"])
    tagged = mp3.MP3(files["mp3"])
    tagged.tags = tag(picture, {key: value for key, value in NOTES.items() if key != UNDO[0]})
    names = [f"chapter{number}" for number in range(len(MARKS))]
    tagged.tags.add(id3.CTOC(element_id="toc", flags=3, child_element_ids=names, sub_frames=[]))
    ends = [place for place, _ in MARKS[1:]] + [COUNT]
    for name, (place, label), end in zip(names, MARKS, ends):
        tagged.tags.add(id3.CHAP(element_id=name, start_time=place * 1000 // RATE, end_time=end * 1000 // RATE,
                                 sub_frames=[id3.TIT2(encoding=3, text=label)]))
    tagged.save()
    # mp3gain writes its notes into a tag of APE.
    ape = apev2.APEv2()
    ape[UNDO[0]] = UNDO[1]
    ape.save(files["mp3"])

    six = {"wav": folder / "six.wav", "rf64": folder / "six.rf64.wav", "caf": folder / "six.caf",
           "flac": folder / "six.flac"}
    six["wav"].write_bytes(wave(folder, picture, speakers=0x60F))
    six["rf64"].write_bytes(wave(folder, picture, is64=True, speakers=0x60F))
    six["caf"].write_bytes(caf_file(speakers=0x60F))
    run("flac", "-s", "--channel-map=none", six["wav"], "-o", six["flac"])
    tagged = flac.FLAC(six["flac"])
    tagged["WAVEFORMATEXTENSIBLE_CHANNEL_MASK"] = ["0x60F"]
    tagged.save()
    return files, six
