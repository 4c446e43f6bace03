import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as fc from "fast-check"
import { LinearRegExp } from "../../src/Row/Expression/Regex.ts"
import { type Bindings, compile, program } from "../../src/Row/Expression.ts"
import { assert, describe, it, scoped } from "../It.ts"
import { skipsLong } from "../Long.ts"

const bindings: Bindings = {
  names: { key: "k", source: { path: "/in/a.pdf", name: "a.pdf" } },
  now: new Date("2026-01-31T10:20:30.000Z"),
  random: () => 0.25
}
const names = ["$key", "source"]

const evaluate = (source: string, data: unknown = {}) =>
  Effect.flatMap(compile(source, { names }), (expression) => expression.evaluate(data, bindings))

const gives = (source: string, expected: unknown, data: unknown = {}) =>
  Effect.map(evaluate(source, data), (value) => assert.deepStrictEqual(value, expected, source))

const mistake = (source: string) => {
  const compiled = compile(source, { names })
  assert.isTrue(Either.isLeft(compiled), source)
  return Either.isLeft(compiled) ? compiled.left : undefined
}

describe("Row/Expression", () => {
  scoped("reads rows, names and defaults", function* () {
    yield* gives("metadata.title ?? $source.name", "a.pdf")
    yield* gives("none ?? 'b'", "b", { none: null })
    yield* gives("none ?? gone ?? 0", 0, { none: null })
    yield* gives("empty ?? 'b'", "", { empty: "" })
    yield* gives("$exists(none)", true, { none: null })
    yield* gives("$key & '!'", "k!")
    yield* gives("links.url", ["a", "b"], { links: [{ url: "a" }, { url: "b" }] })
    yield* gives("[links.url]", ["a"], { links: [{ url: "a" }] })
    yield* gives("metadata.statusCode = 200 and $length(markdown) > 2", true, {
      metadata: { statusCode: 200 },
      markdown: "abc"
    })
    yield* gives("$count($split(markdown, /\\s+/))", 3, { markdown: "a\u00a0b\n c" })
    yield* gives("$", [1, 2], [1, 2])
    yield* gives("$max(n) - $min(n)", 199_999, { n: Array.from({ length: 200_000 }, (_, index) => index) })
    yield* gives("a", 1, [{ a: 1 }])
  })

  scoped("has the functions for web data, which return nothing for strings that they cannot read", function* () {
    yield* gives("$host(u)", "example.com", { u: "https://Example.com/x" })
    yield* gives("u ~> $canonicalUrl()", "https://example.com/x", { u: "https://Example.com/x/?utm_a=1" })
    yield* gives("$host('x') ?? 'none'", "none")
    yield* gives("$slug('Das Ölfass, 2. Teil!')", "das-olfass-2-teil")
    yield* gives("$json('{\"a\":[1]}').a", [1])
    // A page may contain a string that no expression can produce.
    yield* gives("$json(t) ?? 'none'", "none", { t: "[".repeat(20_000) + "]".repeat(20_000) })
    yield* gives("$json('{')", undefined)
    const html =
      '<h1>A <b>b</b></h1><script type="application/ld+json">{"@type":"Product","sku":"K","n":[{"p":1}]}</script>'
    yield* gives("$css(h, 'h1')", "A b", { h: html })
    yield* gives("h ~> $css('h2')", undefined, { h: html })
    yield* gives("$css(nothing, 'h2') ?? 'none'", "none", { h: html })
    yield* gives("$data(h, 'Product.sku')", "K", { h: html })
    yield* gives("$data(h, 'Product.n.p')", 1, { h: html })
    // Also where the expression is not compiled to a closure.
    yield* gives("[1].($data($$.h, 'Product.sku') & $css($$.h, 'b'))", "Kb", { h: html })
    yield* gives("$date('31 Jan 2026 11:00 +0100')", "2026-01-31T10:00:00.000Z")
    yield* gives("$date('2026-01-31T10:00:00')", "2026-01-31T10:00:00.000Z")
    yield* gives("$date('2026-01-31 10:00:00+02')", "2026-01-31T08:00:00.000Z")
    yield* gives("$date('Sat, 31 Jan 2026 10:00:00 +0200 (EET)')", "2026-01-31T08:00:00.000Z")
    yield* gives("$date('Sat, 31 Jan 2026 10:00:00 GMT', '[Y]-[M01]')", "2026-01")
    yield* gives("$date(0)", "1970-01-01T00:00:00.000Z")
    yield* gives("$exists($date('soon')) or $exists($date('soon', '[Y]')) or $exists($date(nothing, '[Y]'))", false)
    yield* gives("$match(text, /(?<y>\\d+)-(\\w)?/).groups", ["12", null], { text: "x 12- y" })
    yield* gives("$replace('a  b', /\\s+/, ' ')", "a b")
    yield* gives("$map(['https://a.b/'], $host)", "a.b")
  })

  scoped("reads numbers, prices and dates of pages, compiled and by JSONata alike", function* () {
    const row = {
      price: "1.299,00 €",
      n: "1.250",
      lang: "de",
      seen: "vor 2 Tagen",
      none: null,
      bad: "31. Februar 2024"
    }
    const both = (source: string, expected: unknown) =>
      Effect.zipRight(gives(source, expected, row), gives(`($f := 1; ${source})`, expected, row))
    yield* both("$price(price)", { amount: 1299, currency: "EUR" })
    yield* both("price.$price().amount", 1299)
    yield* both("$price('24,90', 'in CHF')", { amount: 24.9, currency: "CHF" })
    yield* both("$price('$5', none, 'en-CA').currency", "CAD")
    yield* both("$price(12.5, 'PLN')", { amount: 12.5, currency: "PLN" })
    yield* both("$price('on request') ?? $price(none) ?? $price(nothing) ?? 'none'", "none")
    yield* both("$map(['5 €', '6 €'], $price).amount", [5, 6])
    yield* both("$number(n, lang)", 1250)
    yield* both("$number(n, '')", 1.25)
    yield* both("$number(n)", 1.25)
    yield* both("$number('ab 12', lang) ?? 'none'", "none")
    yield* both("$number(true, lang)", 1)
    yield* both("$map(['1', '2'], $number)", [1, 2])
    yield* both("$date(seen, {'language': lang})", "2026-01-29T00:00:00.000Z")
    yield* both("$date(seen, {'locale': lang, 'now': '2024-03-01'})", "2024-02-28T00:00:00.000Z")
    yield* both(
      "$date('5. März 2024 14:30', {'language': lang, 'timezone': 'Europe/Berlin'})",
      "2024-03-05T13:30:00.000Z"
    )
    yield* both("$date('03/04/2025', {'order': 'dmy'})", "2025-04-03T00:00:00.000Z")
    yield* both("$date(bad, {'language': lang}) ?? $date('03/04/2025', {}) ?? 'none'", "none")
    // With one argument they stay strict.
    yield* both("$date(seen) ?? 'none'", "none")
    const fails = (source: string, reason: RegExp) =>
      Effect.map(Effect.flip(evaluate(source, row)), ({ message }) => assert.match(message, reason))
    yield* fails("$number('1,299')", /\$number cannot read "1,299"/)
    yield* fails(
      "$date(seen, {'lang': 'de'})",
      /\$date has no option "lang": its options are now, language, order and timezone/
    )
    for (const source of [
      "$date($)",
      "$date({'order': 'DMY'})",
      "($f := function($x) { $date($x) }; $f($))",
      "$date()"
    ]) {
      yield* fails(
        source,
        /the row, which is used instead, is an object, and .* is read as the options: write \$date\(value, /
      )
    }
    yield* fails("$date(seen, {'order': 'YDM'})", /"YDM" is not an order for \$date/)
    yield* fails("$date(seen, {'timezone': 'Mars'})", /"Mars" is not a time zone/)
    yield* fails(
      "$date(seen, {'language': 5})",
      /the options language, order and timezone of \$date are strings, got 5/
    )
    yield* fails("$date(seen, {'now': 'soon'})", /the option "now" of \$date must be a time .*, got "soon"/)
  })

  scoped("fixes the clock and the random numbers of the run", function* () {
    yield* gives("$now()", "2026-01-31T10:20:30.000Z")
    yield* gives("$now('[Y0001]/[M01]')", "2026/01")
    yield* gives("$millis()", 1769854830000)
    yield* gives("$random()", 0.25)
    yield* gives("$shuffle([1, 2, 3, 4])", [4, 3, 1, 2])
    yield* gives("$shuffle(nothing)", undefined)
    yield* gives("$fromMillis($toMillis('12:30', '[H01]:[m01]'), '[Y]-[M01]-[D01]')", "2026-01-31")
  })

  scoped("returns plain JSON, without marks of the library or extra arrays", function* () {
    const value = yield* evaluate("a.{'x': b, '__proto__': 1}", { a: [{ b: 1 }, { b: [2] }] })
    assert.strictEqual(JSON.stringify(value), '[{"x":1,"__proto__":1},{"x":[2],"__proto__":1}]')
    const list = yield* evaluate("a[b > 1]", { a: [{ b: 2 }, { b: 3 }] })
    assert.deepStrictEqual(Object.keys(list as object), ["0", "1"])
    assert.strictEqual(Object.getPrototypeOf((list as Array<object>)[0]), Object.prototype)
  })

  scoped("neither reads nor changes prototypes", function* () {
    for (const source of [
      "constructor",
      "a.constructor.name",
      "__proto__",
      "a.__proto__.x",
      "$lookup(a, 'constructor')",
      "a.toString",
      "$string.constructor"
    ]) {
      yield* gives(source, undefined, { a: { b: 1 } })
    }
    yield* evaluate("$ ~> |a|{'__proto__': {'polluted': 1}}|", { a: { b: 1 } })
    yield* evaluate("$merge([{'__proto__': {'polluted': 1}}, {'constructor': {'prototype': {'polluted': 1}}}])")
    assert.isUndefined(({} as Record<string, unknown>).polluted)
  })

  scoped.skipIf(skipsLong)("stops expressions that would not end", function* () {
    const codeOf = (source: string, data?: unknown) =>
      Effect.map(Effect.flip(evaluate(source, data)), (error) => {
        assert.strictEqual(error._tag, "EvaluationError")
        return error._tag === "EvaluationError" ? error.code : ""
      })
    // A slow machine may not come to the bottom within its second.
    assert.match(yield* codeOf("($f := function($n) { $f($n + 1) + 1 }; $f(0))"), /^D101[12]$/)
    assert.strictEqual(yield* codeOf("($f := function($n) { $f($n + 1) }; $f(0))"), "D1012")
    assert.strictEqual(yield* codeOf("$count([1..2000000])"), "D2015")
    const before = process.cpuUsage()
    yield* gives("$contains(text, /^(a+)+$/)", false, { text: `${"a".repeat(40)}!` })
    yield* gives("$contains(text, /\\s+$/)", false, { text: `${" ".repeat(200_000)}x` })
    assert.isBelow(process.cpuUsage(before).user, 2_000_000)
    assert.strictEqual(yield* codeOf("$sum"), "D0001")
    assert.strictEqual(yield* codeOf("function($x) { $x }"), "D0001")
  })

  scoped("says why a row failed", function* () {
    const say = (source: string, data: unknown) =>
      Effect.map(Effect.flip(evaluate(source, data)), (error) => error.message)
    const sides = "both sides of > must be numbers, or both strings, got the string"
    assert.strictEqual(yield* say("a > 1", { a: "x" }), `${sides} "x" and a number, in: a > 1`)
    assert.strictEqual(
      yield* say("10 > a", { a: "9.50" }),
      `${sides} "9.50" and a number: write $number(…) around the string, in: 10 > a`
    )
    assert.strictEqual(yield* say("$lowercase(a)", { a: 1 }), "argument 1 of $lowercase cannot be 1, in: $lowercase(a)")
    assert.include(yield* say("$map([1], function($x) { $lowercase($x) })", {}), "argument 1 of $lowercase cannot be 1")
    assert.include(yield* say("$number(a)", { a: "ten" }), '$number cannot read "ten"')
    assert.include(yield* say("$error('mine')", {}), "mine")
    assert.include(yield* say("$sum(a) + 1", { a: ["x"] }), 'argument 1 of $sum must have only numbers, got "x"')
    assert.include(yield* say('$join(a, ", ")', { a: [1] }), "argument 1 of $join must have only strings, got 1")
  })

  it("finds errors before the first row, with their place", () => {
    const at = (source: string, position: number, text: string) => {
      const error = mistake(source)
      assert.include(error?.message, text)
      assert.strictEqual(error?.position, position, error?.message)
    }
    at("a + $souce.name", 4, "did you mean $source?")
    at("$lenght(a)", 0, "did you mean $length?")
    at("$eval('1')", 0, "disabled")
    at("$zzzzzzzzz", 0, "known: $key, $source")
    at("a = = b", 4, "cannot be used as a unary operator")
    at("$length(a", 9, "before end of expression")
    at("$match(a, /(?=x)y/)", 10, "linear time")
    at("$match(a, /(x)\\1/)", 10, "back-references")
    at("$match(a, /(/)", 14, "No terminating")
    for (const [source, advice] of [
      ["a && b", "write `and` for &&"],
      ["a || b", "write `or` for ||"],
      ["a == 'b'", "write one = to compare"],
      ["a === 'b'", "write one = to compare"],
      ["a !== 1", "write != for !=="],
      ["a and !b", "write $not(…) for !"],
      ["$map(a, x => x)", "write function($x) { … } for =>"],
      ["a?.b = 1", "write . for ?.: a path gives nothing where a field is missing"],
      ["a <> 1", "write != for <>"],
      ["a = 1 AND b", "write and, or and in in lower case"],
      ["new Date()", "write $now() for new Date"],
      ["{{ a }} = 1", "name fields without {{ }}"],
      ["a | $trim", "write ~> to pass a value to a function"],
      ["a[0..10]", "write tags[[0..2]] for items, $substring(…) for a part of a string"],
      ["if a > 3 then 1 else 2", "write a ? b : c for if"],
      ["a between 1 and 2", "write a <= x and x <= b for between"],
      ["metadata.og:title", "enclose a name with other signs in backquotes, like metadata.`og:title`"],
      ["not a", "write $not(…) for not"],
      ["a is null", "write $exists(…) or $not($exists(…)) for is"],
      ['a contains "x"', 'write $contains(title, "…")'],
      // The advice is about the place of the error.
      ['a == 200 && b = "x"', "write one = to compare"],
      ["a && b == 1", "write `and` for &&"],
      ["`a&&b` == 2", "write one = to compare"],
      ["/&&/ == 1", "write one = to compare"]
    ] as const)
      assert.isTrue(mistake(source)?.message.includes(`; ${advice} (`), mistake(source)?.message)
    assert.notInclude(mistake('a "&&"')?.message ?? "", "write")
    assert.include(mistake("$match(a, /[b-a]/)")?.message, "Invalid regular expression")
    assert.include(mistake('$css("h1")')?.message, '$css takes the HTML and a selector: $css(rawHtml, "h1")')
    assert.include(mistake("a & $data('Product.sku')")?.message, "$data takes the HTML and a path")
    for (const source of ['rawHtml ~> $css("h1")', 'rawHtml.$css("h1")', "$map(pages, $css)"])
      assert.isTrue(Either.isRight(compile(source)), source)
    assert.isTrue(Either.isRight(compile("$x := 1")))
    assert.isTrue(Either.isRight(compile("a@$i.b#$j[$i.x = $j]")))
  })

  it.each([
    ["brackets", 500, (count: number) => `${"(".repeat(count)}a${")".repeat(count)}`],
    ["operands", 1999, (count: number) => Array(count).fill("a").join(" or ")]
  ] as const)("refuses too many %s, wherever the stack ends", (_, most, expression) => {
    assert.isTrue(Either.isRight(compile(expression(most), { names })))
    assert.include(mistake(expression(most + 2))?.message, "nested too deeply")
    assert.isTrue(Either.isRight(compile(`a = "${"(".repeat(600)}"`, { names })))
  })

  it("compiles a text once, and judges its names at each place", () => {
    assert.strictEqual(program("$key & title"), program("$key & title"))
    assert.isTrue(Either.isRight(compile("$key & title", { names })))
    assert.isTrue(Either.isLeft(compile("$key & title")))
  })

  it("lists the fields and names that it reads", () => {
    const facts = (source: string) => {
      const expression = Either.getOrThrow(compile(source, { names }))
      return [[...expression.paths].sort(), expression.names]
    }
    assert.deepStrictEqual(facts("metadata.title ?? $source.name"), [["metadata.title"], ["source"]])
    assert.deepStrictEqual(facts("inputs.list[x = $key].y"), [["inputs.list.x", "inputs.list.y"], ["key"]])
    assert.deepStrictEqual(facts("$map(a.b, function($v) { $v.c & d })"), [["a.b", "d"], []])
    assert.deepStrictEqual(facts("$$.a ~> $string()"), [["a"], []])
    assert.deepStrictEqual(facts("a.*.b"), [["a"], []])
    assert.deepStrictEqual(facts("a^(b).c{d: e}"), [["a.b", "a.c", "a.c.d", "a.c.e"], []])
    assert.deepStrictEqual(facts("$now()"), [[], []])
  })

  scoped("evaluates chunks, and one row's failure does not affect the others", function* () {
    for (const source of ["a + 1", "$map(a, function($x) { $x + 1 })"]) {
      const expression = yield* compile(source)
      const results = yield* expression.evaluateChunk([{ a: 1 }, { a: "x" }, { a: 2 }], () => ({ names: {} }))
      assert.deepStrictEqual(
        results.map(Either.map((value) => value)).map((each) => (Either.isRight(each) ? each.right : each.left.code)),
        [2, "T2001", 3]
      )
    }
    assert.isDefined((yield* compile("a.b")).sync)
    assert.isUndefined((yield* compile("a.b[]")).sync)
  })

  scoped("gives copies made by ?? their patterns back", function* () {
    yield* gives("$match(t, /b+/)[0].match ?? 'none'", "bb", { t: "abb" })
    yield* gives("$match(t, /x+/)[0].match ?? 'none'", "none", { t: "abb" })
  })

  it.skipIf(skipsLong)("matches like JavaScript, in linear time", () => {
    const pieces = fc.constantFrom(
      "a",
      "b",
      "\\s",
      "\\S",
      ".",
      "[ab]",
      "[^a]",
      "[\\s\\S]",
      "\\d",
      "\\w",
      "\\b",
      "(a|b)",
      "(?:ab)",
      "^",
      "$",
      "[[a]",
      "\\.",
      "\\-",
      "\\/"
    )
    const quantifier = fc.constantFrom("", "", "", "*", "+", "?", "{1,2}", "+?")
    const pattern = fc.array(
      fc.tuple(pieces, quantifier).map(([piece, times]) => (/^[\^$]|^\\b/.test(piece) ? piece : piece + times)),
      { minLength: 1, maxLength: 4 }
    )
    const text = fc.string({
      unit: fc.constantFrom("a", "b", " ", "\u00a0", "\u2028", "\n", "1", ".", "-", "/", "[", "A"),
      maxLength: 12
    })
    fc.assert(
      fc.property(
        pattern.map((parts) => parts.join("")),
        fc.constantFrom("g", "gi"),
        text,
        (source, flags, input) => {
          const regex = new RegExp(source, flags)
          const linear = new LinearRegExp(regex)
          for (let turn = 0; turn < 4; turn++) {
            const expected = regex.exec(input)
            const actual = linear.exec(input)
            assert.strictEqual(linear.lastIndex, regex.lastIndex)
            assert.deepStrictEqual(
              actual === null ? null : [...actual, actual.index],
              expected === null ? null : [...expected, expected.index]
            )
            if (expected === null || expected[0] === "") return
          }
        }
      ),
      { numRuns: 800 }
    )
  })
})
