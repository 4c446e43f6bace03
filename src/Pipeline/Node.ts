/** One step of a definition: found by its key, placed in the graph, decoded when its values are known. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { didYouMean } from "../Row/Nearest.ts"
import type * as Step from "../Step.ts"
import { Common, commonKeys } from "./Definition.ts"
import { broughtIn } from "./Expressions.ts"
import { open, type Scope, settle } from "./Interpolate.ts"
import { describeValue, type Mistake, mistakesOf, type Path } from "./Mistake.ts"
import { steps } from "./Steps.ts"
import { strangersIn } from "./Stranger.ts"
import { isRange, rangeHint, suspiciousKey, suspiciousText } from "./Traps.ts"

/** A step in its place; what its fields say is not settled yet. */
export interface Node {
  readonly id: string
  readonly index: number
  readonly step: Step.Any
  /** The step's own fields, as written. */
  readonly config: unknown
  /** The keys beside them, as written. */
  readonly common: Readonly<Record<string, unknown>>
  /** The steps whose rows it reads: none for a source, several where branches merge. */
  readonly inputs: ReadonlyArray<string>
  /** The steps that must have ended before it begins. */
  readonly after: ReadonlyArray<string>
}

/** The step's fields and common keys with their values. */
export interface DecodedNode {
  readonly config: unknown
  readonly common: Common
}

const isMapping = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Finds the one key of a mapping that names a step. */
export const dispatch = (
  value: unknown,
  path: Path
): Either.Either<{ readonly step: Step.Any; readonly key: string }, Mistake> => {
  if (!isMapping(value)) {
    return Either.left({
      path,
      message: `a step is a mapping with one step key, like \`- where: metadata.statusCode = 200\`, got ${describeValue(value)}`
    })
  }
  const keys = Object.keys(value)
  const known = keys.filter((key) => steps.some((step) => step.key === key))
  const [key] = known
  if (key === undefined) {
    const own = keys.filter((each) => !commonKeys.includes(each))
    const names = steps.map((step) => step.key)
    return Either.left(
      own[0] === undefined
        ? {
            path,
            message: `names no step: write one beside its keys, like \`where: …\`; \`sluice explain\` lists them`
          }
        : {
            path: [...path, own[0]],
            atKey: true,
            message: `there is no step "${own[0]}"${didYouMean(own[0], names) || ": `sluice explain` lists the steps"}`
          }
    )
  }
  if (known.length > 1) {
    return Either.left({
      path,
      message: `is two steps at once (${known.join(" and ")}): write each as its own list item`
    })
  }
  const step = steps.find((each) => each.key === key)
  return step === undefined ? Either.left({ path, message: `there is no step "${key}"` }) : Either.right({ step, key })
}

/** Mistakes in the keys beside a step's own, which no schema of one part alone can see. */
export const strangers = (value: Record<string, unknown>, key: string, path: Path): ReadonlyArray<Mistake> =>
  Object.keys(value)
    .filter((each) => each !== key && !commonKeys.includes(each))
    .map((each) => ({
      path: [...path, each],
      atKey: true as const,
      message: suspiciousKey(each) ?? `unknown key "${each}" beside "${key}"${didYouMean(each, commonKeys)}`
    }))

const startsWith = (path: Path, prefix: Path): boolean => prefix.every((part, index) => path[index] === part)

/** A mistake in a value that is not known yet may be none; one in the key before it is one all the same. */
const isOpen = ({ atKey, path }: Mistake, unknown: ReadonlyArray<Path>): boolean =>
  unknown.some((each) => startsWith(path, each) && (atKey !== true || path.length > each.length))

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

const suspicious = (value: unknown, path: Path): ReadonlyArray<Mistake> => {
  if (typeof value === "string") {
    const message = suspiciousText(value)
    return message === undefined ? [] : [{ path, message }]
  }
  if (Array.isArray(value)) {
    const range = value.length === 1 && isRange(value[0])
    return range ? [{ path, message: rangeHint }] : value.flatMap((item, index) => suspicious(item, [...path, index]))
  }
  if (!isMapping(value)) return []
  return Object.entries(value).flatMap(([key, item]) => {
    const message = suspiciousKey(key)
    if (message === undefined) return suspicious(item, [...path, key])
    // A mapping that stands for {{ … }} is shown as the value that it was meant to be.
    return key.startsWith("{") ? [{ path, message }] : [{ path: [...path, key], atKey: true as const, message }]
  })
}

/** A decoded part of a definition; {@link open} when it depends on what is not known yet. */
type Part<A> = Either.Either<A | typeof open, ReadonlyArray<Mistake>>

/** Settles a part of a definition and decodes it; its mistakes have the part's path before theirs. */
export const decodePart = <A>(
  schema: Schema.Schema<A, unknown>,
  raw: unknown,
  path: Path,
  scope: Scope
): Effect.Effect<Part<A>> =>
  Effect.gen(function* (): Effect.fn.Return<Part<A>> {
    const odd = suspicious(raw, path)
    if (odd.length > 0) return Either.left(odd)
    const settled = yield* settle(scope, raw, path)
    const decode = Schema.decodeUnknownEither(schema, { errors: "all", onExcessProperty: "error" })
    const relative = (each: Path) => each.slice(path.length)
    const first = decode(settled.value)
    const result = Either.isRight(first)
      ? first
      : Either.orElse(
          decode(settled.filled.reduce((value, each) => coerced(value, relative(each)), settled.value)),
          () => first
        )
    const strangers = strangersIn(schema.ast, settled.value, path)
    if (Either.isRight(result)) {
      const mistakes = [
        ...settled.mistakes,
        ...strangers,
        ...broughtIn(schema.ast, settled.value, path, settled.filled)
      ]
      return mistakes.length > 0 ? Either.left(mistakes) : Either.right(result.right)
    }
    const found = mistakesOf(result.left.issue, path)
      .filter((mistake) => !isOpen(mistake, settled.open))
      .map((mistake) =>
        settled.secret.some((each) => startsWith(mistake.path, each))
          ? { ...mistake, message: "a secret does not fit here: look at its value" }
          : mistake
      )
    // What is no such mapping at all has been told as a whole.
    const whole = found.filter(({ message }) => message.startsWith("expected "))
    const own = strangers.filter((each) => !whole.some((mistake) => startsWith(each.path, mistake.path)))
    const mistakes = [...settled.mistakes, ...found, ...own]
    return mistakes.length > 0 ? Either.left(mistakes) : Either.right(open)
  })

const mistakesIn = (part: Part<unknown>): ReadonlyArray<Mistake> => (Either.isLeft(part) ? part.left : [])

/** Settles and decodes a node; a part that depends on what is not known yet comes back {@link open}. */
export const decode = (node: Node, scope: Scope): Effect.Effect<Either.Either<DecodedNode, ReadonlyArray<Mistake>>> =>
  Effect.gen(function* () {
    const path: Path = ["steps", node.index]
    const config = yield* decodePart(
      node.step.config as Schema.Schema<unknown, unknown>,
      node.config,
      [...path, node.step.key],
      scope
    )
    // Keys that are not known at all have been told by their place.
    const known = Object.fromEntries(Object.entries(node.common).filter(([key]) => commonKeys.includes(key)))
    const common = yield* decodePart(Common as Schema.Schema<Common, unknown>, known, path, scope)
    const mistakes = [...mistakesIn(config), ...mistakesIn(common)]
    return mistakes.length > 0 || Either.isLeft(config) || Either.isLeft(common)
      ? Either.left(mistakes)
      : Either.right({ config: config.right, common: common.right === open ? {} : common.right })
  })
