/** Expression language for rows: JSONata with limits. Expressions that allow it run as plain closures, many times faster. */
import { isRegExp } from "node:util/types"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type jsonata from "jsonata"
import { whyNotLinear } from "../Values/LinearRegExp.ts"
import { remember } from "../Values/Remember.ts"
import { numberIn, search } from "./Expression/Builtins.ts"
import { type Bindings, compileClosure } from "./Expression/Closure.ts"
import {
  describe,
  EvaluationError,
  EvaluationFault,
  ExpressionError,
  evaluationError
} from "./Expression/ExpressionErrors.ts"
import { css, data, date, dateIn, functionNames, ofText, price, shuffle } from "./Expression/Functions.ts"
import { idiomsIn } from "./Expression/Idioms.ts"
import { clock } from "./Expression/JsonataEdits.ts"
import { type Host, load, type Original } from "./Expression/JsonataLibrary.ts"
import { beginRow, counter, endRow, inSlices, limits } from "./Expression/Limits.ts"
import { clone, functions, pictures } from "./Expression/LinearFunctions.ts"
import { equal } from "./Expression/Operators.ts"
import { LinearRegExp } from "./Expression/Regex.ts"
import { type Facts, inspect, leavesOut, type Node } from "./Expression/Syntax.ts"
import { parseTime } from "./Expression/Time.ts"
import { nearest } from "./Nearest.ts"

export type { Bindings }
export { EvaluationError, ExpressionError }

/** Compiled expression. */
export interface Expression {
  readonly source: string
  /** Paths of the row that it reads, as far as static analysis can tell. */
  readonly paths: ReadonlyArray<string>
  /** Those of the given names that it uses, without the `$`. */
  readonly names: ReadonlyArray<string>
  /** Paths below `$inputs` that it reads, with their offsets in the source. */
  readonly inputs: ReadonlyMap<string, number>
  /** Paths below `$steps` that it reads, with their offsets in the source. The empty path stands for `$steps` as a whole. */
  readonly steps: ReadonlyMap<string, number>
  /** True if the result may leave out elements of the array that it is made from, as in `items[price > 10]`. */
  readonly leavesOut: () => boolean
  /** Warnings: parts that are valid and most likely do not mean what they mean in other languages. */
  readonly doubts: () => ReadonlyArray<string>
  /** Evaluates one row. The result is plain JSON, or undefined. */
  readonly evaluate: (data: unknown, bindings: Bindings) => Effect.Effect<unknown, EvaluationError>
  /** Evaluates many rows; each has its own result or error. Calls `bindings` with the index of each row. */
  readonly evaluateChunk: (
    rows: ReadonlyArray<unknown>,
    bindings: (index: number) => Bindings
  ) => Effect.Effect<ReadonlyArray<Either.Either<unknown, EvaluationError>>>
  /**
   * Evaluates a row synchronously, if there is a closure. Throws values that {@link evaluationError} converts; a plain path never throws.
   */
  readonly sync?: ((data: unknown, bindings: Bindings) => unknown) | undefined
}

export interface Options {
  /** Names of the bindings, with or without the `$`. */
  readonly names?: ReadonlyArray<string> | undefined
}

const strip = (name: string): string => name.replace(/^\$/, "")

const unknownName = (source: string, name: string, position: number, names: ReadonlyArray<string>): ExpressionError => {
  const near = nearest(name, [...names, ...functionNames])
  const others = [...names.map((each) => `$${each}`), "the functions that `sluice explain expressions` lists"]
  const hint =
    near === undefined ? `: for a field, write ${name}; known: ${others.join(", ")}` : `, did you mean $${near}?`
  const reason =
    name === "eval"
      ? "$eval is disabled: an expression comes from the definition, never from a row"
      : `unknown name $${name}${hint}`
  // The parser reports the position after the name.
  const start = source.lastIndexOf(`$${name}`, position)
  return new ExpressionError({ source, position: start < 0 ? position : start, reason })
}

/** Usage of functions that need two arguments. With only one, JSONata would take the whole row as the HTML, and every row would fail. */
const usages: Readonly<Record<string, string>> = {
  css: '$css takes the HTML and a selector: $css(rawHtml, "h1")',
  data: '$data takes the HTML and a path: $data(rawHtml, "Product.sku")'
}

