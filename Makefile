# SPDX-License-Identifier: Apache-2.0
# make help lists the targets.

# make takes a space for the end of a name. 'swift build' and 'swift test' work in any folder.
ifneq ($(word 2,$(CURDIR)),)
$(error the name of the folder '$(CURDIR)' has a space, which make cannot handle; move the sources to another one)
endif

.DEFAULT_GOAL := build
.PHONY: build optimised-tests set-up set-up-tests run test test-bundle lint specialised check examples docs
.PHONY: clean help expected-help

include Scripts/make/build.mk

# BUILT=1 builds and installs nothing: .ci/run sets it for its later steps, two of which run at once.
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

# The bundle first: while one processor compiles the command, the other one has tests to compile.
optimised-tests: set-up-tests
	@$(MAKE) --no-print-directory $(if $(bundle_apart),$(together)) test-bundle build

set-up:
	@Scripts/set-up.sh build
	@$(MACHINE:%=Scripts/%/set-up.sh $(built))

set-up-tests: set-up
	@Scripts/set-up.sh test
endif

run: build virtual-card ## show the main uses on generated material, without a sound card
	@Scripts/demonstration.sh

# The tests run the release build of the command, and are linked with the same objects: the library is compiled once.
# While you work, 'swift test --filter NAME' is quicker.
tested := VIRTUAL_CARD_DIRECTORY="$(CURDIR)/$(card)" COMMAND_UNDER_TEST="$(CURDIR)/$(program)"
bundle := $(built)$(bundle_apart)/release/rawaudioPackageTests.xctest
optimised_tests := $(bundle) --testing-library swift-testing

test: optimised-tests virtual-card ## run the tests, or those that FILTER names
	@path=$$(Scripts/test-path.sh) && $(tested) PATH="$$path" Scripts/run-tests.py $(left_out:%=--left-out %) \
	  $(bundle) $(if $(FILTER),'$(FILTER)')

test-bundle: $(if $(MACHINE),$(packages) $(linked)) | set-up-tests
	$(if $(bundle_apart),RAWAUDIO_TEST_BUNDLE=1) $(swift_build) --product rawaudioPackageTests $(or $(bundle_too),$(optimised))

EXPECTED_HELP ?= Tests/Expected/help
expected-help: build ## write the help pages that tests expect, after a change that you meant: Tests/Expected/help
	@help() { env -i COLUMNS=80 LANG=C.UTF-8 $(program) "$$@"; }; mkdir -p '$(EXPECTED_HELP)' && \
	help --help >'$(EXPECTED_HELP)/rawaudio.txt' && help -h >'$(EXPECTED_HELP)/rawaudio-h.txt' && \
	for name in $$(help -h | sed -n '/^SUBCOMMANDS:/,/^$$/s/^  \([a-z-]*\) .*/\1/p'); do \
	  help $$name -h >'$(EXPECTED_HELP)'/$$name-h.txt || exit 1; \
	done; \
	for page in $$(help --help | sed -n '/^SUBCOMMANDS:/,/^EXAMPLES:/s/^  \([a-z-]*\) .*/\1/p' | grep -vx help); do \
	  help help $$page >'$(EXPECTED_HELP)'/$$page.txt || exit 1; \
	done

lint: ## check the format, licence and length of files, the steps of .ci/run, and that no layer uses a higher one
	swift format lint --strict --recursive $(swift_sources)
	@Scripts/set-up.sh lint
	@python3 -B Scripts/house.py
	@python3 -B Scripts/layers
	@python3 -B -W error Scripts/layers/test.py --quiet

specialised: build ## check that the compiler made every loop over samples for the type of its samples
	@python3 -B Scripts/specialised.py .build/release
	@python3 -B Scripts/specialised-test.py --quiet

check: lint specialised test examples docs ## what a change has to pass while you work; .ci/run does more
	@$(MAKE) --no-print-directory simulate KEPT=1

examples: optimised-tests virtual-card ## build, run and check the examples, the guide and the tour; OUTSIDE=1 as a package of a version
	@$(shared_build) python3 -B Scripts/examples $(if $(OUTSIDE),--outside) $(optimised)

docs: optimised-tests ## build AudioCore's documentation: .build/documentation/AudioCore.doccarchive
	@Scripts/documentation.sh .build/release/Modules

clean: ## remove everything that was built
	rm -rf .build

help: ## list the targets
	@sed -n 's/^\([a-z0-9-]*\):.*## \(.*\)/\1|\2/p' $(MAKEFILE_LIST) | awk -F'|' '{ printf "  make %-17s %s\n", $$1, $$2 }'

include Scripts/make/proofs.mk Scripts/make/bench.mk Scripts/make/install.mk Scripts/make/python.mk
