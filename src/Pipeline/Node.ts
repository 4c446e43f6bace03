/** A step of a definition: finds its key, resolves and decodes its fields, and reports unknown keys. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import type * as AST from "effect/SchemaAST"
import { describeValue } from "../Row/Count.ts"
import { didYouMean } from "../Row/Nearest.ts"
import { isMapping } from "../Step/Requirements.ts"
import type * as Step from "../Step.ts"
import { Common, commonKeys } from "./Definition.ts"
import { broughtIn, stepsInExpressions, takesExpression, withoutBraces } from "./Expressions.ts"
import { open, referencedSteps, type Scope, settle } from "./Interpolate.ts"
import { type Issue, isBelow, issuesOf, type Path } from "./Issue.ts"
import { besideStep, hasField, strangerAt, unknownKeysIn } from "./UnknownKeys.ts"
import { isRange, rangeHint, suspiciousKey, suspiciousText } from "./YamlErrors.ts"

/** The steps that a definition may use. */
export type Steps = ReadonlyArray<Step.Any>

/** A step in the graph; its fields are not resolved yet. */
export interface Node {
  readonly id: string
  readonly index: number
  readonly step: Step.Any
  /** The step's own fields, as written. */
  readonly config: unknown
  /** The step's fields for Sluice's own engine, if they differ. */
  readonly ownConfig?: unknown
  /** All other keys of the step, as written. */
  readonly common: Readonly<Record<string, unknown>>
  /** Ids of the steps whose rows it reads: empty for a source, several where branches merge. */
  readonly inputs: ReadonlyArray<string>
  /** Ids of the steps that must end before this one begins. */
  readonly after: ReadonlyArray<string>
}

/** True for a step that reads rows from outside, and none of another step. */
export const isRoot = ({ inputs, step }: Node): boolean => step.behaviour.kind === "source" && inputs.length === 0

/** Ids of the steps whose output a step uses, in `${{ }}` or in an expression. */
export const namedSteps = ({ common, config, step }: Pick<Node, "common" | "config" | "step">): ReadonlySet<string> =>
  new Set([...referencedSteps([config, common]), ...stepsInExpressions(step.config.ast, config)])

/** A step's fields and common keys with their resolved values. */
export interface DecodedNode {
  readonly config: unknown
  readonly common: Common
}

/** The parts of an invalid step that can be checked on their own. */
const partsOf = (value: unknown, steps: Steps) => {
  if (!isMapping(value)) return { steps: [], common: {} }
  return {
    steps: steps.filter(({ key }) => Object.hasOwn(value, key)),
    common: Object.fromEntries(Object.entries(value).filter(([key]) => commonKeys.includes(key)))
  }
}

/** Errors within a step whose key is ambiguous: in the fields of each step that it names, and in the common keys. */
export const issuesInBroken = (
  value: unknown,
  index: number,
  scope: Scope,
  steps: Steps
): Effect.Effect<ReadonlyArray<Issue>> =>
  Effect.gen(function* () {
    const path: Path = ["steps", index]
    const found = partsOf(value, steps)
    const fields = yield* Effect.forEach(found.steps, ({ config, credentials, headers, key }) =>
      decodePart(config as Schema.Schema<unknown, unknown>, isMapping(value) ? value[key] : undefined, [...path, key], {
        ...scope,
        headers,
        credentials
      })
    )
    const common = yield* decodePart(Common as Schema.Schema<Common, unknown>, found.common, path, scope)
    return [...fields.flatMap(issuesIn), ...issuesIn(common)]
  })

/** Names that other tools have for the work of a step. */
const synonyms: Readonly<Record<string, string>> = {
  fetch: "scrape",
  filter: "where",
  group: "aggregate",
  map: "select",
  output: "write",
  rename: "select",
  save: "write",
  uniq: "dedupe",
  unique: "dedupe"
}

