/** Expressions over hostile values: each ends within its limit, with its value or with an error that says what was too much. */

import { AsyncLocalStorage } from "node:async_hooks"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { limits } from "../../src/Row/Expression/Limits.ts"
import { compile } from "../../src/Row/Expression.ts"
import { canonicalUrl } from "../../src/Row/Url.ts"
import type { Row } from "../../src/Row.ts"
import { evaluate } from "../../src/Step/Chunked.ts"
import { assert, describe, it, scoped } from "../It.ts"
import { skipsLong } from "../Long.ts"

const bindings = { names: {}, now: new Date("2026-01-31T10:20:30.000Z"), random: () => 0.25 }

/** Milliseconds of computing: the deadline of a row, and one call of V8 after it. */
const patience = () => 2 * Math.max(1_000, limits.timeout)

const attempt = (source: string, data: unknown) =>
  Effect.gen(function* () {
    const expression = yield* compile(source)
    const before = process.cpuUsage()
    const result = yield* Effect.either(expression.evaluate(data, bindings))
    const { user, system } = process.cpuUsage(before)
    return { result, took: (user + system) / 1000 }
  })

const codeOf = (source: string, data: unknown = {}) =>
  Effect.map(attempt(source, data), ({ result, took }) => {
    assert.isBelow(took, patience(), source)
    return Either.match(result, { onLeft: (error) => error.code, onRight: (value) => ({ value }) })
  })

/** Other limits until the test ends. */
const limited = (changed: Partial<typeof limits>) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const before = { ...limits }
      Object.assign(limits, changed)
      return before
    }),
    (before) => Effect.sync(() => Object.assign(limits, before))
  )

/** With a shorter deadline: its being there is tested, not its length. */
const hurried = limited({ timeout: 60 })

const many = (count: number) => Array.from({ length: count }, (_, index) => `https://example.com/${index}`)

const gives = (source: string, expected: unknown, data: unknown = {}) =>
  Effect.map(codeOf(source, data), (value) => assert.deepStrictEqual(value, { value: expected }, source))

const fails = (source: string, code: string, data: unknown = {}) =>
  Effect.map(codeOf(source, data), (found) =>
    assert.strictEqual(typeof found === "string" ? found : "no failure", code, source)
  )

