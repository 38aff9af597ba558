#!/usr/bin/env bash
# Makes the sample outputs anew: those in this folder and the blocks of the README between their markers.
set -euo pipefail
cd "$(dirname "$0")/.."
run() { ${LOOPMORTEM:-cargo run --quiet --release --no-default-features --} "$@"; }
as_of=2026-11-29T08:00:00Z
run fixtures/overnight --as-of $as_of --width 132 > reports/overnight.txt
run triage --json fixtures/overnight --as-of $as_of > reports/overnight.json
run explain ledger-rounding fixtures/overnight --as-of $as_of --width 132 > reports/explain-ledger-rounding.txt
run report fixtures/overnight --as-of $as_of --compare fixtures/weeks/2026-11-22.json --out target/week > /dev/null
mkdir -p reports/week && cp target/week/{index.html,summary.md,report.json,junit.xml} reports/week/
run check fixtures/overnight --as-of $as_of --policy reports/policy.toml > reports/check.txt || test $? = 1
{ echo '```text'; cat reports/overnight.txt; echo '```'; } > target/block.md
awk -v file=target/block.md '
  /^<!-- overnight -->$/ { print; while ((getline line < file) > 0) print line; skip = 1; next }
  /^<!-- \/overnight -->$/ { skip = 0 }
  !skip { print }
' README.md > target/readme.md && cp target/readme.md README.md
