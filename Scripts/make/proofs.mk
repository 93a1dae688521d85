# SPDX-License-Identifier: Apache-2.0
# Proofs that take minutes, or need more than a build: simulation, sanitizers, other programs, other machines. With SHORT=1
# those that know it run in their shortest form, as .ci/run does: some seconds that show that the scripts still work.

# In the order of their lengths. .ci/run runs those with a short form in that one, which asserts no time: Scripts/house.py.
.PHONY: release-check
release-check: interface exit-codes pipewire jack network faults long-session wakeups network-figures meetings fault-table memcheck simulate-planted corpora properties voice-figures echo-figures jack-losses pipewire-losses ## prove all that needs real time or minutes, on a quiet machine, before a release, two hours

.PHONY: faults simulate simulate-planted thread-sanitizer memcheck complexity sanitizers address-sanitizer
.PHONY: long-session properties hunt meetings pipewire pipewire-losses jack jack-losses network network-figures corpora jobs carried processors plugin-table
.PHONY: echo-figures cluster-test mutations fuzz fault-table arm64 interface expected-interface exit-codes expected-exit-codes

faults: optimised-tests virtual-card ## interrupt a hundred recordings by each signal, and check every file
	$(tested) RAWAUDIO_INTERRUPTIONS=$(if $(SHORT),1,100) $(optimised_tests) --filter RandomInterruptionTests

# The promises of docs/stability.md.
interface_tool := python3 -B Scripts/interface.py .build/release/Modules Tests/Expected/interface

interface: optimised-tests arrays ## compare the library's public interface with the one that is kept, and with the last versions
	@$(interface_tool) $(if $(SHORT),,--versions)
	@python3 -B Scripts/interface-test.py --quiet

expected-interface: optimised-tests arrays ## write the library's public interface, after a change that you meant: Tests/Expected/interface
	@$(interface_tool) --write

exit_codes := python3 -B Scripts/compare-commands.py Tests/Expected/exit-codes.txt $(program)

exit-codes: build ## run 1,200 command lines, and compare their exit codes with those that are kept
	@$(exit_codes) $(if $(SHORT),--only stereo.ogg)

expected-exit-codes: build ## write the exit codes of 1,200 command lines: Tests/Expected/exit-codes.txt
	@$(exit_codes) --write

# The system's own Python, because Debian's numpy is installed for that one.
simulation := ALSA_CONFIG_PATH="$(CURDIR)/$(card)/virtual-card.conf" \
  SIMULATION_LIBRARY="$(CURDIR)/$(card)/simulation.so" /usr/bin/python3 -B Tests/Simulation
simulations := SEED SEEDS POWER_SEED POWER_SEEDS LIST_SEED LIST_SEEDS KEEP_SEED KEEP_SEEDS LONG_SEED HOURS KEPT YEAR REPEATS FIRST
# NAME=VALUE of the variables that a person gives.
given = $(foreach name,$1,$(if $(filter command environment,$(origin $(name))),$(name)=$($(name))))

simulate: build set-up-tests virtual-card ## record and convert in a hostile world, in virtual time: SEEDS (200), POWER_SEEDS, LIST_SEEDS, KEEP_SEEDS or HOURS from FIRST, one SEED, KEPT=1, or so many days of a YEAR
	@COMMAND_UNDER_TEST="$(CURDIR)/$(program)" $(simulation) $(call given,$(simulations))

simulate-planted: set-up-tests virtual-card ## plant faults in a copy, and see that the simulation finds them, some minutes
	@Scripts/simulate-planted.sh $(if $(SHORT),apply)

# Optimised, because in an unoptimised program the sanitizer cannot see what the standard library does.
# Tests that limit the size of files are left out, because the limit ends the sanitizer itself, and those that run
# in virtual time.
thread-sanitizer: set-up-tests virtual-card $(told_locks) ## run the tests with ThreadSanitizer, some minutes
	VIRTUAL_CARD_DIRECTORY="$(CURDIR)/$(card)" LD_PRELOAD="$(CURDIR)/$(told_locks)" \
	  swift test -c release -Xswiftc -enable-testing --sanitize=thread --scratch-path .build/thread-sanitizer \
	  --skip 'ComplexityTests|memoryIsBounded|MayNotGrow|aLinkToNothing|aStreamThatCannotBeCopied|SimulatedRecording' $(if $(FILTER),--filter '$(FILTER)')

comma := ,

memcheck: set-up-tests virtual-card $(prepared) ## run the command under valgrind, some minutes
	$(if $(SHORT),,$(subst -debug-info-format none,,$(release)) --scratch-path .build/portable --product rawaudio)
	@Scripts/memcheck.sh $(if $(SHORT),short)

# Valgrind does not know the latest instructions.
complexity: set-up-tests $(prepared) ## count what tags and chunks cost, also into every other container, up to PIECES (1000,10000,100000,1000000), an hour
	$(release) --scratch-path .build/portable --product rawaudio
	COMMAND_UNDER_TEST="$(CURDIR)/.build/portable/release/rawaudio" TESTS_INSTRUCTIONS=$(or $(INSTRUCTIONS),60000) \
	  TESTS_PIECES=$(or $(PIECES),1000$(comma)10000$(comma)100000$(comma)1000000) \
	  swift test --filter ComplexityTests

