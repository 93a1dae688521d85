# SPDX-License-Identifier: Apache-2.0
# make help lists the targets.

# make takes a space for the end of a name. 'swift build' and 'swift test' work in any folder.
ifneq ($(word 2,$(CURDIR)),)
$(error the name of the folder '$(CURDIR)' has a space, which make cannot handle; move the sources to another one)
endif

# Where 'make install' puts what, by the names of GNU's conventions. PREFIX is understood, too.
PREFIX ?= /usr/local
DESTDIR ?=
prefix ?= $(PREFIX)
exec_prefix ?= $(prefix)
bindir ?= $(exec_prefix)/bin
datarootdir ?= $(prefix)/share
mandir ?= $(datarootdir)/man
docdir ?= $(datarootdir)/doc/rawaudio
bashcompletiondir ?= $(datarootdir)/bash-completion/completions
# Debian's zsh looks for what an administrator installed in another folder.
zshcompletiondir ?= $(datarootdir)/zsh/$(if $(filter /usr/local,$(prefix)),site-functions,vendor-completions)
fishcompletiondir ?= $(datarootdir)/fish/vendor_completions.d
systemdsystemunitdir ?= $(prefix)/lib/systemd/system

# One build for every processor of its architecture: the loops over samples are compiled once more for newer
# processors, and the program chooses the copy for its processor (Sources/AudioKernels).
machine := $(shell uname -m)
kernels := $(CURDIR)/.build/kernels
archives := $(CURDIR)/.build/archives
ifeq ($(machine),x86_64)
kernel_copies := $(kernels)/x86-64-v3.o $(kernels)/x86-64-v4.o
on_demand := $(archives)/libsndfile.a $(archives)/libasound.a $(archives)/liblilv-0.a
endif
kernel_sources := $(wildcard Sources/AudioKernels/*.swift)
linked := $(kernel_copies) $(on_demand) $(archives)/libmd.a
packages := $(if $(on_demand),$(archives)/sndfile.pc $(archives)/alsa.pc $(archives)/lilv-0.pc) $(archives)/libmd.pc

# These make the program start faster: the C++ library, which Swift's own needs, and libmd are linked statically;
# libsndfile, libasound and liblilv are loaded when they are needed (Scripts/on-demand); the program exports no symbols, which
# every library would search; it looks for libraries where the system has them only; and relocations are packed,
# where this machine's glibc reads that (from 2.36 on).
ifeq ($(shell printf '2.36\n%s\n' "$$(getconf GNU_LIBC_VERSION | cut -d' ' -f2)" | sort -VC && echo yes),yes)
relocations := -Xlinker -z -Xlinker pack-relative-relocs
endif
linking := -Xswiftc -use-ld=lld -Xlinker --gc-sections -Xlinker --no-export-dynamic \
  -Xlinker -L$(archives) $(relocations) $(addprefix -Xlinker ,$(kernel_copies))

# An expression that needs more attempts of the type checker is an error: some took seconds. Other compilers count others.
solver := $(if $(findstring Swift version 6.3.1 ,$(shell swift --version 2>&1)),-solver-scope-threshold=3000)

# The same sources give the same program, byte for byte, wherever they lie: paths begin where the sources do, and the
# compiler leaves out what names its caches. INCREMENTAL=1 keeps what it needs to compile again only what has changed
# within a module, and depends on the folder. A section for each function lets the linker leave out those unused.
# DEBUG=1 keeps debug information, which takes longer, for valgrind and perf.
compiling := -Xswiftc -file-prefix-map -Xswiftc $(CURDIR)=. -Xswiftc -file-compilation-dir -Xswiftc . \
  $(foreach flag,-no-clang-module-breadcrumbs -function-sections \
  $(if $(INCREMENTAL),,-disable-incremental-llvm-codegen) $(solver),-Xswiftc -Xfrontend -Xswiftc $(flag))

# What has to be there before the program is linked.
prepared := $(archives)/libstdc++.a $(linked) $(packages)
release := PKG_CONFIG_PATH=$(archives) swift build -c release --static-swift-stdlib --disable-local-rpath \
  -debug-info-format $(if $(DEBUG),dwarf,none) $(compiling) $(linking)
program := .build/release/rawaudio
card := .build/virtual-card
told_locks := .build/thread-sanitizer/told-locks.so
card_sources := $(wildcard Tests/VirtualCard/*.c)
simulation_sources := $(wildcard Tests/Simulation/*.c)
swift_sources := Sources Tests Package.swift $(wildcard Benchmarks Examples)
bench := $(CURDIR)/.build/bench
bench_sources := $(wildcard Benchmarks/floor/*.c Benchmarks/launcher/*.c)
compare = python3 -B Benchmarks/comparison --folder $(bench) \
  --program $(bench)/installed/bin/rawaudio --kernels $(CURDIR)/.build/release/KernelBenchmarks
RUNS ?= 5

.DEFAULT_GOAL := build
.PHONY: build compiled run test check optimised-tests test-bundle hunt faults long-session properties fuzz fault-table thread-sanitizer lint examples docs
.PHONY: pipewire pipewire-losses
.PHONY: processors mutations simulate simulate-planted corpora cluster-test jobs carried meetings
.PHONY: address-sanitizer complexity memcheck sanitizers
.PHONY: virtual-card share install install-program uninstall clean help set-up set-up-tests
.PHONY: deb deb-test reproducible pictures
.PHONY: fidelity fidelity-floors specialised
.PHONY: bench bench-smoke bench-programs set-up-bench wakeups

# BUILT=1 takes what is built and installed as it is: .ci/run says so to its later steps, two of which run at once.
ifneq ($(BUILT),)
build optimised-tests set-up set-up-tests:
else
build: $(archives)/libstdc++.a $(packages) ## build the command: .build/release/rawaudio
	@# One processor compiles the library's front end, which is a single module; the other one has time for the rest.
	@$(MAKE) --no-print-directory $(together) compiled $(linked)
	@# Swift's package manager does not know of these.
	@$(foreach object,$(linked),test ! $(object) -nt $(program) || rm -f $(program);)
	$(release) --product rawaudio
	@$(MAKE) --no-print-directory share

# The front end of the library takes one processor in both builds.
optimised-tests: set-up-tests
	@$(MAKE) --no-print-directory $(together) build test-bundle

set-up:
	@Scripts/set-up.sh build

set-up-tests: set-up
	@Scripts/set-up.sh test
endif

# Of two at a time, unless make was asked to do so already.
together = $(if $(findstring -j,$(MAKEFLAGS)),,-j2)

compiled: $(archives)/libstdc++.a $(packages)
	$(release) --target rawaudio

# The linker searches this folder first. There is no shared library in it, so it takes the static one.
$(archives)/libstdc++.a: | set-up
	@mkdir -p $(archives)
	@ln -sf "$$(clang -print-file-name=libgcc_eh.a)" $(archives)/libgcc_s.a
	@ln -sf "$$(clang -print-file-name=libstdc++.a)" $@

$(archives)/libmd.a: | set-up
	@mkdir -p $(archives)
	@ln -sf "$$(clang -print-file-name=libmd.a)" $@

# What stands in for libraries that are loaded when they are needed.
$(archives)/lib%.a: Scripts/on-demand/%.c Scripts/on-demand/library.h | set-up
	@mkdir -p $(@D)
	clang -std=gnu17 -O2 -fPIC -Wall -Wextra -Wshadow -Werror -c $< -o $(@:.a=.o)
	@rm -f $@
	@ar rcs $@ $(@:.a=.o)

# Swift's package manager searches the folders that pkg-config names before all others.
$(archives)/%.pc: | set-up
	@mkdir -p $(@D)
	@{ printf 'Name: %s\nDescription: %s, from here\nVersion: %s\n' $* $* "$$(pkg-config --modversion $*)"; \
	  printf 'Libs: -L%s %s\nCflags: %s\n' $(@D) "$$(pkg-config --libs-only-l $* | cut -d" " -f1)" "$$(pkg-config --cflags $*)"; } > $@

# 64 bytes are one register there, not two: the compiler would be careful with them, for the sake of early processors.
$(kernels)/x86-64-v4.o: lanes := -Xcc -Xclang -Xcc -target-feature -Xcc -Xclang -Xcc -prefer-256-bit
$(kernels)/%.o: $(kernel_sources) Sources/CLinux/linux.h | set-up
	@mkdir -p $(@D)
	swiftc -c -O -wmo -parse-as-library -swift-version 6 -strict-memory-safety -warnings-as-errors \
	  -package-name rawaudio -module-name Kernels_$(subst -,_,$*) -D KERNELS_OF_$(subst -,_,$(shell echo $* | tr a-z A-Z)) \
	  -file-prefix-map $(CURDIR)=. -file-compilation-dir . -Xfrontend -no-clang-module-breadcrumbs \
	  -Xfrontend -disable-incremental-llvm-codegen -Xfrontend -function-sections \
	  -Xcc -march=$* $(lanes) -I Sources/CLinux $(kernel_sources) -o $@
	@# The compiler leaves a file alone whose content would be the same.
	@touch $@

run: build virtual-card ## show the main uses on generated material, without a sound card
	@Scripts/demonstration.sh

# The tests run the release build of the command, and are built with an optimised library: they take a third of the time.
# While you work, 'swift test --filter NAME' is quicker.
tested := VIRTUAL_CARD_DIRECTORY="$(CURDIR)/$(card)" COMMAND_UNDER_TEST="$(CURDIR)/$(program)"
optimised := -c release -debug-info-format none -Xswiftc -enable-testing --scratch-path .build/optimised-tests
optimised_tests := RAWAUDIO_TEST_BUNDLE=1 swift test --skip-build $(optimised)

test: optimised-tests virtual-card ## run the tests, or those that FILTER names
	@path=$$(Scripts/test-path.sh) && $(tested) PATH="$$path" Scripts/run-tests.py \
	  .build/optimised-tests/release/rawaudioPackageTests.xctest $(if $(FILTER),'$(FILTER)')

test-bundle: | set-up-tests
	RAWAUDIO_TEST_BUNDLE=1 swift build --product rawaudioPackageTests $(optimised)

faults: optimised-tests virtual-card ## interrupt a hundred recordings by each signal, and check every file
	$(tested) RAWAUDIO_INTERRUPTIONS=100 $(optimised_tests) --filter RandomInterruptionTests

# The system's own Python, because Debian's numpy is installed for that one.
SEEDS ?= 200
FIRST ?= 0
simulation := ALSA_CONFIG_PATH="$(CURDIR)/$(card)/virtual-card.conf" \
  SIMULATION_LIBRARY="$(CURDIR)/$(card)/simulation.so" /usr/bin/python3 -B Tests/Simulation

simulate: build set-up-tests virtual-card ## record and convert in a hostile world, in virtual time: SEEDS (200), POWER_SEEDS, LIST_SEEDS, KEEP_SEEDS or HOURS from FIRST, one SEED, or KEPT=1
	@COMMAND_UNDER_TEST="$(CURDIR)/$(program)" $(simulation) $(if $(KEPT),kept,\
	  $(if $(HOURS),hours $(HOURS) $(FIRST),$(if $(LONG_SEED),long $(LONG_SEED),\
	  $(if $(POWER_SEEDS),power $(POWER_SEEDS) $(FIRST),$(if $(POWER_SEED),power-seed $(POWER_SEED),\
	  $(if $(LIST_SEEDS),list $(LIST_SEEDS) $(FIRST),$(if $(LIST_SEED),list-seed $(LIST_SEED),\
	  $(if $(KEEP_SEEDS),keep $(KEEP_SEEDS) $(FIRST),$(if $(KEEP_SEED),keep-seed $(KEEP_SEED),\
	  $(if $(filter command environment,$(origin SEED)),seed $(SEED),$(SEEDS) $(FIRST)))))))))))

simulate-planted: set-up-tests virtual-card ## plant faults in a copy, and see that the simulation finds them, some minutes
	@Scripts/simulate-planted.sh

# Optimised, because in an unoptimised program the sanitizer cannot see what the standard library does.
# Tests that limit the size of files are left out, because the limit ends the sanitizer itself, and those that run
# in virtual time.
thread-sanitizer: set-up-tests virtual-card $(told_locks) ## run the tests with ThreadSanitizer, some minutes
	VIRTUAL_CARD_DIRECTORY="$(CURDIR)/$(card)" LD_PRELOAD="$(CURDIR)/$(told_locks)" \
	  swift test -c release -Xswiftc -enable-testing --sanitize=thread --scratch-path .build/thread-sanitizer \
	  --skip 'ComplexityTests|memoryIsBounded|MayNotGrow|aLinkToNothing|aStreamThatCannotBeCopied|SimulatedRecording' $(if $(FILTER),--filter '$(FILTER)')

comma := ,

memcheck: set-up-tests virtual-card $(prepared) ## run the command under valgrind, some minutes
	$(subst -debug-info-format none,,$(release)) --scratch-path .build/portable --product rawaudio
	@Scripts/memcheck.sh

# Valgrind does not know the latest instructions.
complexity: set-up-tests $(prepared) ## count what tags and chunks cost, up to PIECES (1000,10000,100000,1000000), half an hour
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
	RAWAUDIO_SESSION_SECONDS=86400 $(optimised_tests) --filter LongSessionTests

property_tests := $(optimised_tests) --filter 'ReferenceModelTests|StagePropertyTests|ConcatenationTests'

# CASES and SEED have other defaults for mutations.
properties: optimised-tests ## hold random sessions and stages against a reference model: CASES (5000), SEED (1)
	TESTS_CASES=$(if $(filter command environment,$(origin CASES)),$(CASES),5000) TESTS_SEED=$(SEED) $(property_tests)

hunt: optimised-tests virtual-card ## look for faults with new seeds, for MINUTES (30); FIRST repeats a hunt
	@$(tested) PROPERTY_TESTS="$(property_tests)" SIMULATION_LIBRARY="$(CURDIR)/$(card)/simulation.so" \
	  ALSA_CONFIG_PATH="$(CURDIR)/$(card)/virtual-card.conf" \
	  Scripts/hunt.py $(or $(MINUTES),30) $(if $(filter command environment,$(origin FIRST)),$(FIRST))

$(told_locks): $(wildcard Tests/ThreadSanitizer/*.c) | set-up
	@mkdir -p $(@D)
	clang -std=c11 -O2 -Wall -Wextra -Wshadow -Werror -fPIC -shared -o $@ $^

meetings: build set-up-tests ## hold meetings of programs that join: what they cost, and what hostile ones can do
	@for kind in meeting clients first-sample load hostile come-and-go; do \
	  COMMAND_UNDER_TEST="$(CURDIR)/$(program)" /usr/bin/python3 -B Tests/Meeting $$kind || exit 1; \
	done

# The system's own Python, because Debian's numpy is installed for that one.
with_pipewire := COMMAND_UNDER_TEST="$(CURDIR)/$(program)" /usr/bin/python3 -B Tests/PipeWire

pipewire: build ## play and record with a PipeWire server, which it starts itself: docs/pipewire.md
	@Scripts/set-up.sh pipewire
	@$(with_pipewire) check

pipewire-losses: build ## count what is lost with PipeWire, ours beside others': RUNS (20) of SECONDS (60), 25 minutes
	@Scripts/set-up.sh pipewire
	@$(with_pipewire) losses $(or $(if $(filter command environment,$(origin RUNS)),$(RUNS)),20) $(or $(SECONDS),60)

corpora: build ## convert thousands of files, broken ones and killed runs among them, and a list of a million lines
	@for kind in broken killed list; do \
	  COMMAND_UNDER_TEST="$(CURDIR)/$(program)" /usr/bin/python3 -B Tests/Corpora $$kind || exit 1; \
	done

jobs: build ## do thirty jobs with sox, with ffmpeg and with rawaudio, and compare: docs/coming-from.md
	@Scripts/set-up.sh jobs
	@COMMAND_UNDER_TEST="$(CURDIR)/$(program)" /usr/bin/python3 -B Tests/Jobs $(JOBS)

carried: build ## convert files that carry everything between all containers, and see what other programs find
	@Scripts/set-up.sh jobs
	@COMMAND_UNDER_TEST="$(CURDIR)/$(program)" /usr/bin/python3 -B Tests/Carried $(if $(WRITE),--write docs/metadata-table.md)

processors: build ## convert on processors of all levels, emulated ones among them, and compare every byte
	@Scripts/set-up.sh processors
	@COMMAND_UNDER_TEST="$(CURDIR)/$(program)" /usr/bin/python3 -B Tests/Processors

# Only what is missing needs root.
cluster-test: build ## convert in shards by Slurm and by ssh, kill a machine in the middle, and go on: docs/corpora.md
	@Scripts/set-up.sh cluster
	@COMMAND_UNDER_TEST="$(CURDIR)/$(program)" /usr/bin/python3 -B Tests/Cluster $(TESTS)

CASES ?= 10000
SEED ?= 1

mutations: build ## damage CASES (10000) sound files at random, by SEED (1), and check what the command makes of them
	@Scripts/set-up.sh lint
	@python3 -B Tests/Mutations --program $(program) --cases $(CASES) --seed $(SEED) --first $(or $(FIRST),0)

fuzz: set-up ## give all that reads others' bytes and words made-up ones, for SECONDS (60), or EXECUTIONS a target
	@SEED=$(if $(filter command environment,$(origin SEED)),$(SEED),0) EXECUTIONS=$(EXECUTIONS) \
	  Scripts/fuzz.sh $(or $(SECONDS),60) $(TARGETS)

fault-table: build set-up-tests virtual-card ## compare with other programs when something fails: docs/faults.md
	@Scripts/fault-table.sh

examples: optimised-tests virtual-card ## build, run and check the examples, the guide and the tour; OUTSIDE=1 as a package of a version
	@RAWAUDIO_TEST_BUNDLE=1 BUILD_FLAGS="$(optimised)" OUTSIDE="$(OUTSIDE)" Scripts/examples.sh

docs: optimised-tests ## build AudioCore's documentation: .build/documentation/AudioCore.doccarchive
	@Scripts/documentation.sh .build/optimised-tests/release/Modules

# The system's own Python, because Debian's numpy is installed for that one.
measure_fidelity := PATH="$(CURDIR)/.build/release:$$PATH" /usr/bin/python3 -B Benchmarks/fidelity

fidelity: build ## measure rate conversion and dither, also of other programs: Benchmarks/FIDELITY.md
	@Scripts/set-up.sh fidelity
	@$(measure_fidelity) Benchmarks/FIDELITY.md

fidelity-floors: build ## check the promised quality of rate conversion and dither
	@Scripts/set-up.sh fidelity-floors
	@$(measure_fidelity) --check

bench: set-up-bench bench-programs ## compare with other programs: Benchmarks/RESULTS.md (RUNS=5, LONG=1; ONLY=TITLE prints)
	$(compare) --runs $(RUNS) $(if $(LONG),--long) \
	  $(if $(ONLY),--only '$(ONLY)',--write-to Benchmarks/RESULTS.md)

bench-smoke: bench-programs ## run everything that bench runs, once and on small inputs
	@$(compare) --smoke

wakeups: set-up-bench bench-programs virtual-card ## count wake-ups beside arecord and aplay: Benchmarks/WAKEUPS.md (RUNS=5)
	@python3 -B Benchmarks/wakeups --program $(bench)/installed/bin/rawaudio --runs $(RUNS) \
	  --card $(CURDIR)/.build/virtual-card/virtual-card.conf --folder /dev/shm --write-to Benchmarks/WAKEUPS.md

set-up-bench:
	@Scripts/set-up.sh bench

bench-programs: build
	$(release) --product KernelBenchmarks
	@$(MAKE) --no-print-directory install-program DESTDIR= bindir=$(bench)/installed/bin
	@for source in $(bench_sources); do \
	  clang -std=gnu17 -O3 -march=native -Wall -Wextra -Wshadow -Werror \
	    -o "$(bench)/$$(basename $$source .c)" $$source -lm || exit 1; \
	done

lint: ## check the format of every Swift file, its licence, length and words, and that no layer uses a higher one
	swift format lint --strict --recursive $(swift_sources)
	@Scripts/set-up.sh lint
	@python3 -B Scripts/licence-lines.py
	@python3 -B Scripts/house.py
	@python3 -B Scripts/layers
	@python3 -B -W error Scripts/layers/test.py --quiet

check: lint specialised test examples docs ## what a change has to pass while you work; .ci/run does more
	@$(MAKE) --no-print-directory simulate KEPT=1

specialised: build ## check that the compiler made every loop over samples for the type of its samples
	@python3 -B Scripts/specialised.py .build/release
	@python3 -B Scripts/specialised-test.py --quiet

virtual-card: $(card)/libasound_module_pcm_virtual_card.so $(card)/virtual-card.conf
virtual-card: $(card)/allocation-counter.so $(card)/storm.so $(card)/simulation.so ## build the ALSA card that tests use

# clang comes with the Swift toolchain. alsa-lib looks for symbols that its headers define only if PIC is
# defined.
$(card)/libasound_module_pcm_virtual_card.so: $(card_sources) Tests/VirtualCard/virtual_card.h | set-up
	@mkdir -p $(card)
	clang -std=c11 -O2 $(checks) -Wall -Wextra -Wshadow -Werror -fPIC -DPIC -shared -o $@ $(card_sources) -lasound

# It replaces the allocator, so the compiler must not assume that it knows malloc.
$(card)/allocation-counter.so: Tests/AllocationCounter/counter.c | set-up
	@mkdir -p $(card)
	clang -std=c11 -O2 -fno-builtin $(checks) -Wall -Wextra -Wshadow -Werror -fPIC -shared -o $@ $<

$(card)/storm.so: Tests/Faults/storm.c | set-up
	@mkdir -p $(card)
	clang -std=c11 -O2 -Wall -Wextra -Wshadow -Werror -fPIC -shared -o $@ $<

# A program runs in virtual time with it.
$(card)/simulation.so: $(simulation_sources) Tests/Simulation/simulation.h | set-up
	@mkdir -p $(card)
	clang -std=c11 -O2 -Wall -Wextra -Wshadow -Werror -fPIC -shared -o $@ $(simulation_sources)

$(card)/virtual-card.conf: Tests/VirtualCard/virtual-card.conf
	@mkdir -p $(card)
	sed 's|libasound_module_pcm_virtual_card.so|$(CURDIR)/$(card)/&|' $< > $@

# The program writes its man pages and the completions of shells itself, from what it declares.
shared := .build/share

share:
	@Scripts/share.sh $(program) $(shared)

pictures: build virtual-card ## draw the README's picture of a terminal: docs/pictures/status.svg
	@COMMAND_UNDER_TEST="$(CURDIR)/$(program)" ALSA_CONFIG_PATH="$(CURDIR)/$(card)/virtual-card.conf" \
	  python3 -B Scripts/status-picture.py docs/pictures/status.svg

examples := $(filter-out %/__pycache__,$(wildcard Examples/*/*))
units := $(wildcard Examples/*.service)
documents := $(wildcard docs/*.md)
drawings := $(wildcard docs/pictures/*)

# What is installed is named here and by no program, for 'uninstall' removes it by these names.
command_pages := $(addsuffix .1,rawaudio $(addprefix rawaudio-,\
  capture concat convert devices info measure mix play plot plugins session))
topic_pages := $(addsuffix .7,$(addprefix rawaudio-,encodings formats observers times))

# Names in a folder below DESTDIR, quoted: a folder may have spaces in its name.
placed = $(foreach name,$2,'$(DESTDIR)$1/$(name)')

# Links to what is not installed become words.
document_links := s|](\.\./Examples/\([^)/]*\.service\)|]($(systemdsystemunitdir)/\1|g; s|](\.\./Examples|](examples|g; \
  s/\[\([^]]*\)\](\.\.\/\(Benchmarks\|Tests\)\/\([^)]*\))/\1 (\2\/\3 of the sources)/g
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
	rm -f '$(DESTDIR)$(bindir)/rawaudio'
	@rmdir $(call placed,$(docdir)/examples,$(sort $(dir $(examples:Examples/%=%)))) \
	  $(call placed,$(docdir),examples pictures) '$(DESTDIR)$(docdir)' 2>/dev/null || true

package := .build/deb

deb: build ## make a Debian package in .build/deb, and have lintian read it
	@Scripts/set-up.sh package
	@package=$$(Scripts/package/deb.sh $(package)) && echo "$$package" && \
	  lintian --fail-on error,warning --info --allow-root "$$package"

deb-test: build ## install, use, upgrade and remove the package in new Debians 12 and 13: SUITES; as root, with a mirror
	@Scripts/set-up.sh package-test
	@Scripts/package/test.sh .build/deb-test $(SUITES)

reproducible: ## build the package in two folders, and compare it byte for byte, some minutes
	@Scripts/package/reproducible.sh $(or $(IN),.build/reproducible)

clean: ## remove everything that was built
	rm -rf .build

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/\1|\2/p' $(MAKEFILE_LIST) | awk -F'|' '{ printf "  make %-17s %s\n", $$1, $$2 }'
