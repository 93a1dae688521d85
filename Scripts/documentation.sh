#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Builds the library's documentation with the toolchain's own docc, and stops at the first warning. The symbols come from
# the modules in MODULES, a build's folder of them.
#
# documentation.sh MODULES
set -euo pipefail
cd "$(dirname "$0")/.."

modules=$1
catalogue=Sources/AudioCore/AudioCore.docc
build=.build/documentation
symbols=$build/symbols
archive=$build/AudioCore.doccarchive

# Every block of Swift in the articles, the README and a document is part of an example, and therefore compiles. A manifest
# of a package is none: examples.sh resolves it. Those of docs/library.md are programs, which guide.py builds.
not_in_an_example() {
  perl -0777 -e '
    sub trimmed { my ($text) = @_; $text =~ s/^[ \t]+|[ \t]+$//mg; $text }
    my @examples = map { open my $file, "<", $_ or die "$_: $!\n"; trimmed(scalar <$file>) }
      glob "Examples/*/*.swift";
    for my $path (@ARGV) {
      open my $file, "<", $path or die "$path: $!\n";
      my $text = <$file>;
      while ($text =~ /^```swift\n(.*?)^```/msg) {
        my $block = trimmed($1);
        next if $block =~ m|^// swift-tools-version|;
        print "$path: no example has this code:\n$1" unless grep { index($_, $block) >= 0 } @examples;
      }
    }' "$@"
}

unknown=$(not_in_an_example README.md docs/coming-from-sdks.md $catalogue/*.md)
if [[ -n $unknown ]]; then
  printf '%s\n' "$unknown" >&2
  exit 1
fi

# Every link between documents leads to a file.
broken_links() {
  perl -e '
    for my $path (@ARGV) {
      open my $file, "<", $path or die "$path: $!\n";
      (my $folder = $path) =~ s|[^/]*$||;
      while (my $line = <$file>) {
        while ($line =~ /\]\(([^)#:\s]+)(?:#[^)]*)?\)/g) {
          print "$path:$.: there is no $folder$1\n" unless -e "$folder$1";
        }
      }
    }' "$@"
}

broken=$(broken_links ./*.md docs/*.md docs/architecture/*.md Benchmarks/*.md Tests/*/README.md)
if [[ -n $broken ]]; then
  printf '%s\n' "$broken" >&2
  exit 1
fi

rm -rf "$symbols"
mkdir -p "$symbols"
triple=$(swift -print-target-info | python3 -c 'import json, sys; print(json.load(sys.stdin)["target"]["triple"])')
for target in Sources/Audio*/; do
  # A link is a copy of another target, without anything public of its own.
  [[ ! -L ${target%/} ]] || continue
  swift symbolgraph-extract -module-name "$(basename "$target")" -I "$modules" -I Sources/CSndfile -I Sources/CALSA -I Sources/CJACK \
    -I Sources/CMD5 -I Sources/CPNG -I Sources/CLinux -I Sources/CLilv -I Sources/CLADSPA \
    $(pkg-config --cflags-only-I lilv-0 | sed 's/-I/-Xcc -I/g') -minimum-access-level public -output-dir "$symbols" -target "$triple"
done
python3 -B Scripts/one-module.py AudioCore "$symbols"

# Every name in a table's column of Swift is in the library.
python3 -B Scripts/swift-names.py "$symbols/AudioCore.symbols.json" docs/*.md

docc convert $catalogue --additional-symbol-graph-dir $symbols --output-dir $archive \
  --fallback-display-name AudioCore --warnings-as-errors --analyze
printf 'The documentation is in %s, to be read from any web server.\n' $archive