describe("expressions over hostile values", () => {
  scoped("finds distinct values among many in linear time", function* () {
    const links = many(60_000)
    yield* gives("$count($distinct(links))", 60_000, { links: [...links, ...links.slice(0, 1000)] })
    const objects = many(10_000).flatMap((url, at) => [
      { url, at },
      { at, url }
    ])
    yield* gives("$count($distinct(objects))", 10_000, { objects })
    yield* gives("($two := n; $max($two) + $max([$two, 0]))", 299_998, {
      n: Array.from({ length: 150_000 }, (_, index) => index)
    })
    yield* gives("$count($spread(l))", 30_000, { l: many(30_000).map((url) => ({ url })) })
  })

  scoped("considers equal what = considers equal", function* () {
    yield* gives("$distinct(a)", [1, "1", null, true, "true", { x: 1, y: [2] }, [1], []], {
      a: [1, "1", 1, null, true, "true", { x: 1, y: [2] }, { y: [2], x: 1 }, [1], [1], [], null, []]
    })
    yield* gives("$distinct(a.b)", 1, { a: [{ b: 1 }, { b: 1 }] })
    yield* gives("$distinct(a.b)", [1, 2], { a: [{ b: 1 }, { b: 2 }, { b: 1 }] })
    yield* gives("$distinct(a)", [{ x: '"},{"' }, { x: "", y: "" }], { a: [{ x: '"},{"' }, { x: "", y: "" }] })
    yield* gives("$distinct('x')", "x")
    yield* gives("$distinct(nothing)", undefined)
  })

  scoped("sorts many values, and stably with a function", function* () {
    yield* gives("$sort(links)[0]", "https://example.com/0", { links: many(60_000).reverse() })
    yield* gives("$sort(n)[-1]", 59_999, {
      n: Array.from({ length: 60_000 }, (_, index) => (index * 7919) % 60_000)
    })
    yield* gives("$sort(a, function($l, $r) { $l.k > $r.k }).v", ["b", "d", "a", "c"], {
      a: [
        { k: 2, v: "a" },
        { k: 1, v: "b" },
        { k: 2, v: "c" },
        { k: 1, v: "d" }
      ]
    })
    yield* gives("$sort(['b', 'a', 'c'])", ["a", "b", "c"])
    yield* gives("$sort(nothing)", undefined)
    yield* gives("$sort('x')", ["x"])
    yield* fails("$sort([1, 'a'])", "D3070")
  })

  scoped("ends library functions that take too long at the deadline of the row", function* () {
    yield* hurried

    const links = many(300_000)
    yield* fails("$map(links, function($one) { $count(links^($)) })", "D1012", { links })
    yield* fails("$reduce(links, function($all, $one) { $append($all, $one) })", "D1012", { links })
    yield* fails("$split(t, /x|a.*b/)", "D1012", { t: "ax".repeat(100_000) })
  })

  scoped("limits the length of strings", function* () {
    yield* fails("$pad('x', 500000000)", "D2016")
    yield* fails("$pad('x', -500000000, 'ab')", "D2016")
    yield* fails("$pad('x', 1e300)", "D2016")
    yield* gives("$pad('x', 5) & $pad('y', -3, '#') & $pad('z', 5, 'ab') & $pad('😀', 2, '-')", "x    ##yzabab😀-")
    yield* fails("$reduce([1..40], function($t, $i) { $t & $t }, 'xxxx')", "D2016")

    yield* fails("$join(a, t)", "D2016", { a: Array.from({ length: 10_000 }, () => "x"), t: "y".repeat(100_000) })
    yield* fails("$length($replace(t, 'x', t))", "D2016", { t: "x".repeat(50_000) })
  })

  scoped("limits the size of values", function* () {
    yield* hurried

    assert.include(["D1012", "D2017"], yield* codeOf("$reduce([1..40], function($t, $i) { {'a': $t, 'b': $t} }, {})"))
    assert.include(
      ["D1012", "D2016"],
      yield* codeOf("$string($reduce([1..40], function($t, $i) { {'a': $t, 'b': $t} }, {}))")
    )
    yield* fails("$count([[1..10000000]])", "D2015")
    yield* fails("$split(t, '')", "D2015", { t: "x".repeat(1_500_000) })
  })

  scoped.skipIf(skipsLong)("ends at the deadline when a definition doubles its values and reads them", function* () {
    yield* hurried

    const nested = "$d := function($n, $x) { $n = 0 ? $x : $d($n - 1, [[$x], [$x]]) }; $d(40, 1)"
    const objects = "$o := function($n, $x) { $n = 0 ? $x : $o($n - 1, {'a': $x, 'b': $x}) }; $o(40, 1)"
    for (const use of [
      `$a := (${nested}); $a = (${nested})`,
      `'' & (${nested})`,
      `$keys((${nested}))`,
      `$boolean((${nested}))`
    ])
      assert.include(["D1012", "D2017"], yield* codeOf(`(${use})`), use)
    for (const use of ["$a = $b", "'' & $a", "$a.**", "$a.*", "$clone($a)", "$distinct([$a, $b])", "$a"])
      assert.include(
        ["D1012", "D2015", "D2017"],
        yield* codeOf(`($a := (${objects}); $b := (${objects}); ${use})`),
        use
      )
    yield* fails(`(${nested}) + 1`, "T2001")
    yield* fails(`$lookup(1, (${nested}))`, "T0410")
  })

  scoped("counts strings by their length wherever they are compared, searched or copied", function* () {
    yield* hurried

    const long =
      "$s := function($n, $x) { $n = 0 ? $x : $s($n - 1, $x & $x) }; $x := $s(22, 'x'); $y := $x & 'a'; $z := $x & 'b'"
    for (const use of [
      "$y = $z",
      "$y < $z",
      "$y in [$z]",
      "$contains($y, 'b')",
      "$uppercase($y)",
      "$match($y, /z.*y/)"
    ])
      yield* fails(`(${long}; $map([1..100000], function() { ${use} }))`, "D1012")
    yield* fails("($s := function($n, $x) { $n = 0 ? $x : $s($n - 1, $x & $x) }; $s(30, 'x'))", "D2016")
    yield* fails("$toMillis(t, '[Y][f][f][f][f][f][f]y')", "D2019", { t: `${"1".repeat(200_000)}a` })
  })

  scoped("reads long strings before the deadline", function* () {
    const t = `${"1".repeat(200_000)}a`
    const u = `${"1".repeat(100)}b${"1".repeat(1_000)}`
    yield* gives("$contains(t, u)", false, { t, u })
    yield* gives("$contains(t, v)", true, { t, v: `${"1".repeat(50_000)}a` })
    yield* gives("$map([t], function($t) { $substringBefore($t, u) = $t })", true, { t, u })
    yield* gives("$count($split(t, u))", 1, { t, u })
    yield* gives("$toMillis(t, '[Y][f][f][f][f][f][f]y')", undefined, { t: t.slice(0, 900) })
  })

  scoped("finds patterns as indexOf does, however long they are", function* () {
    const expression = yield* compile("[$contains(t, p), $substringAfter(t, p), $split(t, p)]")
    const text = Array.from({ length: 120_001 }, (_, at) => "abc"[(at * at + (at >> 3)) % 3] ?? "").join("")
    for (const length of [1, 100, 101, 2_000, 100_001]) {
      for (const start of [0, 99_999, 120_001 - length]) {
        const p = text.slice(start, start + length)
        const at = text.indexOf(p)
        const value = yield* expression.evaluate({ t: text, p }, bindings)
        assert.deepStrictEqual(value, [at >= 0, text.slice(at + p.length), ...text.split(p)], `${length} from ${start}`)
      }
    }
  })

  scoped("measures arrays that grow from step to step", function* () {
    yield* hurried

    const expression = yield* compile("[[x], [x]]")
    let x: unknown = 1
    let code = ""
    for (let steps = 0; steps < 40 && code === ""; steps++) {
      const result = yield* Effect.either(expression.evaluate({ x }, bindings))
      if (Either.isLeft(result)) code = result.left.code
      else x = result.right
    }
    assert.include(["D1012", "D2017"], code)
  })

  scoped("says which expression, which limit, and what to do", function* () {
    const source = "$pad(title, 500000000)"
    const error = yield* Effect.flip((yield* compile(source)).evaluate({ title: "x" }, bindings))
    assert.strictEqual(
      error.message,
      "the expression makes a string of more than 16 million characters: shorten it with $substring first, in: $pad(title, 500000000)"
    )
  })

  scoped("limits the width of number pictures", function* () {
    yield* fails("$fromMillis(0, '[Y,1000000000]')", "D2018")
    yield* fails("$fromMillis(0, '[f,500000000-500000000]')", "D2018")
    yield* fails("$now('[Y,1000000000]')", "D2018")
    yield* fails("$date(0, '[Y,1000000000]')", "D2018")
    yield* fails("$fromMillis(0, p)", "D2018", { p: "[Y]".repeat(100_000) })
    yield* fails("$formatNumber(1, p)", "D2018", { p: `${"#,".repeat(200_000)}0` })
    yield* fails("$formatInteger(1, p)", "D2018", { p: "0".repeat(400_000) })
    yield* fails("$toMillis(t, p)", "D2018", { t: "1", p: "[Y]".repeat(100_000) })
    yield* gives("$fromMillis(0, '[Y0001]-[M01]-[D01] [Y,4-4]')", "1970-01-01 1970")
  })

  it("reads hostile addresses in linear time", () => {
    const started = process.cpuUsage()
    assert.strictEqual(canonicalUrl(`https://a.example/${"/".repeat(100_000)}x`), undefined)
    assert.strictEqual(
      canonicalUrl(`https://a.example/${"/".repeat(2_000)}x`),
      `https://a.example/${"/".repeat(2_000)}x`
    )
    assert.strictEqual(canonicalUrl(`https://a.example/x${"/index.html".repeat(2_000)}`), "https://a.example/x")
    assert.strictEqual(canonicalUrl("https://a.example/x/index.htm//index.html/"), "https://a.example/x")
    assert.strictEqual(canonicalUrl("https://a.example/index.html"), "https://a.example/")
    assert.strictEqual(canonicalUrl("https://a.example/xindex.html"), "https://a.example/xindex.html")
    assert.isBelow(process.cpuUsage(started).user, 1_000_000)
  })

  scoped("reads large texts in linear time", function* () {
    yield* gives("$slug(t)", "a-b", { t: `${" ".repeat(60_000)}a${"-".repeat(20_000)}b` })
    yield* gives("$slug(t)", "x".repeat(80), { t: "x".repeat(20_000_000) })
    yield* gives("$date(t) ?? 'none'", "none", { t: `2026-${"0".repeat(5_000_000)}` })
    yield* gives("$substring(t, 9999999)", "x", { t: "x".repeat(10_000_000) })
    yield* gives("$trim(t)", "a b", { t: `${" ".repeat(1_000_000)}a${"\n".repeat(1_000_000)}b` })
    yield* gives("$host(t) ?? 'none'", "none", { t: `https://${"a".repeat(5_000_000)}.example` })
  })

  scoped("ends at the deadline also in a program whose asynchronous calls Node follows", function* () {
    yield* hurried

    const expression = yield* compile("$sort(l, function($a, $b) { $a > $b })[0]")
    const code = yield* Effect.promise(() =>
      new AsyncLocalStorage().run(1, () =>
        Effect.runPromise(Effect.flip(expression.evaluate({ l: many(300_000) }, bindings)))
      )
    )
    assert.strictEqual(code.code, "D1012")
    assert.strictEqual(yield* Effect.promise(() => new AsyncLocalStorage().run(2, async () => 3)), 3)
  })

  scoped("ends a pattern that is searched for at each character, however short the text", function* () {
    yield* hurried

    for (const length of [10_000, 100_000]) {
      yield* fails("$split(t, /.*z|a/)", "D1012", { t: "a".repeat(length) })
      yield* fails("$map([t], function($t) { $split($t, /.*z|a/) })", "D1012", { t: "a".repeat(length) })
    }
  })

  scoped("has one deadline for a row, however many functions it calls", function* () {
    yield* hurried

    const calls = Array.from({ length: 400 }, () => "$length($trim(t))")
    yield* fails(calls.join(" + "), "D1012", { t: " x".repeat(500_000) })
    const short = Array.from({ length: 4_000 }, () => "$contains($uppercase(t), 'b')")
    yield* fails(`$count([${short.join()}])`, "D1012", { t: "x".repeat(90_000) })
  })

  scoped.skipIf(skipsLong)(
    "yields to the event loop between rows of a closure, and evaluates each row once",
    function* () {
      const t = " x".repeat(100_000)
      const rows = Array.from({ length: 20 }, (_, index) => ({ key: String(index), data: { t } }))
      const expression = yield* compile("$count([$trim(t), $trim(t)]) + $n", { names: ["n"] })
      const asked: Array<number> = []
      const given = (index: number) => {
        asked.push(index)
        return { ...bindings, names: { n: index === 10 ? "x" : index } }
      }
      const chunk = Effect.map(
        expression.evaluateChunk(
          rows.map(({ data }) => data),
          given
        ),
        (results) => results.map(Either.match({ onLeft: ({ code }) => code, onRight: (value) => value }))
      )
      const columns = Effect.map(
        evaluate([expression], rows as ReadonlyArray<Row>, ({ key }) => given(Number(key))),
        ({ columns: [values = []], failures }) => values.map((value, index) => failures.get(index)?.code ?? value)
      )
      for (const evaluated of [chunk, columns]) {
        let turns = 0
        const counting = setInterval(() => turns++, 0)
        const values = yield* evaluated
        clearInterval(counting)
        assert.isAbove(turns, 1)
        assert.deepStrictEqual(asked.splice(0), [...rows.keys()])
        assert.deepStrictEqual(
          values,
          rows.map((_, index) => (index === 10 ? "T2002" : index + 2))
        )
      }
    }
  )

  scoped.skipIf(skipsLong)("counts field names in values that are created, copied, compared and written", function* () {
    yield* limited({ timeout: 20_000, wallTime: 60_000 })

    const heading = "h".repeat(1_000_000)
    const objects = "[1..100].{ $$.heading: 1 }"
    yield* fails(objects, "D2020", { heading })
    yield* fails(`$clone(${objects})`, "D2020", { heading })
    yield* fails(`$string(${objects})`, "D2016", { heading })
    yield* fails(`$count($distinct(${objects}))`, "D2016", { heading })
    const row = { [heading]: 1 }
    yield* fails("$length($string(rows))", "D2016", { rows: Array.from({ length: 20 }, () => row) })
    yield* fails("[rows]", "D2020", { rows: Array.from({ length: 80 }, () => row) })
    yield* fails("$length($string(n))", "D2016", { n: Array.from({ length: 1_000_000 }, () => 0.123456789012345) })
    yield* gives("$length($string(n))", 4_000_001, { n: Array.from({ length: 2_000_000 }, () => 1) })
  })

  scoped("measures the CPU time of its own thread where Node can", function* () {
    yield* hurried

    const { threadCpuUsage } = process as { threadCpuUsage?: unknown }
    const { wallTime } = limits
    const idle = () => ({ user: 0, system: 0 })
    limits.wallTime = 300
    Object.assign(process, { threadCpuUsage: idle })
    const began = performance.now()
    yield* Effect.ensuring(
      fails("$split(t, /x|a.*b/)", "D1012", { t: "ax".repeat(100_000) }),
      Effect.sync(() => {
        limits.wallTime = wallTime
        Object.assign(process, { threadCpuUsage })
      })
    )
    assert.isAtLeast(performance.now() - began, 300)
  })

  scoped("continues with the next row after one that ran into its deadline", function* () {
    yield* hurried

    const expression = yield* compile("$sort(l, function($a, $b) { $a > $b })[0]")
    const rows = [{ l: ["b", "a"] }, { l: many(300_000) }, { l: ["d", "c"] }]
    const results = yield* expression.evaluateChunk(rows, () => bindings)
    assert.deepStrictEqual(results.map(Either.match({ onLeft: (error) => error.code, onRight: (value) => value })), [
      "a",
      "D1012",
      "c"
    ])
  })
})
