# SPDX-License-Identifier: Apache-2.0
# What MACHINE=arm64 changes: the tools are those of Scripts/arm64.

system := $(CURDIR)/$(built)/system
within := Scripts/arm64/within.sh toolchain
swift_build := RAWAUDIO_MACHINE=arm64 PKG_CONFIG_PATH=$(CURDIR)/$(built)/archives $(within) swift build --scratch-path $(built) \
  --swift-sdks-path $(CURDIR)/$(built)/sdk --swift-sdk arm64
# Another machine's linker cannot link for this one. It is named also where nothing is linked.
clang := clang --target=aarch64-linux-gnu --sysroot=$(system) -fuse-ld=lld -Wno-unused-command-line-argument
pkg_config := PKG_CONFIG_SYSROOT_DIR=$(system) \
  PKG_CONFIG_LIBDIR=$(system)/usr/lib/aarch64-linux-gnu/pkgconfig:$(system)/usr/share/pkgconfig pkg-config

linked_too := $(built)/archives/isoc23.o
packages_too := libebur128
# Debian's compiler verifies its own passes, and stops in RunningObservers.append.
frontend_too := -sil-verify-none -suppress-warnings
# Swift's package manager finds the static libraries of another machine only if it compiles for them, too: the tests are a
# build of their own.
bundle_apart := /optimised-tests
statically := --static-swift-stdlib
# The tests are linked to dynamic libraries of Swift, which need sid's C library, not the one of the system. They call more
# of libsndfile than the program does.
bundle_too := -c release -debug-info-format none -Xswiftc -enable-testing --scratch-path $(built)$(bundle_apart) \
  -Xswiftc -use-ld=lld -Xlinker --allow-shlib-undefined -Xlinker -l:libsndfile.so \
  $(foreach flag,$(frontend_too),-Xswiftc -Xfrontend -Xswiftc $(flag))

# The emulator looks here for a program's libraries first.
export QEMU_LD_PREFIX := $(CURDIR)/$(built)/runtime

$(built)/archives/isoc23.o: Scripts/arm64/isoc23.c | set-up
	@mkdir -p $(@D)
	$(clang) -std=c17 -O2 -fPIC -Wall -Wextra -Werror -c $< -o $@

left_out := Scripts/arm64/left-out.txt
