# SPDX-License-Identifier: Apache-2.0
# How the program is compiled and linked, and the ALSA card that tests use.

.PHONY: compiled virtual-card share

# MACHINE=arm64 builds for that one, in a folder of its own.
built := .build$(MACHINE:%=/%)
# An expression that needs more attempts of the type checker is an error: some took seconds. Other compilers count others.
ifneq ($(findstring Swift version 6.3.1 ,$(shell swift --version 2>&1)),)
solver := RAWAUDIO_SOLVER_SCOPES=3000
endif
# What Package.swift reads of the environment, alike for the program, the tests and the examples, which share their objects.
shared_build := RAWAUDIO_TESTABLE=1 $(solver)
swift_build := $(shared_build) swift build
clang := clang
pkg_config := pkg-config
include $(MACHINE:%=Scripts/make/%.mk)

archives := $(CURDIR)/$(built)/archives
ifneq ($(filter x86_64 aarch64,$(shell uname -m)),)
on_demand := $(archives)/libsndfile.a $(archives)/libasound.a $(archives)/liblilv-0.a \
  $(archives)/libjack.a
endif
linked := $(on_demand) $(archives)/libmd.a $(linked_too)
packages := $(patsubst %,$(archives)/%.pc,$(if $(on_demand),sndfile alsa lilv-0 jack) libmd $(packages_too))

# These make the program start faster: the C++ library, which Swift's own needs, and libmd are linked statically;
# libsndfile, libasound, liblilv and libjack are loaded when they are needed (Scripts/on-demand); the program exports no
# symbols, which every library would search; it looks for libraries where the system has them only; and relocations are packed,
# where this machine's glibc reads that (from 2.36 on).
ifeq ($(shell printf '2.36\n%s\n' "$$(getconf GNU_LIBC_VERSION | cut -d' ' -f2)" | sort -VC && echo yes),yes)
relocations := -Xlinker -z -Xlinker pack-relative-relocs
endif
linking := -Xlinker --gc-sections -Xlinker --no-export-dynamic \
  -Xlinker -L$(archives) $(linked_too:%=-Xlinker %) $(relocations)

# The same sources give the same program, byte for byte, wherever they lie: paths begin where the sources do, and the
# compiler leaves out what names its caches. INCREMENTAL=1 keeps what it needs to compile again only what has changed
# within a module, and depends on the folder. A section for each function lets the linker leave out those unused.
# DEBUG=1 keeps debug information, which takes longer, for valgrind and perf.
compiling := -debug-info-format $(if $(DEBUG),dwarf,none) \
  -Xswiftc -use-ld=lld -Xswiftc -debug-prefix-map -Xswiftc $(CURDIR)=. -Xswiftc -file-compilation-dir -Xswiftc . \
  $(foreach flag,-no-clang-module-breadcrumbs -function-sections \
  $(if $(INCREMENTAL),,-disable-incremental-llvm-codegen) $(frontend_too),-Xswiftc -Xfrontend -Xswiftc $(flag))