sanitizers: address-sanitizer thread-sanitizer memcheck ## run all three, half an hour

# The test card, the allocation counter and the shims of the C modules end the program (SIGILL) where they do what C
# leaves undefined. A program that runs under AddressSanitizer cannot also have its allocator replaced, cannot run in
# virtual time, and needs more address space and larger files than some tests allow.
undefined := -fsanitize=undefined -fsanitize-trap=undefined
address_build := --sanitize=address $(undefined:%=-Xcc %) --scratch-path .build/address-sanitizer
checked_card := .build/checked-card

address-sanitizer: set-up-tests ## run the tests, and the command in them, with AddressSanitizer, some minutes
	@$(MAKE) --no-print-directory virtual-card card=$(checked_card) checks="$(undefined)"
	swift build --build-tests $(address_build)
	VIRTUAL_CARD_DIRECTORY="$(CURDIR)/$(checked_card)" SWIFT_BACKTRACE=enable=no \
	  ASAN_OPTIONS="suppressions=$(CURDIR)/Tests/AddressSanitizer/suppressions.txt" \
	  LSAN_OPTIONS="suppressions=$(CURDIR)/Tests/Fuzz/leaks.txt:print_suppressions=0" \
	  swift test --skip-build $(address_build) --skip 'DeviceThreadTests|SimulatedRecording|ShortageTests|ComplexityTests|memoryIsBounded|nothingIsLeftOfThoseWhoCameAndWent' $(if $(FILTER),--filter '$(FILTER)')

long-session: optimised-tests ## run an open session for a day of virtual time, some minutes
	RAWAUDIO_SESSION_SECONDS=$(if $(SHORT),60,86400) $(optimised_tests) --filter LongSessionTests

property_tests := $(optimised_tests) --filter 'ReferenceModelTests|StagePropertyTests|ConcatenationTests'

# CASES and SEED have other defaults for mutations.
properties: optimised-tests ## hold random sessions and stages against a reference model: CASES (5000), SEED (1)
	TESTS_CASES=$(if $(filter command environment,$(origin CASES)),$(CASES),$(if $(SHORT),1,5000)) TESTS_SEED=$(SEED) $(property_tests)

hunt: optimised-tests virtual-card ## look for faults with new seeds, for MINUTES (30); FIRST repeats a hunt
	@$(tested) PROPERTY_TESTS="$(property_tests)" SIMULATION_LIBRARY="$(CURDIR)/$(card)/simulation.so" \
	  ALSA_CONFIG_PATH="$(CURDIR)/$(card)/virtual-card.conf" \
	  Scripts/hunt.py $(if $(SHORT),short,$(or $(MINUTES),30)) $(if $(filter command environment,$(origin FIRST)),$(FIRST))

