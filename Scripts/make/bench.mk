# SPDX-License-Identifier: Apache-2.0
# Speed and fidelity, beside other programs.

.PHONY: fidelity fidelity-floors bench bench-smoke wakeups set-up-bench bench-programs

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

wakeups: $(if $(SHORT),,set-up-bench) bench-programs virtual-card ## count wake-ups beside arecord and aplay: Benchmarks/WAKEUPS.md (RUNS=5)
	@python3 -B Benchmarks/wakeups --program $(bench)/installed/bin/rawaudio --folder /dev/shm \
	  --card $(CURDIR)/.build/virtual-card/virtual-card.conf \
	  $(if $(SHORT),--runs 1 --seconds 1,--runs $(RUNS) --write-to Benchmarks/WAKEUPS.md)

set-up-bench:
	@Scripts/set-up.sh bench

bench-programs: build
	$(release) --product KernelBenchmarks
	@$(MAKE) --no-print-directory install-program DESTDIR= bindir=$(bench)/installed/bin
	@for source in $(bench_sources); do \
	  clang -std=gnu17 -O3 -march=native -Wall -Wextra -Wshadow -Werror \
	    -o "$(bench)/$$(basename $$source .c)" $$source -lm || exit 1; \
	done