/** Finds the one key of an object that names a step. */
export const dispatch = (
  value: unknown,
  path: Path,
  steps: Steps
): Either.Either<{ readonly step: Step.Any; readonly key: string }, ReadonlyArray<Issue>> => {
  if (!isMapping(value)) {
    const message = `a step is an object with one step key, like \`- where: metadata.statusCode = 200\`, got ${describeValue(value)}`
    return Either.left([{ path, message }])
  }
  const keys = Object.keys(value)
  const [step, other] = keys.flatMap((key) => steps.find((each) => each.key === key) ?? [])
  if (step !== undefined && other === undefined) return Either.right({ step, key: step.key })
  const unknown = keys.filter((key) => !commonKeys.includes(key) && !steps.some((each) => each.key === key))
  const beside = (named: string, but?: string): ReadonlyArray<Issue> =>
    unknown.flatMap((key) => (key === but ? [] : [strangerAt(key, named, path, steps, value[named])]))
  if (step !== undefined) {
    const named = steps.filter(({ key }) => keys.includes(key))
    const fields = named.flatMap((outer) =>
      named.flatMap((inner) =>
        inner !== outer && hasField(outer, inner.key) ? [`${inner.key} within ${outer.key}`] : []
      )
    )
    const both = keys.filter((key) => named.some((each) => each.key === key)).join(" and ")
    const within = fields.length === 0 ? "" : `, or put ${fields.join(" and ")}`
    const message = `is two steps at once (${both}): write each as its own list item${within}`
    return Either.left([{ path, message }, ...beside(step.key)])
  }
  const names = steps.map((each) => each.key)
  const isLike = (key: string, known: ReadonlyArray<string>) => didYouMean(key, known) !== ""
  const meant =
    unknown.find((key) => isLike(key, names) && !isLike(key, commonKeys)) ??
    unknown.find((key) => !isLike(key, commonKeys)) ??
    unknown[0]
  if (meant === undefined) {
    const message = "names no step: write a step beside these keys, like `where: …`; `sluice explain` lists all steps"
    return Either.left([{ path, message }])
  }
  const synonym = Object.hasOwn(synonyms, meant) ? synonyms[meant] : undefined
  const hint = synonym === undefined ? didYouMean(meant, names) : `: the step for it is "${synonym}"`
  const message = `there is no step "${meant}"${hint || ": `sluice explain` lists the steps"}`
  return Either.left([{ path: [...path, meant], atKey: true, message }, ...beside(meant, meant)])
}

/** True for an error in, or within, a value that is not known yet; not for an error in the key that holds that value. */
const isOpen = ({ atKey, path }: Issue, unknown: ReadonlyArray<Path>): boolean =>
  unknown.some((each) => isBelow(path, each) && (atKey !== true || path.length > each.length))

const coerced = (value: unknown, path: Path): unknown => {
  const [key, ...rest] = path
  if (key === undefined) {
    if (typeof value !== "string") return value
    if (value === "true" || value === "false") return value === "true"
    return /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value
  }
  if (Array.isArray(value)) return value.map((item, index) => (index === key ? coerced(item, rest) : item))
  return isMapping(value) ? { ...value, [key]: coerced(value[String(key)], rest) } : value
}

/** Values that are valid YAML but probably not what was meant, with paths below the part whose schema is given. */
const suspicious = (ast: AST.AST, value: unknown, path: Path = []): ReadonlyArray<Issue> => {
  if (typeof value === "string") {
    if (!value.includes("{{")) return []
    const message = withoutBraces(ast, path, value) ?? (takesExpression(ast, path) ? undefined : suspiciousText(value))
    return message === undefined ? [] : [{ path, message }]
  }
  if (Array.isArray(value)) {
    const range = value.length === 1 && isRange(value[0])
    return range
      ? [{ path, message: rangeHint }]
      : value.flatMap((item, index) => suspicious(ast, item, [...path, index]))
  }
  if (!isMapping(value)) return []
  return Object.entries(value).flatMap(([key, item]) => {
    const message = suspiciousKey(key)
    if (message === undefined) return suspicious(ast, item, [...path, key])
    // YAML parses an unquoted {{ … }} as an object: the issue points to the whole value, and not to the key inside it.
    return key.startsWith("{")
      ? [{ path, message: withoutBraces(ast, path, `{${key}}`) ?? message }]
      : [{ path: [...path, key], atKey: true as const, message }]
  })
}

/** Finds values that YAML cut off from an expression at a comma, as in `{ x: $f(a, b) }`. */
const torn = (raw: unknown, odd: ReadonlyArray<Issue>, path: Path): ReadonlyArray<Pick<Issue, "path" | "atKey">> =>
  odd.flatMap((each) => {
    if (each.atKey !== true) return []
    const above = each.path.slice(0, -1)
    const around = above.slice(path.length).reduce<unknown>((value, key) => {
      if (Array.isArray(value)) return value[Number(key)]
      return isMapping(value) ? value[String(key)] : undefined
    }, raw)
    if (!isMapping(around)) return []
    return Object.entries(around).flatMap(([key, value]) =>
      typeof value === "string" && /[([{][^)\]}]*$/.test(value) ? [{ path: [...above, key] }] : []
    )
  })

const pathOf = ({ path }: Pick<Issue, "path">): Path => path

/** The value with one part replaced, or with its key removed if the replacement is undefined. */
const replaced = (value: unknown, path: Path, by: unknown): unknown => {
  const [key, ...rest] = path
  if (key === undefined) return by
  if (Array.isArray(value)) return value.map((item, index) => (index === key ? replaced(item, rest, by) : item))
  if (!isMapping(value)) return value
  const next = replaced(value[String(key)], rest, by)
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, item]) =>
      name !== key ? [[name, item]] : next === undefined ? [] : [[name, next]]
    )
  )
}

