# SPDX-License-Identifier: Apache-2.0
# What is installed and where, and the Debian package.

.PHONY: pictures voice-data install install-program uninstall deb deb-test reproducible

# Where 'make install' puts what, by the names of GNU's conventions. PREFIX is understood, too.
PREFIX ?= /usr/local
DESTDIR ?=
prefix ?= $(PREFIX)
exec_prefix ?= $(prefix)
bindir ?= $(exec_prefix)/bin
datarootdir ?= $(prefix)/share
mandir ?= $(datarootdir)/man
pkgdatadir ?= $(datarootdir)/rawaudio
docdir ?= $(datarootdir)/doc/rawaudio
bashcompletiondir ?= $(datarootdir)/bash-completion/completions
# Debian's zsh looks for what an administrator installed in another folder.
zshcompletiondir ?= $(datarootdir)/zsh/$(if $(filter /usr/local,$(prefix)),site-functions,vendor-completions)
fishcompletiondir ?= $(datarootdir)/fish/vendor_completions.d
systemdsystemunitdir ?= $(prefix)/lib/systemd/system

pictures: build virtual-card ## draw the README's picture of a terminal: docs/pictures/status.svg
	@COMMAND_UNDER_TEST="$(CURDIR)/$(program)" ALSA_CONFIG_PATH="$(CURDIR)/$(card)/virtual-card.conf" \
	  python3 -B Scripts/status-picture.py $(if $(SHORT),.build,docs/pictures)/status.svg

# The numbers of the voice detector: the same for every machine.
voice := .build/voice
voice_files := silero-vad-6.2.safetensors silero-vad-6.2.LICENSE

voice-data: ## get the numbers of the voice detector from PyPI, once, for install and the packages: .build/voice
	@python3 -B Scripts/voice-data.py $(voice)

