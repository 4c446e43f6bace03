/** Random expressions over hostile rows: each has to end soon after its deadline, and the process goes on. */
import { AsyncLocalStorage } from "node:async_hooks"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Random from "effect/Random"
import { compile } from "../../src/Row/Expression.ts"

export interface ExpressionsReport {
  readonly attempts: number
  /** Attempts that ended with an error of the expression, by its code. */
  readonly codes: Readonly<Record<string, number>>
  readonly refused: number
  /** Milliseconds of computing that the longest attempt took. */
  readonly longest: number
  readonly faults: ReadonlyArray<string>
}

export type Next = (n: number) => number

const pick = <A>(all: readonly [A, ...ReadonlyArray<A>], next: Next): A => all[next(all.length)] ?? all[0]

const fields = ["t", "u", "n", "l", "o", "d", "x", "t.y", "l.k", "o.*", "**", "$$.l", "$"] as const
const unary = (
  "string length trim uppercase lowercase count sum max min average keys spread reverse distinct sort boolean not exists type shuffle " +
  "merge base64encode base64decode encodeUrl encodeUrlComponent decodeUrl decodeUrlComponent number floor abs round sqrt " +
  "formatBase toMillis fromMillis json slug host canonicalUrl sha256 date zip"
).split(" ") as [string, ...Array<string>]
const operators = ["&", "=", "!=", "<", ">", "in", "+", "-", "*", "and", "or", ".", "~>$append"] as const
const regexes = ["/x/", "/a.*b/", "/(x+)(x+)y/", "/\\d{9}\\d{9}z/", "/^\\s*|z/", "/[^a]/", "/x*/"] as const
const literals = [
  "1",
  "-2",
  "0.5",
  "'x'",
  "'xxxxxxxxxxxxa'",
  "''",
  "true",
  "null",
  "[]",
  "{}",
  "[1..9]",
  "nothing"
] as const

/** An expression of the grammar, at most so deep. */
export const expression = (depth: number, next: Next): string => {
  const part = () => expression(depth - 1, next)
  if (depth <= 0) return next(3) === 0 ? pick(literals, next) : pick([...fields, "$v", "$w"], next)
  const form = pick<() => string>(
    [
      () => `$${pick(unary, next)}(${part()})`,
      () => `$${pick(unary, next)}(${part()})`,
      () => {
        const operator = pick(operators, next)
        return operator === "~>$append" ? `(${part()} ~> $append(${part()}))` : `(${part()} ${operator} ${part()})`
      },
      () => `[${part()}, ${part()}]`,
      () => `{'a': ${part()}, 'b': ${part()}}`,
      () => `$map(${part()}, function($v, $w) { ${part()} })`,
      () => `$filter(${part()}, function($v) { ${part()} })`,
      () => `$reduce(${part()}, function($v, $w) { ${part()} })`,
      () => `$sift(${part()}, function($v) { ${part()} })`,
      () => `$sort(${part()}, function($v, $w) { ${part()} > ${part()} })`,
      () => `$each(${part()}, function($v) { ${part()} })`,
      () => `$single(${part()}, function($v) { ${part()} })`,
      () => `$${pick(["match", "contains", "split"], next)}(${part()}, ${pick(regexes, next)})`,
      () => `$replace(${part()}, ${pick([...regexes, "'x'", "t"], next)}, ${pick(["'$0$0'", "u", "''"], next)})`,
      () => `$${pick(["contains", "split", "substringBefore", "substringAfter", "join"], next)}(${part()}, ${part()})`,
      () => `$substring(${part()}, ${next(100) - 50}, ${next(100)})`,
      () => `$pad(${part()}, ${pick(["3", "-70000000", "9000000"], next)}, 'ab')`,
      () => `$lookup(${part()}, ${part()})`,
      () => `$clone(${part()})`,
      () => `$formatNumber(${part()}, ${pick(["'#,##0.00'", "t", "'0'"], next)})`,
      () => `$formatInteger(${part()}, ${pick(["'w'", "'I'", "'a'", "t"], next)})`,
      () => `$toMillis(${part()}, ${pick(["'[Y][f][f][f][f]x'", "'[Y0001]-[M01]'", "u"], next)})`,
      () => `$${pick(["price", "number"], next)}(${part()}, ${pick(["u", "''", "t"], next)})`,
      () => `$date(${part()}, ${pick(["{}", "{'language': u}", "o"], next)})`,
      () => `${part()}^(${part()})`,
      () => `${part()}[${part()}]`,
      () => `${part()}{$string(${part()}): ${part()}}`,
      () => `${part()}.(${part()})`,
      () => `(${part()} ~> |${pick(fields, next)}|{'z': ${part()}}|)`,
      () => `(${part()} ? ${part()} : ${part()})`,
      () => `l@$v.l@$w.(${part()})`,
      () => `l#$v.(${part()})`,
      // Doubles its value several times.
      () =>
        `($f := function($n, $v) { $n = 0 ? $v : $f($n - 1, ${twice(next)}) }; $v := $f(${next(45)}, ${part()}); ${part()})`,
      () =>
        `($f := function($n, $v) { $n = 0 ? $v : $f($n - 1, ${twice(next)}) }; $v := $w := $f(${next(28)}, 'x'); ${part()})`,
      () => `($f := function($n) { 1 + $f(${part()}) }; $f(1))`
    ],
    next
  )
  return form()
}