$(told_locks): $(wildcard Tests/ThreadSanitizer/*.c) | set-up
	@mkdir -p $(@D)
	clang -std=c11 -O2 -Wall -Wextra -Wshadow -Werror -fPIC -shared -o $@ $^

meetings: build set-up-tests ## hold meetings of programs that join: what they cost, and what hostile ones can do
	@for kind in $(if $(SHORT),clients,meeting clients first-sample load hostile come-and-go); do \
	  COMMAND_UNDER_TEST="$(CURDIR)/$(program)" /usr/bin/python3 -B Tests/Meeting $$kind || exit 1; \
	done

# The system's own Python, because Debian's numpy is installed for that one.
with_pipewire := COMMAND_UNDER_TEST="$(CURDIR)/$(program)" /usr/bin/python3 -B Tests/PipeWire

pipewire: build ## play and record with a PipeWire server, which it starts itself: docs/pipewire.md
	@Scripts/set-up.sh pipewire
	@$(with_pipewire) $(if $(SHORT),short,check)

pipewire-losses: build ## count what is lost with PipeWire, ours beside others': RUNS (20) of SECONDS (60), 25 minutes
	@Scripts/set-up.sh pipewire
	@$(with_pipewire) losses $(or $(if $(filter command environment,$(origin RUNS)),$(RUNS)),20) $(or $(SECONDS),60)

# The system's own Python, because Debian's numpy is installed for that one.
with_jack := COMMAND_UNDER_TEST="$(CURDIR)/$(program)" JACK_COUNTER="$(CURDIR)/$(card)/jack-counter" \
  ALLOCATION_COUNTER="$(CURDIR)/$(card)/allocation-counter.so" /usr/bin/python3 -B Tests/Jack

with_network := COMMAND_UNDER_TEST="$(CURDIR)/$(program)" /usr/bin/python3 -B Tests/Network

network: build ## receive RTP and RTSP from scripted senders and ffmpeg on the loopback: docs/network.md
	@Scripts/set-up.sh network
	@$(with_network) $(if $(SHORT),short,check)

network-figures: build ## what receivers write of streams with losses, ours beside others', in 10 minutes
	@Scripts/set-up.sh network network-figures
	@$(with_network) figures

jack: build virtual-card ## record and play with jackd and PipeWire, which it starts itself: docs/jack.md
	@Scripts/set-up.sh jack
	@$(with_jack) $(if $(SHORT),short,check)

jack-losses: build virtual-card ## count what is lost on JACK, ours beside others': RUNS (5) of SECONDS (30), 10 minutes
	@Scripts/set-up.sh jack jack-losses
	@$(with_jack) losses $(or $(if $(filter command environment,$(origin RUNS)),$(RUNS)),5) $(or $(SECONDS),30)

corpora: build ## convert thousands of files, broken ones and killed runs among them, and a list of a million lines
	@for kind in $(if $(SHORT),broken\ 100 killed\ 100 list\ 1000,broken killed list); do \
	  COMMAND_UNDER_TEST="$(CURDIR)/$(program)" /usr/bin/python3 -B Tests/Corpora $$kind || exit 1; \
	done

plugin-table: build ## check every plug-in of this machine: .build/plugins-checked.md, for a release
	@python3 -B Scripts/plugin-table.py $(program) >.build/plugins-checked.md && wc -l .build/plugins-checked.md

jobs: build ## do fifty jobs with sox, with ffmpeg and with rawaudio, and compare: docs/coming-from.md
	@Scripts/set-up.sh jobs
	@COMMAND_UNDER_TEST="$(CURDIR)/$(program)" /usr/bin/python3 -B Tests/Jobs $(JOBS)

carried: build ## convert files that carry everything between all containers, and see what other programs find
	@Scripts/set-up.sh jobs
	@COMMAND_UNDER_TEST="$(CURDIR)/$(program)" /usr/bin/python3 -B Tests/Carried $(if $(WRITE),--write docs/metadata-table.md)

here := $(CURDIR)/.build/release/rawaudio

processors: build ## convert on processors of all levels, emulated ones among them, and compare every byte
	@Scripts/set-up.sh processors
	@COMMAND_UNDER_TEST="$(here)" /usr/bin/python3 -B Tests/Processors $(MACHINE:%="$(CURDIR)/$(program)")
	@$(MACHINE:%=python3 -B Tests/Processors/instructions.py "$(here)" "$(CURDIR)/$(program)")

# Which takes an hour. 'make MACHINE=arm64 TARGET' makes one of these alone, after 'make'.
arm64: build ## build for arm64 here, test it under an emulator, and try its packages in Debians 12 and 13; as root, with a mirror
	@$(MAKE) --no-print-directory MACHINE=arm64 deb wheel
	@$(MAKE) --no-print-directory MACHINE=arm64 BUILT=1 processors deb-test
	@Scripts/arm64/machine.sh .build/arm64/machine .build/arm64/deb/*.deb
	@$(MAKE) --no-print-directory MACHINE=arm64 test

cluster-test: build ## convert in shards on two machines, kill one in the middle, and go on: docs/corpora.md
	@Scripts/set-up.sh cluster
	@COMMAND_UNDER_TEST="$(CURDIR)/$(program)" /usr/bin/python3 -B Tests/Cluster $(TESTS)

CASES ?= 10000
SEED ?= 1

mutations: build ## damage CASES (10000) sound files at random, by SEED (1), and check what the command makes of them
	@Scripts/set-up.sh lint
	@python3 -B Tests/proofs/test.py --quiet
	@python3 -B Tests/Mutations --program $(program) --cases $(CASES) --seed $(SEED) --first $(or $(FIRST),0)

fuzz: set-up ## give all that reads others' bytes and words made-up ones, for SECONDS (60), or EXECUTIONS a target
	@SEED=$(if $(filter command environment,$(origin SEED)),$(SEED),0) EXECUTIONS=$(EXECUTIONS) \
	  Scripts/fuzz.sh $(if $(SHORT),check .build/release/Modules,$(or $(SECONDS),60)) $(TARGETS)

fault-table: build set-up-tests virtual-card ## compare with other programs when something fails: docs/faults.md
	@python3 -B Tests/Faults --program $(program) --card $(card)/virtual-card.conf --storm $(card)/storm.so \
	  $(if $(SHORT),--only 'device busy',--write-to docs/faults.md)

echo_python := .build/echo-figures/python

echo-figures: build virtual-card ## measure the attenuation of echo, in a minute: docs/echo.md
	@Scripts/set-up.sh echo
	@test -e $(echo_python) || python3 -m venv $(echo_python)
	@$(echo_python)/bin/pip install --quiet --disable-pip-version-check -r Scripts/echo-figures/requirements.txt
	@PATH="$(CURDIR)/.build/release:$$PATH" $(echo_python)/bin/python -B Scripts/echo-figures $(if $(SHORT),--short) \
	  $(card) .build/echo-figures/sound