const misused = (source: string, { bound, calls }: Facts): ExpressionError | undefined => {
  const call = calls.find(({ count, name }) => count < 2 && Object.hasOwn(usages, name) && !bound.has(name))
  return (
    call && new ExpressionError({ source, position: call.position, reason: usages[call.name] ?? `too few arguments` })
  )
}

const stepPaths = ({ bareSteps, steps, variables }: Facts): ReadonlyMap<string, number> =>
  bareSteps === 0 ? steps : new Map([...steps, ["", variables.get("steps") ?? 0]])

/** The result of an analysis, or of `otherwise` if it overflows the stack. */
const withinStack = <A>(analyze: () => A, otherwise: (cause: RangeError) => A): A => {
  try {
    return analyze()
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause
    return otherwise(cause)
  }
}

/** Compiles an expression and reports all errors that do not depend on a row. */
export const compile = (source: string, options: Options = {}): Either.Either<Expression, ExpressionError> =>
  withinStack(
    () => analyzed(source, options),
    (cause) => Either.left(syntaxError(source, cause))
  )

const analyzed = (source: string, options: Options): Either.Either<Expression, ExpressionError> =>
  Either.flatMap(program(source), ({ node, facts, run }) => {
    const given = (options.names ?? []).map(strip)
    const used = [...facts.variables.keys()].filter((name) => !facts.bound.has(name))
    const unknown = used.find((name) => !given.includes(name) && !functionNames.includes(name))
    if (unknown !== undefined) {
      return Either.left(unknownName(source, unknown, facts.variables.get(unknown) ?? 0, given))
    }
    const wrong = misused(source, facts)
    if (wrong !== undefined) return Either.left(wrong)
    const base = {
      source,
      paths: [...facts.paths],
      names: used.filter((name) => given.includes(name)),
      inputs: facts.bound.has("inputs") ? new Map<string, number>() : facts.inputs,
      steps: facts.bound.has("steps") ? new Map<string, number>() : stepPaths(facts),
      leavesOut: () =>
        withinStack(
          () => leavesOut(node),
          () => false
        ),
      doubts: () =>
        withinStack(
          () =>
            idiomsIn(node, facts.bound).map(({ name, position: end, reason }) => {
              const position = Math.max(0, source.lastIndexOf(name, end))
              return new ExpressionError({ source, position, reason }).message
            }),
          () => []
        )
    }
    const sync = compileClosure(node, given)
    const failure = (cause: unknown) => evaluationError(source, cause)
    const attempt =
      sync === undefined
        ? run
        : (data: unknown, bindings: Bindings) => Either.try({ try: () => sync(data, bindings), catch: failure })
    return Either.right({
      ...base,
      sync,
      evaluate: (data, bindings) => Effect.suspend(() => attempt(data, bindings)),
      evaluateChunk: (rows, bindings) =>
        Effect.suspend(() =>
          inSlices(
            rows,
            sync === undefined
              ? (data, index) => run(data, bindings(index))
              : (data, index) => Either.right(sync(data, bindings(index))),
            (cause) => Either.left(failure(cause))
          )
        )
    })
  })

/** Name of the binding with the run's random generator. No expression can refer to it. */
const randomBinding = "sluice.random"

const runRandom = ({ environment }: jsonata.Focus): (() => number) => environment.lookup(randomBinding) as () => number

function random(this: jsonata.Focus) {
  return runRandom(this)()
}

function shuffleHere(this: jsonata.Focus, values?: ReadonlyArray<unknown>) {
  return values === undefined ? undefined : shuffle(values, runRandom(this))
}

// Rest parameters, because `$map` passes an index to functions with several parameters.
const numberHere = (...[value, locale]: ReadonlyArray<unknown>) =>
  value === undefined ? undefined : numberIn(value, locale)

const priceHere = (...[value, hint, locale]: ReadonlyArray<unknown>) => price(value, hint, locale)

let fromMillis: Original | undefined

function dateHere(this: jsonata.Focus, value?: string | number, picture?: string | object) {
  if (value === undefined) return undefined
  if (picture === undefined) return date(value)
  if (typeof picture === "object") return dateIn(value, picture, this.environment.lookup(clock) as Date)
  const at = parseTime(value)
  return at === undefined ? undefined : fromMillis?.call(undefined, at, picture)
}

