/** The edge to the JSONata library: its options, our functions in its frames, its results as plain JSON. */
import { setImmediate } from "node:timers/promises"
import { isRegExp } from "node:util/types"
import * as Either from "effect/Either"
import type jsonata from "jsonata"
import type { Bindings } from "./Bindings.ts"
import { type EvaluationError, ExpressionError, evaluationError, Refusal } from "./Errors.ts"
import { date, instant, ofText, shuffle } from "./Functions.ts"
import { load, synchronously } from "./Library.ts"
import { counter, limits } from "./Limits.ts"
import { type Original, replacements } from "./Linear.ts"
import { LinearRegExp, objection } from "./Regex.ts"
import { type Facts, inspect, type Node } from "./Syntax.ts"

/** Names in JSONata's frame that no expression can spell, for what the run gives. */
const clock = "sluice.now"
const dice = "sluice.random"

interface Native {
  readonly implementation: (...args: ReadonlyArray<unknown>) => unknown
}

/** JSONata's hook before each node, which can see the frame. */
const entry = Symbol.for("jsonata.__evaluate_entry") as unknown as string

/** The library's own function of each name, read from its frame once. */
const originals = new Map<string, Original>()

const original = (name: string): Original => {
  const known = originals.get(name)
  if (known !== undefined) return known
  const expression = load().parse("1")
  let found: Original | undefined
  expression.assign(entry, (_: unknown, __: unknown, frame: jsonata.Environment) => {
    found = (frame.lookup(name) as Native).implementation
  })
  synchronously(() => void expression.evaluate(undefined))
  if (found === undefined) throw new Error(`JSONata has no $${name}`)
  originals.set(name, found)
  return found
}

const register = (expression: jsonata.Expression, facts: Facts) => {
  for (const { name, signature, implementation } of replacements(original)) {
    if (facts.variables.has(name) || facts.variables.has("now") || facts.variables.has("date")) {
      expression.registerFunction(name, implementation, signature)
    }
  }
  for (const [name, apply] of Object.entries(ofText)) {
    expression.registerFunction(name, (text?: string) => (text === undefined ? undefined : apply(text)), "<s-:x>")
  }
  expression.registerFunction("random", random, "<:n>")
  expression.registerFunction("shuffle", shuffleHere, "<a:a>")
  expression.registerFunction("now", now, "<s?s?:s>")
  expression.registerFunction("millis", millis, "<:n>")
  expression.registerFunction("date", dateHere, "<(sn)-s?:s>")
  if (facts.variables.has("toMillis")) {
    // A picture without a day means today: the run's today.
    const freeze = (_: unknown, __: unknown, frame: jsonata.Environment) =>
      void frame.timestamp.setTime(runInstant(frame).getTime())
    expression.assign(entry, freeze)
  }
}

const runInstant = (frame: jsonata.Environment): Date => frame.lookup(clock) as Date

const runRandom = (frame: jsonata.Environment): (() => number) => frame.lookup(dice) as () => number

const spell = (focus: jsonata.Focus, millis: number, picture?: string, timezone?: string): unknown =>
  (focus.environment.lookup("fromMillis") as Native).implementation.call(focus, millis, picture, timezone)

function now(this: jsonata.Focus, picture?: string, timezone?: string) {
  return spell(this, runInstant(this.environment).getTime(), picture, timezone)
}

function millis(this: jsonata.Focus) {
  return runInstant(this.environment).getTime()
}

function random(this: jsonata.Focus) {
  return runRandom(this.environment)()
}

function shuffleHere(this: jsonata.Focus, values?: ReadonlyArray<unknown>) {
  return values === undefined ? undefined : shuffle(values, runRandom(this.environment))
}

function dateHere(this: jsonata.Focus, value?: string | number, picture?: string) {
  if (value === undefined) return undefined
  if (picture === undefined) return date(value)
  const at = instant(value)
  return at === undefined ? undefined : spell(this, at, picture)
}

/** A JSONata value without the library's marks: sequences become arrays, prototype-less objects become plain ones. */
const plain = (value: unknown): unknown => {
  const count = counter()
  const copy = (value: unknown): unknown => {
    count(value)
    if (typeof value === "function") throw new Refusal("D0001", value)
    if (typeof value !== "object" || value === null || value instanceof Date) return value
    if (Array.isArray(value)) {
      const items: Array<unknown> = []
      for (let index = 0; index < value.length; index++) items.push(copy(value[index]) ?? null)
      return items
    }
    const object = value as Readonly<Record<string, unknown>>
    if (typeof object.implementation === "function" || typeof object.apply === "function")
      throw new Refusal("D0001", value)
    return Object.fromEntries(Object.entries(object).map(([key, item]) => [key, copy(item)]))
  }
  return copy(value)
}

type Evaluated = Either.Either<unknown, EvaluationError>

/** Evaluates rows from `from` on for a few milliseconds, adds what they come to, and returns the next row's index. */
type Run = (
  rows: ReadonlyArray<unknown>,
  from: number,
  bindings: (index: number) => Bindings,
  into: Array<Evaluated>
) => number

/** A parsed expression that is ready to run. */
export interface Program {
  readonly node: Node
  readonly facts: Facts
  readonly run: Run
}