examples := $(filter-out %/__pycache__,$(wildcard Examples/*/*))
units := $(wildcard Examples/*.service)
# The architecture is for those who have the sources.
documents := $(filter-out docs/architecture.md,$(wildcard docs/*.md))
drawings := $(wildcard docs/pictures/*)

# What is installed is named here and by no program, for 'uninstall' removes it by these names.
command_pages := $(addsuffix .1,rawaudio $(addprefix rawaudio-,\
  capture check-config concat convert devices info measure mix play plot plugins session))
topic_pages := $(addsuffix .7,$(addprefix rawaudio-,chapters effects encodings formats lists loudness observers pieces times video))

# Names in a folder below DESTDIR, quoted: a folder may have spaces in its name.
placed = $(foreach name,$2,'$(DESTDIR)$1/$(name)')

# Links to what is not installed become words.
document_links := s|](\.\./Examples/\([^)/]*\.service\)|]($(systemdsystemunitdir)/\1|g; s|](\.\./Examples|](examples|g; \
  s/\[\([^]]*\)\](\.\.\/\(Benchmarks\|Python\|Scripts\|Tests\)\/\([^)]*\))/\1 (\2\/\3 of the sources)/g
# systemd.service(5) quotes as a shell does.
installed_program := $(if $(word 2,$(bindir)),"$(bindir)/rawaudio",$(bindir)/rawaudio)
in_sed = $(subst &,\&,$1)
unit_paths := s|/usr/local/bin/rawaudio|$(call in_sed,$(installed_program))|; \
  s|docs/unattended.md|$(call in_sed,$(docdir))/unattended.md|; /sudo cp/d

install: install-program ## install the built command, its pages, completions, documents and units below prefix (/usr/local)
	install -d '$(DESTDIR)$(mandir)/man1' '$(DESTDIR)$(mandir)/man7'
	install -m 644 $(addprefix $(shared)/man/man1/,$(command_pages)) '$(DESTDIR)$(mandir)/man1'
	install -m 644 $(addprefix $(shared)/man/man7/,$(topic_pages)) '$(DESTDIR)$(mandir)/man7'
	install -D -m 644 $(shared)/completions/rawaudio.bash '$(DESTDIR)$(bashcompletiondir)/rawaudio'
	install -D -m 644 $(shared)/completions/rawaudio.zsh '$(DESTDIR)$(zshcompletiondir)/_rawaudio'
	install -D -m 644 $(shared)/completions/rawaudio.fish '$(DESTDIR)$(fishcompletiondir)/rawaudio.fish'
	install -D -m 644 LICENSE '$(DESTDIR)$(docdir)/copyright'
	@if test -e $(voice)/$(firstword $(voice_files)); then \
	  install -d '$(DESTDIR)$(pkgdatadir)' && \
	  install -m 644 $(addprefix $(voice)/,$(voice_files)) '$(DESTDIR)$(pkgdatadir)'; \
	else echo "make install: '--threshold voice' will find no numbers; 'make voice-data' gets them" >&2; fi
	@for file in $(examples); do \
	  install -D -m 644 "$$file" '$(DESTDIR)$(docdir)/examples'/"$${file#Examples/}" || exit 1; \
	done
	install -d '$(DESTDIR)$(docdir)/pictures' '$(DESTDIR)$(systemdsystemunitdir)'
	install -m 644 $(drawings) '$(DESTDIR)$(docdir)/pictures'
	@for file in $(documents); do \
	  sed '$(document_links)' "$$file" | \
	    install -m 644 /dev/stdin '$(DESTDIR)$(docdir)'/"$${file#docs/}" || exit 1; \
	done
	@for file in $(units); do \
	  sed '$(unit_paths)' "$$file" | \
	    install -m 644 /dev/stdin '$(DESTDIR)$(systemdsystemunitdir)'/"$${file#Examples/}" || exit 1; \
	done

# Without symbols it is much smaller.
install-program:
	@test -x $(program) || { echo "make install: there is no $(program); run 'make' first" >&2; exit 1; }
	install -D -s -m 755 $(program) '$(DESTDIR)$(bindir)/rawaudio'

uninstall: ## remove what install installed
	rm -f $(call placed,$(mandir)/man1,$(command_pages)) $(call placed,$(mandir)/man7,$(topic_pages))
	rm -f '$(DESTDIR)$(bashcompletiondir)/rawaudio' '$(DESTDIR)$(zshcompletiondir)/_rawaudio'
	rm -f '$(DESTDIR)$(fishcompletiondir)/rawaudio.fish' '$(DESTDIR)$(docdir)/copyright'
	rm -f $(call placed,$(docdir)/examples,$(examples:Examples/%=%))
	rm -f $(call placed,$(docdir),$(documents:docs/%=%) $(drawings:docs/%=%))
	rm -f $(call placed,$(systemdsystemunitdir),$(units:Examples/%=%))
	rm -f $(call placed,$(pkgdatadir),$(voice_files))
	rm -f '$(DESTDIR)$(bindir)/rawaudio'
	@rmdir $(call placed,$(docdir)/examples,$(sort $(dir $(examples:Examples/%=%)))) \
	  $(call placed,$(docdir),examples pictures) '$(DESTDIR)$(docdir)' '$(DESTDIR)$(pkgdatadir)' 2>/dev/null || true

package := $(built)/deb

deb: build voice-data ## make a Debian package in .build/deb, and have lintian read it
	@Scripts/set-up.sh package
	@package=$$(Scripts/package/deb.sh $(package)) && echo "$$package" && \
	  lintian --fail-on error,warning --info --allow-root "$$package"

deb-test: build voice-data wheel ## install, use, upgrade and remove the packages in new Debians 12 and 13: SUITES; as root, with a mirror
	@Scripts/set-up.sh package-test
	@Scripts/package/test.sh $(built)/deb-test $(wheels)/*.whl $(SUITES)

reproducible: ## build the package in two folders, and compare it byte for byte, some minutes
	@Scripts/package/reproducible.sh $(or $(IN),.build/reproducible)
