//! jest, vitest, mocha, node:test and their kin.

use super::super::WeakeningKind::*;
use super::super::examine;
use super::{honest, weak, weak_at};

const P: &str = "src/cart.test.ts";

fn it(name: &str, body: &str) -> String {
    format!("it('{name}', () => {{\n  {}\n}});\n", body.replace('\n', "\n  "))
}

#[test]
fn removed_assertion() {
    let old = it("adds", "const c = cart();\nexpect(c.total).toBe(3);\nexpect(c.items).toHaveLength(2);");
    let w =
        weak_at(P, &old, &it("adds", "const c = cart();\nexpect(c.total).toBe(3);"), AssertionRemoved, "expect(c.items).toHaveLength(2);");
    assert_eq!(w.tests, ["adds"]);
    honest(P, &old, &it("adds", "const c = cart();\nexpect(c.items).toHaveLength(2);\nexpect(c.total).toBe(3);\nexpect(c.ok).toBe(true);"));
}

#[test]
fn rewritten_expectation() {
    let old = it("adds", "expect(add(1, 2)).toBe(3);");
    weak_at(P, &old, &it("adds", "expect(add(1, 2)).toBe(4);"), ExpectationRewritten, "expect(add(1, 2)).toBe(4);");
    weak(P, &old, &it("adds", "expect(add(1, 2)).toBeDefined();"), ExpectationRewritten);
    weak(P, &old, &it("adds", "expect(add(1, 2)).not.toBe(3);"), ExpectationRewritten);
    honest(P, &old, &it("adds", "expect(add(1, 2)).toEqual(3);"));
    honest(P, &old, &it("adds", "expect(add(2, 2)).toBe(4);"));
    honest(P, &old, &it("adds", "expect(add(1, 2, 'sum')).toBe(3);"));
}

#[test]
fn truth_turned() {
    let old = it("is open", "expect(isOpen()).toBe(true);");
    weak(P, &old, &it("is open", "expect(isOpen()).toBe(false);"), ExpectationRewritten);
    honest(P, &old, &it("is open", "expect(isOpen()).toBeTruthy();"));
}

#[test]
fn trivial_assertion() {
    let old = it("adds", "expect(add(1, 2)).toBe(3);");
    weak_at(P, &old, &it("adds", "expect(true).toBe(true);"), AssertionRemoved, "expect(add(1, 2)).toBe(3);");
    honest(P, &it("adds", "expect(true).toBe(true);"), &old);
}

#[test]
fn matched_loosely() {
    let old = it("builds", "expect(build()).toEqual({ a: 1, b: 2 });");
    weak(P, &old, &it("builds", "expect(build()).toMatchObject({ a: 1 });"), ExpectationRewritten);
    weak(P, &old, &it("builds", "expect(build()).toEqual({ a: expect.any(Number), b: 2 });"), ExpectationRewritten);
    honest(P, &old, &it("builds", "expect(build()).toStrictEqual({\n  a: 1,\n  b: 2,\n});"));
}

#[test]
fn calls_counted() {
    let old = it("calls", "run(spy);\nexpect(spy).toHaveBeenCalledTimes(1);");
    weak(P, &old, &it("calls", "run(spy);\nexpect(spy).toHaveBeenCalledTimes(2);"), ExpectationRewritten);
    weak(P, &old, &it("calls", "run(spy);\nexpect(spy).toHaveBeenCalled();"), ExpectationRewritten);
    honest(P, &it("calls", "run(spy);\nexpect(spy).toHaveBeenCalled();"), &old);
}

#[test]
fn expected_errors() {
    let old = it("throws", "expect(() => parse('')).toThrow(SyntaxError);");
    weak(P, &old, &it("throws", "expect(() => parse('')).toThrow();"), ExpectationRewritten);
    weak(P, &old, &it("throws", "expect(() => parse('')).not.toThrow();"), ExpectationRewritten);
    weak(P, &old, &it("throws", "parse('x');"), AssertionRemoved);
    honest(P, &it("throws", "expect(() => parse('')).toThrow();"), &old);
}

#[test]
fn promises() {
    let old = it("rejects", "await expect(load()).rejects.toThrow('gone');");
    weak(P, &old, &it("rejects", "await expect(load()).resolves.toBeUndefined();"), ExpectationRewritten);
    honest(P, &old, &it("rejects", "await expect(load()).rejects.toThrow('gone');\nexpect(log).toHaveBeenCalled();"));
}

#[test]
fn skipped_and_only() {
    let old = it("adds", "expect(add(1, 2)).toBe(3);");
    for (new, kind) in [
        (old.replace("it(", "it.skip("), Skipped),
        (old.replace("it(", "xit("), Skipped),
        (old.replace("it(", "it.only("), Skipped),
        (old.replace("it(", "it.fails("), Skipped),
        ("it.todo('adds');\n".to_owned(), Skipped),
    ] {
        let found = weak(P, &old, &new, kind);
        assert_eq!(found[0].tests, ["adds"], "{new}");
    }
    honest(P, &old, &old.replace("it(", "test("));
    honest(P, &old, &format!("{old}{}", it("drops", "expect(drop()).toBe(1);").replace("it(", "it.skip(")));
    honest(P, &old.replace("it(", "it.skip("), &old);
    // `only` takes all the others out, wherever it stands.
    weak(P, &old, &format!("{old}{}", it("drops", "expect(drop()).toBe(1);").replace("it(", "it.only(")), Skipped);
}

