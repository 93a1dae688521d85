#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Types lines into a shell on a terminal of its own, presses Tab after each, and prints what became of them.

press-tab.py bash SCRIPT, press-tab.py zsh SCRIPT: the lines come from standard input. SCRIPT is sourced by bash; zsh
finds it as it finds the files of packages, in its folder. For each line comes an array of JSON: the line after Tab, and
what the shell listed.
"""

import json
import os
import pty
import re
import select
import sys
import time

END = re.compile(rb"<<(.*?)>>", re.DOTALL)

BASH = r"""
PS1=; PS2=; HISTFILE=
bind 'set bell-style none'; bind 'set show-all-if-ambiguous on'; bind 'set page-completions off'
bind 'set completion-query-items 0'; bind 'set enable-bracketed-paste off'; bind 'set completion-display-width 0'
_show() { printf '\n<<%s>>\n' "$READLINE_LINE"; READLINE_LINE=; READLINE_POINT=0; }
bind -x '"\C-xt": _show'
source 'SCRIPT'
printf '<<%s>>\n' ready
"""

ZSH = r"""
PS1=; PS2=; RPS1=; unset zle_bracketed_paste; unsetopt prompt_sp prompt_cr
fpath=('FOLDER' $fpath); autoload -Uz compinit; compinit -u -D
setopt no_beep list_packed no_always_last_prompt; LISTMAX=100000; bindkey -e
show() { zle -I; print -r -- "<<$BUFFER>>"; BUFFER=; }
zle -N show; bindkey '^Xt' show
printf '<<%s>>\n' ready
"""


class Terminal:
    def __init__(self, words, size=(2000, 200)):
        child, self.end = pty.fork()
        if child == 0:
            os.execvp(words[0], words)
        self.child = child
        import fcntl
        import struct
        import termios

        fcntl.ioctl(self.end, termios.TIOCSWINSZ, struct.pack("HHHH", *size, 0, 0))

    def type(self, text):
        os.write(self.end, text.encode())

    def until_shown(self):
        """What came until the line was shown, and the line."""
        seen = b""
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            if not select.select([self.end], [], [], 1)[0]:
                continue
            try:
                seen += os.read(self.end, 65536)
            except OSError:
                break
            if found := END.search(seen):
                return seen[: found.start()].decode(errors="replace"), found[1].decode()
        sys.exit(f"press-tab: the shell shows nothing but {seen!r}")


def main():
    shell, script = sys.argv[1:3]
    os.environ.update(INPUTRC="/dev/null", TERM="dumb", LC_ALL="C.UTF-8")
    if shell == "bash":
        terminal = Terminal(["bash", "--noprofile", "--norc", "-i"])
        setting = BASH.replace("SCRIPT", script)
    else:
        terminal = Terminal(["zsh", "-f", "-i"])
        setting = ZSH.replace("FOLDER", os.path.dirname(script))
    import tempfile

    with tempfile.NamedTemporaryFile("w", suffix=".sh") as file:
        file.write(setting)
        file.flush()
        terminal.type(f"source '{file.name}'\n")
        terminal.until_shown()
        for line in sys.stdin.read().splitlines():
            terminal.type(line + "\t\x18t")
            listed, shown = terminal.until_shown()
            print(json.dumps([shown, re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\x07", "", listed)]))
    os.close(terminal.end)
    os.waitpid(terminal.child, 0)


main()