/** Errors from rules that span several fields, found by leaving out the fields that have errors themselves. */
const hidden = (
  schema: Schema.Schema<unknown, unknown>,
  value: unknown,
  first: ParseResult.ParseError,
  path: Path
): ReadonlyArray<Issue> => {
  if (!isMapping(value)) return []
  const wrong = issuesOf(first.issue).flatMap((issue) => (issue.path.length > 0 ? [String(issue.path[0])] : []))
  if (wrong.length === 0) return []
  const rest = Object.fromEntries(Object.entries(value).filter(([key]) => !wrong.includes(key)))
  const again = Schema.decodeUnknownEither(schema, { errors: "all", onExcessProperty: "error" })(rest)
  if (Either.isRight(again)) return []
  const more = issuesOf(again.left.issue)
  // Leaving out a field may violate another rule: report only errors that have nothing to do with it.
  if (more.some((issue) => issue.path.length === 0)) return []
  const misses = (message: string) => wrong.some((key) => message.split(/\W+/).includes(key))
  return more.filter(({ message }) => !misses(message)).map((issue) => ({ ...issue, path: [...path, ...issue.path] }))
}

/** A decoded part of a definition; {@link open} if it depends on a value that is not known yet. */
type Part<A> = Either.Either<A | typeof open, ReadonlyArray<Issue>>

/** Resolves and decodes a part of a definition; the path of the part comes first in the paths of its errors. */
export const decodePart = <A>(
  schema: Schema.Schema<A, unknown>,
  raw: unknown,
  path: Path,
  scope: Scope
): Effect.Effect<Part<A>> =>
  Effect.gen(function* (): Effect.fn.Return<Part<A>> {
    const relative = (each: Path) => each.slice(path.length)
    const odd = suspicious(schema.ast, raw).map((each) => ({ ...each, path: [...path, ...each.path] }))
    // A value cut by YAML stays open, so that other errors are found as well.
    const unread = [...odd, ...torn(raw, odd, path)]
    const readable = unread.reduce(
      (value, each) => replaced(value, relative(each.path), each.atKey ? undefined : open),
      raw
    )
    const takesRows = (at: Path) => takesExpression(schema.ast, [...relative(at), "expr"])
    const filled = yield* settle({ ...scope, takesRows }, readable, path)
    const strangers = unknownKeysIn(schema.ast, filled.value, path)
    // An unknown key is reported once, without errors in its value.
    const inKnown = filled.issues.filter((each) => !strangers.some((key) => isBelow(each.path, key.path)))
    const settled = { ...filled, issues: [...odd, ...inKnown], open: [...filled.open, ...unread.map(pathOf)] }
    const decode = Schema.decodeUnknownEither(schema, { errors: "all", onExcessProperty: "error" })
    const first = decode(settled.value)
    const result = Either.isRight(first)
      ? first
      : Either.orElse(
          decode(settled.filled.reduce((value, each) => coerced(value, relative(each)), settled.value)),
          () => first
        )
    if (Either.isRight(result)) {
      const issues = [...settled.issues, ...strangers, ...broughtIn(schema.ast, settled.value, path, settled.filled)]
      return issues.length > 0 ? Either.left(issues) : Either.right(result.right)
    }
    const found = [
      ...issuesOf(result.left.issue, path),
      ...hidden(schema as Schema.Schema<unknown, unknown>, settled.value, result.left, path)
    ]
      .filter((issue) => !isOpen(issue, settled.open))
      // `strangers` reports these keys, with a reason.
      .filter(({ atKey, path: at }) => atKey !== true || !strangers.some((key) => isBelow(at, key.path)))
      .map((issue) =>
        settled.secret.some((each) => isBelow(issue.path, each))
          ? { ...issue, message: "a secret has a value that is not allowed here: check its value" }
          : issue
      )
    // If a value has the wrong type, only that is reported, not the unknown keys in it.
    const whole = found.filter(({ isWhole }) => isWhole === true)
    const own = strangers.filter((each) => !whole.some((issue) => isBelow(each.path, issue.path)))
    const issues = [...settled.issues, ...found, ...own]
    return issues.length > 0 ? Either.left(issues) : Either.right(open)
  })

const issuesIn = (part: Part<unknown>): ReadonlyArray<Issue> => (Either.isLeft(part) ? part.left : [])

/** Resolves and decodes a step; parts that depend on values not known yet are {@link open}. */
export const decode = (node: Node, scope: Scope): Effect.Effect<Either.Either<DecodedNode, ReadonlyArray<Issue>>> =>
  Effect.gen(function* () {
    const path: Path = ["steps", node.index]
    const config = yield* decodePart(
      node.step.config as Schema.Schema<unknown, unknown>,
      node.config,
      [...path, node.step.key],
      { ...scope, headers: node.step.headers, credentials: node.step.credentials }
    )
    // Unknown keys are reported at their own positions.
    const known = Object.fromEntries(Object.entries(node.common).filter(([key]) => commonKeys.includes(key)))
    const common = yield* decodePart(Common as Schema.Schema<Common, unknown>, known, path, scope)
    const besides = besideStep(node.step.key, [...path, node.step.key])
    const issues = [...issuesIn(config).map(besides), ...issuesIn(common)]
    return issues.length > 0 || Either.isLeft(config) || Either.isLeft(common)
      ? Either.left(issues)
      : Either.right({ config: config.right, common: common.right === open ? {} : common.right })
  })