const host: Host = {
  functions,
  pictures: (own) => {
    const made = pictures(own)
    fromMillis = made.fromMillis
    return made
  },
  equal,
  // JSONata also passes undefined, and expects a search for the text `undefined`.
  search: (text, pattern, from) => search(text, String(pattern), from),
  show: (value) => (typeof value === "number" ? String(value) : describe(value)),
  RegExp: LinearRegExp,
  more: {
    ...Object.fromEntries(
      Object.entries(ofText).map(([name, apply]) => [
        name,
        [(text?: string) => (text === undefined ? undefined : apply(text)), "<s-:x>"]
      ])
    ),
    clone: [clone, "<(oa)-:o>"],
    random: [random, "<:n>"],
    shuffle: [shuffleHere, "<a:a>"],
    number: [numberHere, "<(nsb)-(sl)?:n>"],
    price: [priceHere, "<(snl)-(sl)?(sl)?:o>"],
    css: [(...[html, selector]: ReadonlyArray<unknown>) => css(html, selector), "<s-s:s>"],
    data: [(...[html, path]: ReadonlyArray<unknown>) => data(html, path), "<s-s:x>"],
    date: [dateHere, "<(sn)-(so)?:s>"]
  }
}

/** Converts a result of JSONata to plain JSON: sequences become arrays, objects without a prototype become plain ones. */
const toPlain = (value: unknown): unknown => {
  const count = counter(limits.text)
  const copy = (value: unknown, name?: string): unknown => {
    count(value, name)
    if (typeof value === "function") throw new EvaluationFault("D0001", value)
    if (typeof value !== "object" || value === null || value instanceof Date) return value
    if (Array.isArray(value)) {
      const items: Array<unknown> = []
      for (let index = 0; index < value.length; index++) items.push(copy(value[index]) ?? null)
      return items
    }
    const object = value as Readonly<Record<string, unknown>>
    if (typeof object.implementation === "function" || typeof object.apply === "function")
      throw new EvaluationFault("D0001", value)
    return Object.fromEntries(Object.entries(object).map(([name, item]) => [name, copy(item, name)]))
  }
  return copy(value)
}

/** Evaluates one row. */
type Run = (data: unknown, bindings: Bindings) => Either.Either<unknown, EvaluationError>

/** An expression evaluated by JSONata. */
interface Program {
  readonly node: Node
  readonly facts: Facts
  readonly run: Run
}

const isCopy = (node: Node): boolean => !isRegExp(node.value)

/** Restores regular expressions by their position: `a ?? b` copies `a` through JSON, which turns them into `{}`. */
const restoreRegexes = (regexes: ReadonlyArray<Node>) => {
  const originals = regexes.filter((node) => !isCopy(node))
  for (const node of regexes.filter(isCopy)) {
    node.value = originals.find((original) => original.position === node.position)?.value
  }
}

/**
 * Maximum brackets around a part of an expression. Without it, the stack decides: it has room for more once V8 has optimized the parser,
 * so the same text would be refused at one time and accepted at another.
 */
const maxBrackets = 500

