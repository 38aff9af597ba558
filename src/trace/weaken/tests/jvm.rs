//! Java, Kotlin and C#.

use super::super::WeakeningKind::*;
use super::{honest, weak, weak_at};

const J: &str = "src/test/java/shop/CartTest.java";
const K: &str = "src/test/kotlin/shop/CartTest.kt";
const CS: &str = "Shop.Tests/CartTests.cs";

fn java(body: &str) -> String {
    format!("class CartTest {{\n    @Test\n    void adds() {{\n        {}\n    }}\n}}\n", body.replace('\n', "\n        "))
}

#[test]
fn junit_assertions() {
    let old = java("Cart c = new Cart();\nassertEquals(3, c.total());\nassertTrue(c.isOpen());");
    let w = weak(J, &old, &old.replace("(3, c", "(4, c"), ExpectationRewritten);
    assert_eq!(w[0].tests, ["adds"]);
    weak_at(J, &old, &java("Cart c = new Cart();\nassertEquals(3, c.total());"), AssertionRemoved, "assertTrue(c.isOpen());");
    weak(J, &old, &old.replace("assertEquals(3, c.total())", "assertNotNull(c.total())"), ExpectationRewritten);
    honest(J, &old, &old.replace("assertEquals(3, c.total())", "assertEquals(3, c.total(), \"total\")"));
    honest(J, &old, &old.replace("assertEquals(3, c.total())", "assertEquals(\"total\", 3, c.total())"));
    honest(J, &old, &old.replace("assertEquals(3, c.total())", "assertThat(c.total()).isEqualTo(3)"));
}

#[test]
fn junit_disabled() {
    let old = java("assertEquals(3, total());");
    let w = weak_at(J, &old, &old.replace("    @Test\n", "    @Disabled(\"later\")\n    @Test\n"), Skipped, "@Disabled(\"later\")");
    assert_eq!(w.tests, ["adds"]);
    weak(J, &old, &old.replace("    @Test\n", "    @Test @Ignore\n"), Skipped);
    weak(J, &old, &old.replace("    @Test\n", ""), Skipped);
    weak(J, &old, &old.replace("        assert", "        assumeTrue(false);\n        assert"), Skipped);
    honest(J, &old, &old.replace("    @Test\n", "    @DisplayName(\"adds up\")\n    @Test\n"));
    honest(J, &old, &old.replace("    @Test\n", "    @ParameterizedTest\n"));
}

#[test]
fn junit_errors() {
    let old = java("assertThrows(IllegalStateException.class, () -> pay());");
    weak(J, &old, &old.replace("IllegalStateException", "Exception"), ExpectationRewritten);
    weak(J, &old, &java("pay();"), AssertionRemoved);
    let annotated = java("pay();").replace("@Test", "@Test(expected = ClosedException.class)");
    weak(J, &annotated, &java("pay();"), AssertionRemoved);
    honest(J, &annotated, &java("assertThrows(ClosedException.class, () -> pay());"));
    honest(J, &old, &java("var e = assertThrows(IllegalStateException.class, () -> pay());\nassertEquals(\"closed\", e.getMessage());"));
}

#[test]
fn mockito() {
    let old = java("run(mailer);\nverify(mailer, times(1)).send(\"x\");");
    weak(J, &old, &java("run(mailer);"), AssertionRemoved);
    weak(
        J,
        &java("Cart cart = new Cart();\nassertEquals(3, cart.total());"),
        &java("Cart cart = mock(Cart.class);\nwhen(cart.total()).thenReturn(3);\nassertEquals(3, cart.total());"),
        Mocked,
    );
    honest(
        J,
        &java("Rates rates = new Rates();\nassertEquals(3, new Cart(rates).total());"),
        &java("Rates rates = mock(Rates.class);\nassertEquals(3, new Cart(rates).total());"),
    );
}

#[test]
fn swallowed_in_java() {
    let old = java("pay();\nassertTrue(paid());");
    weak(J, &old, &java("try {\n    pay();\n    assertTrue(paid());\n} catch (Exception e) {\n    // ignore\n}"), Swallowed);
    honest(J, &old, &java("try {\n    pay();\n    assertTrue(paid());\n} catch (Exception e) {\n    fail(e);\n}"));
}

#[test]
fn kotlin() {
    let old =
        "class CartTest {\n    @Test\n    fun `adds up`() {\n        cart().total shouldBe 3\n        assertEquals(2, size())\n    }\n}\n";
    let w = weak(K, old, &old.replace("shouldBe 3", "shouldBe 4"), ExpectationRewritten);
    assert_eq!(w[0].tests, ["adds up"]);
    weak(K, old, &old.replace("        assertEquals(2, size())\n", ""), AssertionRemoved);
    honest(K, old, &old.replace("adds up", "adds it all up"));
}

fn csharp(attributes: &str, body: &str) -> String {
    format!(
        "public class CartTests\n{{\n    {attributes}\n    public void Adds()\n    {{\n        {}\n    }}\n}}\n",
        body.replace('\n', "\n        ")
    )
}

#[test]
fn xunit() {
    let old = csharp("[Fact]", "var c = new Cart();\nAssert.Equal(3, c.Total());\nAssert.True(c.Open);");
    let w = weak(CS, &old, &old.replace("(3, c", "(4, c"), ExpectationRewritten);
    assert_eq!(w[0].tests, ["Adds"]);
    weak_at(CS, &old, &csharp("[Fact]", "var c = new Cart();\nAssert.Equal(3, c.Total());"), AssertionRemoved, "Assert.True(c.Open);");
    weak_at(CS, &old, &old.replace("[Fact]", "[Fact(Skip = \"later\")]"), Skipped, "[Fact(Skip = \"later\")]");
    honest(CS, &old, &old.replace("[Fact]", "[Fact(DisplayName = \"adds\")]"));
}

#[test]
fn theories() {
    let old = csharp("[Theory]\n    [InlineData(1, 2)]\n    [InlineData(2, 4)]", "Assert.Equal(b, Double(a));");
    weak(CS, &old, &old.replace("(2, 4)", "(2, 5)"), ExpectationRewritten);
    weak(CS, &old, &old.replace("    [InlineData(2, 4)]\n", ""), TestRemoved);
    honest(CS, &old, &old.replace("    [InlineData(2, 4)]\n", "    [InlineData(2, 4)]\n    [InlineData(3, 6)]\n"));
}

#[test]
fn fluent_assertions() {
    let old = csharp("[Test]", "Total().Should().Be(3);");
    weak(CS, &old, &csharp("[Test]", "Total().Should().Be(4);"), ExpectationRewritten);
    weak(CS, &old, &csharp("[Test]", "Total().Should().NotBeNull();"), ExpectationRewritten);
    honest(CS, &old, &csharp("[Test]", "Total().Should().Be(3, \"of the sum\");"));
}

#[test]
fn nunit() {
    let old = csharp("[Test]", "Assert.That(Total(), Is.EqualTo(3));");
    weak(CS, &old, &csharp("[Test]", "Assert.That(Total(), Is.EqualTo(4));"), ExpectationRewritten);
    weak(CS, &old, &csharp("[Test, Ignore(\"later\")]", "Assert.That(Total(), Is.EqualTo(3));"), Skipped);
    honest(CS, &old, &csharp("[Test, Category(\"unit\")]", "Assert.That(Total(), Is.EqualTo(3));"));
}