#[test]
fn suite_skipped() {
    let old = "describe('cart', () => {\n  it('adds', () => {\n    expect(add(1)).toBe(1);\n  });\n  it('drops', () => {\n    expect(drop(1)).toBe(0);\n  });\n});\n";
    let w = weak_at(P, old, &old.replace("describe(", "describe.skip("), Skipped, "describe.skip('cart', () => {");
    assert_eq!(w.tests, ["adds", "drops"]);
    honest(P, old, &old.replace("describe('cart'", "describe('a cart'"));
}

#[test]
fn options_skip() {
    let old = "test('adds', { timeout: 50 }, () => {\n  assert.equal(add(1, 2), 3);\n});\n";
    weak(P, old, &old.replace("timeout: 50", "skip: true"), Skipped);
    honest(P, old, &old.replace("timeout: 50", "timeout: 500"));
}

#[test]
fn skip_in_the_name_is_no_skip() {
    let old = it("adds", "expect(add(1, 2)).toBe(3);");
    honest(P, &old, &format!("{old}{}", it("it.skip( is a word", "expect(words('it.skip(')).toBe(1);")));
}

#[test]
fn test_removed_or_moved() {
    let old = format!("{}{}", it("adds", "expect(add(1, 2)).toBe(3);"), it("drops", "const c = cart();\nexpect(drop(c)).toBe(0);"));
    let w = weak_at(P, &old, &it("adds", "expect(add(1, 2)).toBe(3);"), TestRemoved, "it('drops', () => {");
    assert_eq!(w.tests, ["drops"]);
    honest(P, &old, &format!("describe('cart', () => {{\n{}\n}});\n", old.replace('\n', "\n  ")));
    honest(P, &old, &old.replace("'drops'", "'drops the last item'"));
}

#[test]
fn each_rows() {
    let old = "it.each([\n  [1, 2],\n  [2, 4],\n])('doubles %i', (a, b) => {\n  expect(double(a)).toBe(b);\n});\n";
    weak(P, old, &old.replace("[2, 4]", "[2, 5]"), ExpectationRewritten);
    weak_at(P, old, &old.replace("  [2, 4],\n", ""), TestRemoved, "[2, 4],");
    honest(P, old, &old.replace("  [2, 4],\n", "  [2, 4],\n  [3, 6],\n"));
}

#[test]
fn tests_become_rows() {
    let old = format!("{}{}", it("doubles 1", "expect(double(1)).toBe(2);"), it("doubles 2", "expect(double(2)).toBe(4);"));
    honest(P, &old, "it.each([[1, 2], [2, 4]])('doubles %i', (a, b) => {\n  expect(double(a)).toBe(b);\n});\n");
}

#[test]
fn swallowed() {
    let old = it("loads", "const r = load();\nexpect(r).toBe(1);");
    weak_at(P, &old, &it("loads", "try {\n  const r = load();\n  expect(r).toBe(1);\n} catch {\n}"), Swallowed, "} catch {");
    weak(P, &old, &it("loads", "try {\n  const r = load();\n  expect(r).toBe(1);\n} catch (e) {\n  console.log(e);\n}"), Swallowed);
    honest(P, &old, &it("loads", "try {\n  const r = load();\n  expect(r).toBe(1);\n} catch (e) {\n  throw new Error('load: ' + e);\n}"));
    honest(P, &old, &it("loads", "const r = load();\nexpect(r).toBe(1);\ntry {\n  close();\n} catch {}"));
}

#[test]
fn function_under_test_hidden() {
    let old = "  it('adds', () => {\n    const r = total(cart);\n    expect(r).toBe(3);\n  });\n";
    let with = |line: &str| old.replace("=> {\n", &format!("=> {{\n    {line}\n"));
    weak("src/cart.test.ts", old, &with("const total = vi.fn().mockReturnValue(3);"), Mocked);
    weak("src/cart.test.ts", old, &with("const total = jest.fn(() => 3);"), Mocked);
    honest("src/cart.test.ts", old, &with("const now = vi.fn().mockReturnValue(0);"));
    let run = old.replace("total(", "run(");
    weak("src/cart.test.ts", &run, &run.replace("=> {\n", "=> {\n    const run = vi.fn().mockReturnValue(3);\n"), Mocked);
    let fetch = old.replace("total(", "fetch(");
    honest("src/cart.test.ts", &fetch, &fetch.replace("=> {\n", "=> {\n    const fetch = vi.fn().mockReturnValue(3);\n"));
    let own = old.replace("=> {\n", "=> {\n    const total = makeTotal();\n");
    weak("src/cart.test.ts", &own, &own.replace("makeTotal()", "vi.fn().mockReturnValue(3)"), Mocked);
}

