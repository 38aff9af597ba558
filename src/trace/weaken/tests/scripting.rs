//! Ruby, PHP and shell.

use super::super::WeakeningKind::*;
use super::{honest, weak, weak_at};

const RB: &str = "spec/cart_spec.rb";
const MT: &str = "test/cart_test.rb";
const PHP: &str = "tests/CartTest.php";
const BATS: &str = "test/cart.bats";

fn spec(name: &str, body: &str) -> String {
    format!("describe Cart do\n  it '{name}' do\n    {}\n  end\nend\n", body.replace('\n', "\n    "))
}

#[test]
fn rspec() {
    let old = spec("adds", "expect(cart.total).to eq(3)\nexpect(cart).to be_open");
    let w = weak(RB, &old, &old.replace("eq(3)", "eq(4)"), ExpectationRewritten);
    assert_eq!(w[0].tests, ["adds"]);
    weak_at(RB, &old, &spec("adds", "expect(cart.total).to eq(3)"), AssertionRemoved, "expect(cart).to be_open");
    weak(RB, &old, &old.replace(".to be_open", ".not_to be_open"), ExpectationRewritten);
    honest(RB, &old, &old.replace("eq(3)", "eq 3"));
    honest(RB, &old, &old.replace("'adds'", "'adds up'"));
}

#[test]
fn rspec_skips() {
    let old = spec("adds", "expect(cart.total).to eq(3)");
    weak_at(RB, &old, &old.replace("  it 'adds'", "  xit 'adds'"), Skipped, "xit 'adds' do");
    weak(RB, &old, &spec("adds", "skip 'later'\nexpect(cart.total).to eq(3)"), Skipped);
    weak(RB, &old, &old.replace("'adds' do", "'adds', skip: true do"), Skipped);
    honest(RB, &old, &old.replace("'adds' do", "'adds', :unit do"));
    honest(RB, &old, &spec("adds", "cart.skip_tax\nexpect(cart.total).to eq(3)"));
}

#[test]
fn rspec_errors_and_stubs() {
    let old = spec("fails", "expect { pay }.to raise_error(Closed)");
    weak(RB, &old, &spec("fails", "expect { pay }.to raise_error"), ExpectationRewritten);
    weak(RB, &old, &spec("fails", "expect { pay }.not_to raise_error"), ExpectationRewritten);
    weak(
        RB,
        &spec("adds", "expect(cart.total).to eq(3)"),
        &spec("adds", "allow(cart).to receive(:total).and_return(3)\nexpect(cart.total).to eq(3)"),
        Mocked,
    );
    honest(
        RB,
        &spec("adds", "expect(cart.total).to eq(3)"),
        &spec("adds", "allow(rates).to receive(:load).and_return({})\nexpect(cart.total).to eq(3)"),
    );
}

#[test]
fn minitest() {
    let old = "class CartTest < Minitest::Test\n  def test_adds\n    assert_equal 3, cart.total\n    refute cart.closed?\n  end\nend\n";
    let w = weak(MT, old, &old.replace("assert_equal 3", "assert_equal 4"), ExpectationRewritten);
    assert_eq!(w[0].tests, ["test_adds"]);
    weak(MT, old, &old.replace("    refute cart.closed?\n", ""), AssertionRemoved);
    weak(MT, old, &old.replace("    assert_equal 3, cart.total\n", "    assert cart.total\n"), ExpectationRewritten);
    honest(MT, old, &old.replace("assert_equal 3, cart.total", "assert_equal(3, cart.total)"));
}

fn php(body: &str) -> String {
    format!(
        "class CartTest extends TestCase\n{{\n    public function testAdds(): void\n    {{\n        {}\n    }}\n}}\n",
        body.replace('\n', "\n        ")
    )
}

#[test]
fn phpunit() {
    let old = php("$c = new Cart();\n$this->assertSame(3, $c->total());\n$this->assertTrue($c->open());");
    let w = weak(PHP, &old, &old.replace("(3, $c", "(4, $c"), ExpectationRewritten);
    assert_eq!(w[0].tests, ["testAdds"]);
    weak(PHP, &old, &old.replace("        $this->assertTrue($c->open());\n", ""), AssertionRemoved);
    weak_at(
        PHP,
        &old,
        &old.replace("        $c = new", "        $this->markTestSkipped('later');\n        $c = new"),
        Skipped,
        "$this->markTestSkipped('later');",
    );
    honest(PHP, &old, &old.replace("$this->assertSame", "self::assertSame"));
    honest(PHP, &old, &old.replace("testAdds", "testAddsUp"));
}

#[test]
fn pest() {
    let old = "it('adds', function () {\n    expect(total())->toBe(3);\n});\n";
    weak(PHP, old, &old.replace("toBe(3)", "toBe(4)"), ExpectationRewritten);
    weak(PHP, old, &old.replace("});", "})->skip();"), Skipped);
    honest(PHP, old, &old.replace("it('adds'", "test('adds'"));
}

#[test]
fn bats() {
    let old = "@test \"adds\" {\n  run add 1 2\n  [ \"$status\" -eq 0 ]\n  [ \"$output\" = \"3\" ]\n}\n";
    let w = weak(BATS, old, &old.replace("\"3\"", "\"4\""), ExpectationRewritten);
    assert_eq!(w[0].tests, ["adds"]);
    weak(BATS, old, &old.replace("  [ \"$status\" -eq 0 ]\n", ""), AssertionRemoved);
    weak_at(BATS, old, &old.replace("  run add", "  skip \"later\"\n  run add"), Skipped, "skip \"later\"");
    honest(BATS, old, &old.replace("[ \"$output\" = \"3\" ]", "[[ \"$output\" == 3 ]]"));
}

#[test]
fn hooks_and_check_scripts() {
    let path = "scripts/check.sh";
    let old = "#!/bin/sh\nset -e\ncargo clippy\ncargo test\n";
    weak_at(path, old, &old.replace("cargo test", "cargo test || true"), ForcedGreen, "cargo test || true");
    weak_at(path, old, &old.replace("set -e\n", ""), ForcedGreen, "set -e");
    weak_at(path, old, &old.replace("set -e\n", "set -e\nexit 0\n"), ForcedGreen, "exit 0");
    weak_at(path, old, &old.replace("cargo test\n", ""), Narrowed, "cargo test");
    weak(path, old, &old.replace("cargo test", "cargo test -- --skip broken_one"), Narrowed);
    honest(path, old, &old.replace("set -e", "set -euo pipefail"));
    honest(path, old, &old.replace("cargo test", "cargo test --workspace"));
    honest(path, old, &old.replace("cargo test\n", "cargo test\nrm -f out.log || true\n"));
    honest(path, old, &old.replace("cargo clippy\n", "if [ \"$1\" = --help ]; then\n  usage\n  exit 0\nfi\ncargo clippy\n"));
    weak(".husky/pre-commit", "npm test\n", "npm test || exit 0\n", ForcedGreen);
    honest(".husky/pre-commit", "npm test\n", "npm run lint\nnpm test\n");
}

#[test]
fn statuses_kept_by_hand() {
    let path = "run_tests.sh";
    honest(path, "set -e\npytest\n", "set +e\npytest\nstatus=$?\nset -e\nexit $status\n");
    weak(path, "set -e\npytest\n", "set +e\npytest\necho done\n", ForcedGreen);
    weak(path, "pytest\nexit $?\n", "pytest\nexit 0\n", ForcedGreen);
}