const rewritten = (node: Node): boolean => !isRegExp(node.value)

/** `a ?? b` copies `a` by JSON, which turns its patterns into `{}`: the copies get the pattern at their position back. */
const restoreRegexes = (regexes: ReadonlyArray<Node>) => {
  const originals = regexes.filter((node) => !rewritten(node))
  for (const node of regexes.filter(rewritten)) {
    node.value = originals.find((original) => original.position === node.position)?.value
  }
}

/** Parses `source`; throws what the parser throws. */
const parse = (source: string): jsonata.Expression => {
  const { timeout, stack, sequence } = limits
  return load().parse(source, { timeout, stack, sequence, RegexEngine: LinearRegExp as unknown as RegExpConstructor })
}

/** Where the mistake starts: the parser stands behind the token that it did not expect. */
const positionOf = (source: string, cause: { readonly position?: unknown; readonly token?: unknown }): number => {
  const end = typeof cause.position === "number" ? Math.min(cause.position, source.length) : 0
  const token = typeof cause.token === "string" ? cause.token : ""
  return token !== "" && source.slice(0, end).endsWith(token) ? end - token.length : end
}

const habits: ReadonlyArray<readonly [RegExp, string]> = [
  [/&&/, "write `and` for &&"],
  [/\|\|/, "write `or` for ||"],
  [/===?/, "write one = to compare"],
  [/!(?!=)/, "write $not(…) for !"],
  [/=>/, "write function($x) { … } for =>"]
]

const syntaxError = (source: string, cause: unknown): ExpressionError => {
  const { message: thrown } = cause as { readonly message?: unknown }
  const message = (cause as Error).name === "RangeError" ? "it is too long, or nested too deeply" : thrown
  const habit = habits.find(([pattern]) => pattern.test(source.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, '""')))
  const pattern = /^Invalid regular expression: \/(.*)\/\w*: /.exec(String(message))?.[1]
  return new ExpressionError({
    source,
    position: pattern === undefined ? positionOf(source, cause as object) : Math.max(0, source.indexOf(pattern)),
    reason: `${String(message ?? cause)}${habit === undefined ? "" : `; ${habit[1]}`}`
  })
}

/** Parses an expression and makes it ready to run under the limits. */
export const program = (source: string): Either.Either<Program, ExpressionError> =>
  Either.try({ try: () => parse(source), catch: (cause) => syntaxError(source, cause) }).pipe(
    Either.flatMap((expression) => {
      const node = expression.ast() as Node
      const facts = inspect(node)
      restoreRegexes(facts.regexes)
      for (const { value, position: end = 0 } of facts.regexes) {
        const reason = objection(value as RegExp)
        if (reason !== undefined) {
          const pattern = `/${(value as RegExp).source}/`
          const position = Math.max(0, source.lastIndexOf(pattern, end))
          const why = `the pattern ${pattern} cannot run in linear time: ${reason}`
          return Either.left(new ExpressionError({ source, position, reason: why }))
        }
      }
      register(expression, facts)
      const used = [...facts.variables.keys()]
      return Either.right({ node, facts, run: runner(source, expression, used) })
    })
  )

/** Rows are evaluated for this many milliseconds before the event loop gets a turn. */
const slice = 25

const runner = (source: string, expression: jsonata.Expression, used: ReadonlyArray<string>): Run => {
  const given = ({ names, now, random }: Bindings): Readonly<Record<string, unknown>> => {
    const frame: Record<string, unknown> = { [clock]: now ?? new Date(), [dice]: random ?? Math.random }
    for (const name of used) if (name in names) frame[name] = names[name]
    return frame
  }
  return (rows, from, bindings, into) => {
    const end = performance.now() + slice
    let current = from
    const begin = (index: number) => {
      current = index
      return index === from || performance.now() < end
    }
    const settle = (index: number, value: unknown) => {
      into[index] = Either.right(plain(value))
    }
    const refuse = (index: number, cause: unknown) => {
      into[index] = Either.left(evaluationError(source, cause))
    }
    const { drive } = load()
    const ended = Either.try(() =>
      synchronously(() => drive(expression, rows, from, begin, (index) => given(bindings(index)), settle, refuse))
    )
    if (Either.isLeft(ended)) refuse(current, ended.left)
    // Nothing that an expression can call leaves a promise behind; a row without a value would be one that is lost.
    if (into[from] === undefined) refuse(from, new Refusal("D1012", undefined))
    return into.length
  }
}

/** The value of one row. */
export const runOne = (run: Run, data: unknown, bindings: Bindings): Evaluated => {
  const results: Array<Evaluated> = []
  run([data], 0, () => bindings, results)
  return results[0] ?? Either.right(undefined)
}

/** Rows one after the other; the event loop gets a turn every few milliseconds, since JSONata never leaves its own. */
export const runAll = async (
  run: Run,
  rows: ReadonlyArray<unknown>,
  bindings: (index: number) => Bindings
): Promise<ReadonlyArray<Evaluated>> => {
  const results: Array<Evaluated> = []
  for (let next = run(rows, 0, bindings, results); next < rows.length; next = run(rows, next, bindings, results)) {
    await setImmediate()
  }
  return results
}