# What has to be there before the program is linked.
prepared := $(archives)/libstdc++.a $(linked) $(packages)
optimised := -c release $(compiling)
release := RAWAUDIO_STATIC=1 PKG_CONFIG_PATH=$(archives) $(swift_build) $(optimised) $(statically) --disable-local-rpath $(linking)
program := $(built)/release/rawaudio
card := $(built)/virtual-card
told_locks := .build/thread-sanitizer/told-locks.so
card_sources := $(wildcard Tests/VirtualCard/*.c)
simulation_sources := $(wildcard Tests/Simulation/*.c)
swift_sources := Sources Tests Package.swift $(wildcard Benchmarks Examples)
bench := $(CURDIR)/.build/bench
bench_sources := $(wildcard Benchmarks/floor/*.c Benchmarks/launcher/*.c)
compare = python3 -B Benchmarks/comparison --folder $(bench) \
  --program $(bench)/installed/bin/rawaudio --kernels $(CURDIR)/.build/release/KernelBenchmarks
RUNS ?= 5

# Of two at a time, unless make was asked to do so already.
together = $(if $(findstring -j,$(MAKEFLAGS)),,-j2)

compiled: $(archives)/libstdc++.a $(packages)
	$(release) --target Main

# The linker searches this folder first. There is no shared library in it, so it takes the static one.
$(archives)/libstdc++.a: | set-up
	@mkdir -p $(archives)
	@ln -sf "$$($(clang) -print-file-name=libgcc_eh.a)" $(archives)/libgcc_s.a
	@ln -sf "$$($(clang) -print-file-name=libstdc++.a)" $@

$(archives)/libmd.a: | set-up
	@mkdir -p $(archives)
	@ln -sf "$$($(clang) -print-file-name=libmd.a)" $@

# What stands in for libraries that are loaded when they are needed.
$(archives)/lib%.a: Scripts/on-demand/%.c Scripts/on-demand/library.h | set-up
	@mkdir -p $(@D)
	$(clang) -std=gnu17 -O2 -fPIC -Wall -Wextra -Wshadow -Werror -c $< -o $(@:.a=.o)
	@rm -f $@
	@ar rcs $@ $(@:.a=.o)

# Swift's package manager searches the folders that pkg-config names before all others.
$(archives)/%.pc: | set-up
	@mkdir -p $(@D)
	@{ printf 'Name: %s\nDescription: %s, from here\nVersion: %s\n' $* $* "$$($(pkg_config) --modversion $*)"; \
	  printf 'Libs: -L%s %s\nCflags: %s\n' $(@D) "$$($(pkg_config) --libs-only-l $* | cut -d" " -f1)" "$$($(pkg_config) --cflags $*)"; } > $@

virtual-card: $(card)/libasound_module_pcm_virtual_card.so $(card)/virtual-card.conf
virtual-card: $(card)/allocation-counter.so $(card)/storm.so $(card)/simulation.so $(card)/jack-counter ## build the ALSA card that tests use

# clang comes with the Swift toolchain. alsa-lib looks for symbols that its headers define only if PIC is
# defined.
$(card)/libasound_module_pcm_virtual_card.so: $(card_sources) Tests/VirtualCard/virtual_card.h | set-up
	@mkdir -p $(card)
	$(clang) -std=c11 -O2 $(checks) -Wall -Wextra -Wshadow -Werror -fPIC -DPIC -shared -o $@ $(card_sources) -lasound

# It replaces the allocator, so the compiler must not assume that it knows malloc.
$(card)/allocation-counter.so: Tests/AllocationCounter/counter.c | set-up
	@mkdir -p $(card)
	$(clang) -std=c11 -O2 -fno-builtin $(checks) -Wall -Wextra -Wshadow -Werror -fPIC -shared -o $@ $<

# A JACK client whose samples say in which frame they were made.
$(card)/jack-counter: Tests/Jack/counter.c | set-up
	@mkdir -p $(card)
	$(clang) -std=gnu11 -O2 -Wall -Wextra -Wshadow -Werror -o $@ $< -ljack

$(card)/storm.so: Tests/Faults/storm.c | set-up
	@mkdir -p $(card)
	$(clang) -std=c11 -O2 -Wall -Wextra -Wshadow -Werror -fPIC -shared -o $@ $<

# A program runs in virtual time with it.
$(card)/simulation.so: $(simulation_sources) Tests/Simulation/simulation.h | set-up
	@mkdir -p $(card)
	$(clang) -std=c11 -O2 -Wall -Wextra -Wshadow -Werror -fPIC -shared -o $@ $(simulation_sources)

$(card)/virtual-card.conf: Tests/VirtualCard/virtual-card.conf
	@mkdir -p $(card)
	sed 's|libasound_module_pcm_virtual_card.so|$(CURDIR)/$(card)/&|' $< > $@

# The program writes its man pages and the completions of shells itself, from what it declares.
shared := $(built)/share

share:
	@Scripts/share.sh $(program) $(shared)