#[test]
fn module_under_test_mocked() {
    let old = "import { price } from './price';\n\nit('prices', () => {\n  expect(price(2)).toBe(4);\n});\n";
    weak(P, old, &old.replace("\n\nit(", "\njest.mock('./price', () => ({ price: () => 4 }));\n\nit("), Mocked);
    // A dependency of it is another thing.
    honest(P, old, &format!("import {{ rates }} from './rates';\njest.mock('./rates');\n{old}"));
    honest(P, old, &old.replace("  expect(", "  vi.spyOn(console, 'error').mockImplementation(() => {});\n  expect("));
}

#[test]
fn method_stubbed() {
    let old = it("prices", "const s = new Shop();\nexpect(s.price(2)).toBe(4);");
    weak(P, &old, &it("prices", "const s = new Shop();\njest.spyOn(s, 'price').mockReturnValue(4);\nexpect(s.price(2)).toBe(4);"), Mocked);
    honest(P, &old, &it("prices", "const s = new Shop();\njest.spyOn(s, 'loadRates').mockReturnValue({});\nexpect(s.price(2)).toBe(4);"));
}

#[test]
fn inline_snapshot() {
    let old = it("renders", "expect(render()).toMatchInlineSnapshot(`<b>1</b>`);");
    weak(P, &old, &it("renders", "expect(render()).toMatchInlineSnapshot(`<b>2</b>`);"), ExpectationRewritten);
    honest(P, &it("renders", "expect(render()).toMatchInlineSnapshot();"), &old);
}

#[test]
fn chained_http() {
    let old = it("gets", "await request(app).get('/').expect(200);");
    weak(P, &old, &it("gets", "await request(app).get('/').expect(500);"), ExpectationRewritten);
    honest(P, &old, &it("gets", "await request(app)\n  .get('/')\n  .expect(200);"));
}

#[test]
fn node_assert() {
    let old = "test('adds', () => {\n  assert.strictEqual(add(1, 2), 3);\n  assert.ok(ready());\n});\n";
    weak(P, old, &old.replace("), 3)", "), 4)"), ExpectationRewritten);
    weak(P, old, &old.replace("  assert.ok(ready());\n", ""), AssertionRemoved);
    honest(P, old, &old.replace("assert.strictEqual(", "assert.equal("));
}

#[test]
fn process_ends_green() {
    let old = it("adds", "expect(add(1, 2)).toBe(3);");
    weak_at(P, &old, &format!("process.exit(0);\n{old}"), ForcedGreen, "process.exit(0);");
    weak(P, &old, &format!("globalThis.expect = () => proxy;\n{old}"), ForcedGreen);
    honest(P, &old, &format!("process.env.TZ = 'UTC';\n{old}"));
}

#[test]
fn linters_silenced() {
    let source = "src/cart.ts";
    let w = weak_at(
        source,
        "const x: any = load();\n",
        "// eslint-disable-next-line @typescript-eslint/no-explicit-any\nconst x: any = load();\n",
        Narrowed,
        "// eslint-disable-next-line @typescript-eslint/no-explicit-any",
    );
    assert!(w.lint_only());
    weak(source, "run(1);\n", "// @ts-ignore\nrun(1);\n", Narrowed);
    honest(source, "run(1);\n", "run(1);\n// @ts-ignore\nlegacy();\n");
    honest(source, "// @ts-ignore\nrun(1);\n", "run(1);\n");
    // In a test of types an expected error is an assertion.
    honest(P, &it("adds", "add('1');\nexpect(1).toBe(one());"), &it("adds", "// @ts-expect-error\nadd('1');\nexpect(1).toBe(one());"));
}

#[test]
fn messages_may_change() {
    honest(
        P,
        "test('adds', () => {\n  assert.equal(add(1, 2), 3, 'sum');\n});\n",
        "test('adds', () => {\n  assert.equal(add(1, 2), 3, 'the sum');\n});\n",
    );
}

#[test]
fn regular_expressions_hide_quotes() {
    let old = it("matches", "expect(clean(/[\"'`]/g)).toBe(1);\nexpect(b()).toBe(2);");
    honest(P, &old, &it("matches", "expect(clean(/[\"'`]/g)).toBe(1);\nexpect(b()).toBe(2);\nexpect(c()).toBe(3);"));
    weak(P, &old, &it("matches", "expect(clean(/[\"'`]/g)).toBe(1);"), AssertionRemoved);
}

#[test]
fn new_file() {
    assert!(examine(P, Some(""), "it.skip('a', () => {});\n").is_empty());
    assert!(examine(P, None, &it("a", "expect(true).toBe(true);")).is_empty());
}

#[test]
fn bodies_written_in_one_line() {
    let old = "it('a', () => expect(f()).toBe(1));\nit('b', () => expect(g()).toBe(2));\n";
    let w = weak(P, old, &old.replace("toBe(2)", "toBe(3)"), ExpectationRewritten);
    assert_eq!(w[0].tests, ["b"]);
    honest(P, old, "it('b', () => expect(g()).toBe(2));\nit('a', () => {\n  expect(f()).toBe(1);\n});\n");
}
