/** The edge to the JSONata library: its options, our functions in its frames, its results as plain JSON. */
import { setImmediate } from "node:timers/promises"
import * as Either from "effect/Either"
import jsonata from "jsonata"
import type { Bindings } from "./Bindings.ts"
import { type EvaluationError, ExpressionError, evaluationError, Refusal } from "./Errors.ts"
import { date, instant, ofText, shuffle } from "./Functions.ts"
import { LinearRegExp, objection } from "./Regex.ts"
import { type Facts, inspect, type Node } from "./Syntax.ts"

/** One row may take a second, a recursion this deep, a list this long. */
const limits = { timeout: 1000, stack: 10_000, sequence: 1_000_000 }

/** Names in JSONata's frame that no expression can spell, for what the run gives. */
const clock = "sluice.now"
const dice = "sluice.random"

interface Native {
  readonly implementation: (...args: ReadonlyArray<unknown>) => unknown
}

const register = (expression: jsonata.Expression, facts: Facts) => {
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
    expression.assign(Symbol.for("jsonata.__evaluate_entry") as unknown as string, freeze)
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
export const plain = (value: unknown): unknown => {
  if (typeof value === "function") throw new Refusal("D0001", value)
  if (typeof value !== "object" || value === null || value instanceof Date) return value
  if (Array.isArray(value)) return value.map((item) => plain(item) ?? null)
  const object = value as Readonly<Record<string, unknown>>
  if (typeof object.implementation === "function" || typeof object.apply === "function")
    throw new Refusal("D0001", value)
  return Object.fromEntries(Object.entries(object).map(([key, item]) => [key, plain(item)]))
}

/** Runs one parsed expression. */
export interface Program {
  readonly node: Node
  readonly facts: Facts
  readonly run: (data: unknown, bindings: Bindings) => Promise<Either.Either<unknown, EvaluationError>>
}

const rewritten = (node: Node): boolean => !(node.value instanceof RegExp)

/** `a ?? b` copies `a` by JSON, which turns its patterns into `{}`: the copies get the pattern at their position back. */
const restoreRegexes = (regexes: ReadonlyArray<Node>) => {
  const originals = regexes.filter((node) => !rewritten(node))
  for (const node of regexes.filter(rewritten)) {
    node.value = originals.find((original) => original.position === node.position)?.value
  }
}

/** Parses `source`; throws what the parser throws. */
const parse = (source: string): jsonata.Expression =>
  jsonata(source, { ...limits, RegexEngine: LinearRegExp as unknown as RegExpConstructor })

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
  const message = cause instanceof RangeError ? "it is too long, or nested too deeply" : thrown
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
      return Either.right({ node, facts, run: (data, bindings) => evaluate(source, expression, used, data, bindings) })
    })
  )

const evaluate = (
  source: string,
  expression: jsonata.Expression,
  used: ReadonlyArray<string>,
  data: unknown,
  bindings: Bindings
): Promise<Either.Either<unknown, EvaluationError>> => {
  const given: Record<string, unknown> = { [clock]: bindings.now ?? new Date(), [dice]: bindings.random ?? Math.random }
  for (const name of used) if (name in bindings.names) given[name] = bindings.names[name]
  return expression
    .evaluate(data, given)
    .then((value) => plain(value))
    .then(Either.right, (cause) => Either.left(evaluationError(source, cause)))
}

/** Rows one after the other; the event loop gets a turn every few milliseconds, since JSONata never leaves its own. */
export const runAll = async (
  run: Program["run"],
  rows: ReadonlyArray<unknown>,
  bindings: (index: number) => Bindings
): Promise<ReadonlyArray<Either.Either<unknown, EvaluationError>>> => {
  const results: Array<Either.Either<unknown, EvaluationError>> = []
  let turn = performance.now()
  for (const [index, data] of rows.entries()) {
    results.push(await run(data, bindings(index)))
    if (performance.now() - turn > 10) {
      await setImmediate()
      turn = performance.now()
    }
  }
  return results
}