/** True for an expression with too many brackets in each other, outside of strings and quoted names. */
const isTooDeep = (source: string): boolean => {
  let depth = 0
  for (const [token] of source.matchAll(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`|[([{]|[)\]}]/gs)) {
    if (token.length > 1) continue
    depth += "([{".includes(token) ? 1 : -1
    if (depth > maxBrackets) return true
  }
  return false
}

/** Parses an expression. Throws the parser's errors, and a RangeError for an expression that is nested too deeply. */
const parse = (source: string): jsonata.Expression => {
  if (isTooDeep(source)) throw new RangeError("too many brackets")
  const { stack, sequence } = limits
  // The parser only calls `exec` and reads `lastIndex`; LinearRegExp has both.
  return load(host)(source, { stack, sequence, RegexEngine: LinearRegExp as unknown as RegExpConstructor })
}

/** Start of a syntax error; the parser reports the position after the unexpected token. */
const positionOf = (source: string, cause: { readonly position?: unknown; readonly token?: unknown }): number => {
  const end = typeof cause.position === "number" ? Math.min(cause.position, source.length) : 0
  const token = typeof cause.token === "string" ? cause.token : ""
  return token !== "" && source.slice(0, end).endsWith(token) ? end - token.length : end
}

/** Operators of JavaScript, SQL and Python, and what to write instead. */
const foreignHints: ReadonlyArray<readonly [RegExp, string]> = [
  [/&&/g, "write `and` for &&"],
  [/\|\|/g, "write `or` for ||"],
  [/\|/g, "write ~> to pass a value to a function"],
  [/\.\./g, "write tags[[0..2]] for items, $substring(…) for a part of a string"],
  [/\bif\s+[\w$]+/gi, "write a ? b : c for if"],
  [/\bbetween\b/gi, "write a <= x and x <= b for between"],
  [/[\w$]:\w/g, "enclose a name with other signs in backquotes, like metadata.`og:title`"],
  [/!==/g, "write != for !=="],
  [/<>/g, "write != for <>"],
  [/===?/g, "write one = to compare"],
  [/!(?!=)/g, "write $not(…) for !"],
  [/=>/g, "write function($x) { … } for =>"],
  [/\b(?:AND|OR|IN)\b/g, "write and, or and in in lower case"],
  [/\bnew\s+Date\b/g, "write $now() for new Date"],
  [/\bnot\s+[\w$]+/gi, "write $not(…) for not"],
  [/\bis\s+(?:not\s+)?\w+/gi, "write $exists(…) or $not($exists(…)) for is"],
  [/\b(?:contains|includes|like|matches)\b/gi, 'write $contains(title, "…")'],
  [/\?\.(?!\d)/g, "write . for ?.: a path gives nothing where a field is missing"]
]

/** Advice about the operator at the place of an error, or about templates. */
const hintAt = (source: string, position: number): string | undefined =>
  foreignHints.find(([operator]) =>
    Array.from(source.matchAll(operator)).some(
      ({ 0: found, index }) => index <= position && position < index + found.length
    )
  )?.[1] ?? (source.replace(/"[^"]*"|'[^']*'/g, "").includes("{{") ? "name fields without {{ }}" : undefined)

const syntaxError = (source: string, cause: unknown): ExpressionError => {
  const { message: thrown } = cause as { readonly message?: unknown }
  const message = (cause as Error).name === "RangeError" ? "the expression is too long, or nested too deeply" : thrown
  const pattern = /^Invalid regular expression: \/(.*)\/\w*: /.exec(String(message))?.[1]
  const position = pattern === undefined ? positionOf(source, cause as object) : Math.max(0, source.indexOf(pattern))
  const hint = pattern === undefined ? hintAt(source, position) : undefined
  return new ExpressionError({
    source,
    position,
    reason: `${String(message ?? cause)}${hint === undefined ? "" : `; ${hint}`}`
  })
}

/** Compiles an expression for evaluation by JSONata, with limits. */
const compileProgram = (source: string): Either.Either<Program, ExpressionError> =>
  Either.try({ try: () => parse(source), catch: (cause) => syntaxError(source, cause) }).pipe(
    Either.flatMap((expression) => {
      const node = expression.ast() as Node
      const facts = inspect(node)
      restoreRegexes(facts.regexes)
      for (const { value, position: end = 0 } of facts.regexes) {
        const reason = whyNotLinear(value as RegExp)
        if (reason !== undefined) {
          const pattern = `/${(value as RegExp).source}/`
          const position = Math.max(0, source.lastIndexOf(pattern, end))
          const why = `the pattern ${pattern} cannot run in linear time: ${reason}`
          return Either.left(new ExpressionError({ source, position, reason: why }))
        }
      }
      const used = [...facts.variables.keys()]
      return Either.right({ node, facts, run: runner(source, expression, used) })
    })
  )

/** A check compiles each expression several times, and a definition often repeats one. */
export const program = remember(200, compileProgram, 1_000)

const runner = (source: string, expression: jsonata.Expression, used: ReadonlyArray<string>): Run => {
  const given = ({ names, now, random }: Bindings): Readonly<Record<string, unknown>> => {
    const frame: Record<string, unknown> = { [clock]: now ?? new Date(), [randomBinding]: random ?? Math.random }
    for (const name of used) if (name in names) frame[name] = names[name]
    return frame
  }
  return (data, bindings) => {
    beginRow()
    try {
      return Either.right(toPlain(expression.evaluate(data, given(bindings))))
    } catch (cause) {
      return Either.left(evaluationError(source, cause))
    } finally {
      endRow()
    }
  }
}
