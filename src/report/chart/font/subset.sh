#!/bin/sh
# Makes DejaVuSans-subset.ttf from DejaVuSans.ttf of DejaVu 2.37 (its licence: LICENSE-DejaVu) with fonttools 4
# (`pip install fonttools`):
#     sh subset.sh /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf
# Latin, Latin-1, Latin Extended-A, punctuation, arrows, and the signs that test runners print. No hinting, no kerning.
set -eu
cd "$(dirname "$0")"
pyftsubset "$1" --output-file=DejaVuSans-subset.ttf --no-hinting --layout-features='' --drop-tables+=GSUB,GPOS,GDEF,kern,FFTM \
  --notdef-outline --no-glyph-names --name-IDs=0,1,2 --no-recalc-timestamp \
  --unicodes="U+0020-007E,U+00A0-017F,U+2013,U+2014,U+2018-201A,U+201C-201E,U+2022,U+2026,U+2030,U+2039,U+203A,U+20AC,\
U+2190-2193,U+21B5,U+23CE,U+2248,U+2260,U+2264,U+2265,U+221E,U+25A0,U+25A1,U+25B2,U+25BC,U+25C6,U+25CB,U+25CF,\
U+26A0,U+2713,U+2715,U+2717,U+276F,U+FFFD"
