# SPDX-License-Identifier: Apache-2.0
# The Python package: its wheel, and its tests.

.PHONY: arrays wheel test-python python-versions python-examples python-figures resample-figures voice-figures

python := $(CURDIR)/.build/python
pip := bin/pip install --quiet --disable-pip-version-check
python_files := $(shell find Python/*.* Python/src -type f -not -path '*/.*' -not -name '*.pyc')

# The tools that Python/requirements.txt names.
$(python)/installed: Python/requirements.txt
	@Scripts/set-up.sh python
	@python3 -m venv --clear $(python)
	@$(python)/$(pip) -r $<
	@touch $@

wheels := $(built)/wheel
alone := --no-deps --force-reinstall $(wheels)/*.whl

# The functions on arrays that the package calls in its own process. wheel.py links them.
arrays: build
	@$(release) --target AudioArrays

# The wheel is made again if the build made another program.
$(program): build ;

$(wheels)/made: arrays $(program) $(python)/installed $(python_files) $(wildcard Scripts/package/*.c Scripts/on-demand/*) Scripts/package/wheel.py | voice-data
	@CLANG="$(clang)" WITHIN="$(within)" $(python)/bin/python -B Scripts/package/wheel.py $(built)/release $(voice) $(wheels)
	@touch $@

wheel: $(wheels)/made ## make the Python wheel in .build/wheel, which pip installs
	@ls $(wheels)/*.whl

test-python: $(wheels)/made virtual-card ## check the Python package, and test it as its wheel installs it
	@$(python)/$(pip) $(alone)
	@cd Python && $(python)/bin/ruff check --quiet . && $(python)/bin/ruff format --check --quiet .
	@$(python)/bin/ruff check --quiet --isolated --select E9,F Scripts Tests Benchmarks
	@cd Python && $(python)/bin/mypy src/rawaudio tests examples
	@cd Python && $(python)/bin/pyright --warnings src/rawaudio tests examples
	@VIRTUAL_CARD_DIRECTORY="$(CURDIR)/$(card)" $(python)/bin/pytest -q Python
	@$(python)/bin/python -B Benchmarks/python/figures.py --short >/dev/null
	@$(python)/bin/python -B Benchmarks/python/resampling.py --short

python-versions: $(wheels)/made virtual-card ## test the Python package under the other Pythons from 3.10 to 3.13 that are there
	@VIRTUAL_CARD_DIRECTORY="$(CURDIR)/$(card)" Scripts/python-versions.sh $(wheels)/*.whl

python-examples: $(wheels)/made ## run the examples of the Python package with the real packages: minutes, and 5 GB
	@Scripts/set-up.sh python
	@test -e .build/python-examples || python3 -m venv .build/python-examples
	@.build/python-examples/$(pip) -r Python/examples/requirements.txt
	@.build/python-examples/$(pip) $(alone)
	@CORPUS_FILES=10000 VIRTUAL_CARD_DIRECTORY="$(CURDIR)/$(card)" .build/python-examples/bin/pytest -q \
	  -o faulthandler_timeout=900 Python/tests/test_examples.py Python/tests/test_corpora.py

python-figures: $(wheels)/made ## time the Python package beside soundfile, soxr, librosa and torchcodec: docs/python.md; minutes, and 5 GB
	@test -e .build/python-figures || python3 -m venv .build/python-figures
	@.build/python-figures/$(pip) -r Benchmarks/python/requirements.txt
	@.build/python-figures/$(pip) $(alone)
	@.build/python-figures/bin/python -B Benchmarks/python/figures.py

resample-figures: $(wheels)/made ## measure the Python package's rate conversion beside soxr: Benchmarks/RESAMPLING.md, minutes
	@$(python)/$(pip) $(alone)
	@$(python)/bin/python -B Benchmarks/python/resampling.py Benchmarks/RESAMPLING.md

voice_python := .build/voice-figures/python

voice-figures: $(wheels)/made ## measure where '--threshold voice' finds speech, beside others, in some minutes: docs/voice.md
	@Scripts/set-up.sh voice $(if $(SHORT),,voice-figures)
	@test -e $(voice_python) || python3 -m venv $(voice_python)
	@$(voice_python)/$(pip) -r Scripts/voice-figures/requirements.txt
	@# Their data only: they need torch.
	@$(voice_python)/$(pip) --no-deps silero-vad==6.2.3 $(if $(SHORT),,pyannote.audio==4.0.7)
	@$(voice_python)/$(pip) $(alone)
	@$(voice_python)/bin/python -B Scripts/voice-figures $(if $(SHORT),--short) .build/voice-figures/sound
