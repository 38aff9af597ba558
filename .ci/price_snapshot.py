#!/usr/bin/env python3
"""Makes src/cost/prices/snapshot.json from LiteLLM's price list (the raw file, or {"models": {...}} around it).

usage: price_snapshot.py LIST.json --date 2026-11-30 --source 'litellm 1.110.2 ...' > src/cost/prices/snapshot.json

Kept: models with a price a token, of the providers below, and of each row what a price or a context window needs.
Dropped: batch, flex, priority and off-peak prices (a log does not say which was used), and everything else.
Numbers stay decimal text from end to end; a price is given in dollars a million tokens. Standard library only."""
import argparse, json, re, sys
from decimal import Decimal

PROVIDERS = {'anthropic', 'dashscope', 'deepseek', 'gemini', 'mistral', 'moonshot', 'openai', 'xai', 'zai'}
CLASSES = [('input_cost_per_token', 'input'), ('output_cost_per_token', 'output'), ('cache_read_input_token_cost', 'cache_read'),
           ('cache_creation_input_token_cost', 'cache_write_5m'), ('cache_creation_input_token_cost_above_1hr', 'cache_write_1h'),
           ('output_cost_per_reasoning_token', 'reasoning')]
LICENSE = '''MIT License

Copyright (c) 2023 Berri AI

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.'''


def plain(number):
    text = format(number, 'f')
    return text.rstrip('0').rstrip('.') if '.' in text else text


def prices(row, suffix=''):
    found = {ours: row[theirs + suffix] * 1_000_000 for theirs, ours in CLASSES if isinstance(row.get(theirs + suffix), Decimal)}
    if found.get('reasoning') == found.get('output'):
        found.pop('reasoning', None)
    return found


def convert(row):
    out = {'provider': row['litellm_provider']}
    if isinstance(row.get('max_input_tokens'), Decimal):
        out['context_window'] = row['max_input_tokens']
    out |= prices(row)
    bounds = sorted({int(m[1]) for m in (re.search(r'_above_(\d+)k_tokens$', key) for key in row) if m})
    tiers = [{'above': Decimal(1000 * k)} | prices(row, f'_above_{k}k_tokens') for k in bounds]
    if tiers:
        out['tiers'] = tiers
    searches = row.get('search_context_cost_per_query')
    if isinstance(searches, dict) and len(set(searches.values())) == 1:
        out['web_search'] = next(iter(searches.values()))
    return out


def dump(value):
    if isinstance(value, Decimal):
        return plain(value)
    if isinstance(value, list):
        return '[' + ','.join(map(dump, value)) + ']'
    if isinstance(value, dict):
        return '{' + ','.join(f'{json.dumps(k)}:{dump(v)}' for k, v in value.items()) + '}'
    return json.dumps(value)


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument('list')
parser.add_argument('--date', required=True)
parser.add_argument('--source', required=True)
args = parser.parse_args()
with open(args.list, encoding='utf-8') as file:
    rows = json.load(file, parse_float=Decimal, parse_int=Decimal)
rows = rows.get('models', rows)
kept = {name: convert(row) for name, row in rows.items()
        if row.get('litellm_provider') in PROVIDERS and row.get('mode') in (None, 'chat', 'responses') and 'input_cost_per_token' in row}
head = {'schema': 'loopmortem/prices', 'date': args.date, 'source': args.source, 'unit': 'per_million', 'license': LICENSE}
sys.stdout.write('{\n' + ''.join(f'{json.dumps(k)}: {json.dumps(v)},\n' for k, v in head.items()) + '"models": {\n')
sys.stdout.write(',\n'.join(f'{json.dumps(name)}: {dump(kept[name])}' for name in sorted(kept)) + '\n}\n}\n')
