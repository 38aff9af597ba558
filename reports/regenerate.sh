#!/usr/bin/env bash
# Makes the sample outputs anew: those in this folder and the blocks of the README between their markers.
set -euo pipefail
cd "$(dirname "$0")/.."
run() { ${LOOPMORTEM:-cargo run --quiet --release --no-default-features --} "$@"; }
# block NAME: standard input takes the place of the README's block of that name.
block() {
  { echo '```text'; cat; echo '```'; } > target/block.md
  awk -v name="$1" -v file=target/block.md '
    $0 == "<!-- " name " -->" { print; while ((getline line < file) > 0) print line; skip = 1; next }
    $0 == "<!-- /" name " -->" { skip = 0 }
    !skip { print }
  ' README.md > target/readme.md && cp target/readme.md README.md
}
as_of=2026-11-29T08:00:00Z
run fixtures/overnight --as-of $as_of --width 132 > reports/overnight.txt
run triage --json fixtures/overnight --as-of $as_of > reports/overnight.json
run explain ledger-rounding fixtures/overnight --as-of $as_of --width 132 > reports/explain-ledger-rounding.txt
run report fixtures/overnight --as-of $as_of --compare fixtures/weeks/2026-11-22.json --out target/week > /dev/null
mkdir -p reports/week && cp target/week/{index.html,summary.md,report.json,junit.xml} reports/week/
run check fixtures/overnight --as-of $as_of --policy reports/policy.toml > reports/check.txt || test $? = 1
block overnight < reports/overnight.txt
run forecast --iterations 20 --calls-per-iteration 12 --state-tokens 15k --work-tokens 2k --output-tokens 500 \
  --disk-state 8k --reorient-calls 4 --model claude-sonnet-4-5 --width 132 | block forecast
REGENERATE_DOCS=1 cargo test --quiet --no-default-features --test it tables::the_documented_columns