const twice = (next: Next): string =>
  pick(["$v & $v", "[[$v], [$v]]", "$append($v, $v)", "{'a': $v, 'b': $v}", "[$v, $v]", "$v & 'x' & $v"], next)

/** Rows with a large value in one place. */
const rows = (): readonly [unknown, ...ReadonlyArray<unknown>] => {
  const small = { t: "abc x", u: "x", n: 5, l: [{ k: 2 }, { k: 1 }], o: { a: 1, b: [1, 2] }, d: "2026-01-31", x: [] }
  const nested: unknown = JSON.parse(`${"[".repeat(2000)}1${"]".repeat(2000)}`)
  return [
    small,
    { ...small, t: "x".repeat(20_000_000), u: `${"x".repeat(1000)}y` },
    { ...small, t: "x ".repeat(2_000_000), u: "\u0001".repeat(500_000), d: "1".repeat(900) },
    { ...small, t: "Ж😀".repeat(1_000_000), u: `${"x".repeat(99)}y${"x".repeat(5000)}` },
    { ...small, l: Array.from({ length: 300_000 }, (_, at) => ({ k: at % 1000 })) },
    { ...small, l: Array.from({ length: 300_000 }, (_, at) => `https://example.com/${at}`) },
    { ...small, n: 1e300, o: Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`k${at}`, at])) },
    { ...small, x: nested, o: { nested } }
  ]
}

/** Milliseconds of computing after which an attempt is a fault: the deadline, and what one call of V8 may take more. */
const longestAllowed = 2_000

export const attackExpressions = ({ attempts, seed }: { readonly attempts: number; readonly seed: number }) =>
  Effect.gen(function* () {
    const random = Random.make(`expressions ${seed}`)
    let state = yield* random.nextIntBetween(1, 2 ** 31)
    const next: Next = (n) => {
      // Marsaglia's xorshift: an expression draws many numbers.
      state ^= state << 13
      state ^= state >>> 17
      state ^= state << 5
      return (state >>> 0) % n
    }
    const given = rows()
    const bindings = { names: {}, now: new Date("2026-01-31T10:20:30.000Z"), random: () => next(1000) / 1000 }
    const codes: Record<string, number> = {}
    const faults: Array<string> = []
    let longest = 0
    // Never read. With AsyncLocalStorage Node follows asynchronous calls, and aborts the process when a deadline ends a promise in mid-work:
    // no attempt may do that.
    const followed = new AsyncLocalStorage<number>()
    for (let attempt = 0; attempt < attempts; attempt++) {
      const source = expression(1 + next(4), next)
      const compiled = compile(source)
      if (Either.isLeft(compiled)) {
        codes.compile = (codes.compile ?? 0) + 1
        continue
      }
      const before = process.cpuUsage()
      const exit = yield* Effect.promise(() =>
        followed.run(attempt, () => Effect.runPromiseExit(compiled.right.evaluate(pick(given, next), bindings)))
      )
      const { user, system } = process.cpuUsage(before)
      const took = (user + system) / 1000
      longest = Math.max(longest, took)
      if (took > longestAllowed) faults.push(`${Math.round(took)} ms of computing for ${source.slice(0, 300)}`)
      if (exit._tag === "Failure") {
        const { cause } = exit
        const code = cause._tag === "Fail" ? cause.error.code : "defect"
        codes[code] = (codes[code] ?? 0) + 1
        if (cause._tag !== "Fail") faults.push(`${String(cause).slice(0, 200)} for ${source.slice(0, 300)}`)
      }
    }
    const refused = Object.values(codes).reduce((sum, count) => sum + count, 0)
    return { attempts, codes, refused, longest, faults } satisfies ExpressionsReport
  })
