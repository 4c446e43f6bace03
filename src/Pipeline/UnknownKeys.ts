/** Unknown keys of a definition: each with the place where it belongs, or the nearest known key. */
import * as Option from "effect/Option"
import * as AST from "effect/SchemaAST"
import { didYouMean } from "../Row/Nearest.ts"
import { isMapping } from "../Step/Requirements.ts"
import type * as Step from "../Step.ts"
import { commonKeys, settledFields } from "./Definition.ts"
import { knownKeys, neededKeys, shapesOf } from "./Expectation.ts"
import { type Issue, type Path, unknownKey } from "./Issue.ts"
import { suspiciousKey } from "./YamlErrors.ts"

/** True for the types of a service's responses, which keep unknown keys so that they can be passed on. */
const keepsUnknown = (ast: AST.AST): boolean =>
  Option.match(AST.getAnnotation<AST.ParseOptions>(AST.ParseOptionsAnnotationId)(ast), {
    onNone: () => false,
    onSome: ({ onExcessProperty }) => onExcessProperty === "preserve"
  })

/** The members of a schema; none if unknown keys are kept. */
const shapes = (ast: AST.AST): ReadonlyArray<AST.AST> => shapesOf(ast, { isClosed: keepsUnknown })

/** A value of the schema that has the key, like `[{ expr: …, order: … }]`; undefined if the schema has no such key. */
const exampleWith = (ast: AST.AST, key: string, maxLists = 2): string | undefined => {
  for (const shape of shapes(ast)) {
    if (AST.isTypeLiteral(shape) && knownKeys(shape).includes(key)) {
      return `{ ${[...new Set([...neededKeys(shape), key])].map((name) => `${name}: …`).join(", ")} }`
    }
    // Values of any JSON are arrays of themselves.
    const [item] = AST.isTupleType(shape) && maxLists > 0 ? shape.rest : []
    const example = item && exampleWith(item.type, key, maxLists - 1)
    if (example !== undefined) return `[${example}]`
  }
  return undefined
}

/** Place of a key that is known one level below an object: `within "scrapeOptions"`. Prefers fields that `value` has. */
const placeBelow = (ast: AST.AST, value: unknown, key: string): string | undefined => {
  const fields = shapes(ast).flatMap((shape) => (AST.isTypeLiteral(shape) ? shape.propertySignatures : []))
  const isPresent = ({ name }: AST.PropertySignature) => isMapping(value) && Object.hasOwn(value, name)
  for (const { name, type } of [...fields.filter(isPresent), ...fields]) {
    const example = exampleWith(type, key)
    if (example !== undefined)
      return `within "${String(name)}"${example.startsWith("[") ? `: write ${String(name)}: ${example}` : ""}`
  }
  return undefined
}

/** The object around a value: its keys, and the one that holds the value. */
interface Outer {
  readonly name: string
  readonly keys: ReadonlyArray<string>
}

const inMapping = (
  ast: AST.TypeLiteral,
  value: Readonly<Record<string, unknown>>,
  path: Path,
  outer: Outer | undefined
): ReadonlyArray<Issue> => {
  const keys = knownKeys(ast)
  const [index] = ast.indexSignatures
  return Object.entries(value).flatMap(([key, each]): ReadonlyArray<Issue> => {
    const signature = ast.propertySignatures.find(({ name }) => name === key)
    const type = signature?.type ?? index?.type
    if (type !== undefined) return unknownKeysIn(type, each, [...path, key], { name: key, keys })
    const place =
      placeBelow(ast, value, key) ?? (outer?.keys.includes(key) === true ? `beside "${outer.name}"` : undefined)
    const at: Path = [...path, key]
    return [
      place === undefined
        ? unknownKey(at, keys)
        : { path: at, atKey: true, isPlaced: true, message: `"${key}" belongs ${place}` }
    ]
  })
}

/** Explains a key that only another member of the union has, like `csv` beside `jsonl`. */
const excludedBy =
  (meant: ReadonlyArray<AST.AST>, path: Path) =>
  (issue: Issue): Issue => {
    const key = String(issue.path[path.length])
    const kinds = meant.flatMap(neededKeys)
    if (issue.path.length !== path.length + 1 || !kinds.includes(key)) return issue
    return { ...issue, message: `takes one of ${[...new Set(kinds)].join(" and ")}, not both` }
  }

/**
 * Unknown keys in a value, even if the service would ignore them. For a union, uses the member that knows the most keys, preferably among
 * those whose required keys are all present.
 */
export const unknownKeysIn = (ast: AST.AST, value: unknown, path: Path, outer?: Outer): ReadonlyArray<Issue> => {
  const members = shapes(ast)
  const isMeant = (shape: AST.AST) => isMapping(value) && neededKeys(shape).every((key) => Object.hasOwn(value, key))
  const meant = members.filter(isMeant)
  const found = (meant.length > 0 ? meant : members).flatMap((shape): ReadonlyArray<ReadonlyArray<Issue>> => {
    if (AST.isTypeLiteral(shape) && isMapping(value)) return [inMapping(shape, value, path, outer)]
    if (AST.isTupleType(shape) && Array.isArray(value)) {
      const [item] = shape.rest
      return [
        item === undefined
          ? []
          : value.flatMap((each, index) => unknownKeysIn(item.type, each, [...path, index], outer))
      ]
    }
    return []
  })
  const fewest = found.reduce((best, each) => (each.length < best.length ? each : best), found[0] ?? [])
  return meant.length > 1 ? fewest.map(excludedBy(meant, path)) : fewest
}

/** Explains that a key in a step's fields is a common key, and belongs beside the step: `rate` in `scrape: { rate: 8/s }`. */
export const besideStep =
  (step: string, path: Path) =>
  (issue: Issue): Issue => {
    const key = String(issue.path.at(-1))
    const isOwn = issue.path.length > path.length + 1 && issue.isPlaced === true
    if (issue.atKey !== true || issue.path.length <= path.length || isOwn || !commonKeys.includes(key)) return issue
    return {
      ...issue,
      message: `unknown key "${key}" within "${step}": it belongs beside "${step}", indented as far as it`
    }
  }

/** Error for a key beside a step that is not a common key. */
export const strangerAt = (
  key: string,
  step: string,
  path: Path,
  steps: ReadonlyArray<Step.Any>,
  value?: unknown
): Issue => {
  const ast = steps.find((each) => each.key === step)?.config.ast
  const below = ast && placeBelow(ast, value, key)
  const isField = ast !== undefined && exampleWith(ast, key) !== undefined
  const hint = isField
    ? `: it belongs within "${step}"${value === null ? ", indented further" : ""}`
    : below !== undefined
      ? `: in "${step}", it belongs ${below}`
      : key === "inputs" || Object.hasOwn(settledFields, key)
        ? `: it belongs beside "steps"`
        : didYouMean(key, commonKeys)
  return {
    path: [...path, key],
    atKey: true,
    ...(isField && value === null ? { belongsInto: [...path, step] } : {}),
    message: suspiciousKey(key) ?? `unknown key "${key}" beside "${step}"${hint}`
  }
}

/** Errors for keys that are neither the step's own key nor common keys. */
export const strangers = (
  value: Readonly<Record<string, unknown>>,
  key: string,
  path: Path,
  steps: ReadonlyArray<Step.Any>
): ReadonlyArray<Issue> =>
  Object.keys(value)
    .filter((each) => each !== key && !commonKeys.includes(each))
    .map((each) => strangerAt(each, key, path, steps, value[key]))

/** Explains an unknown key at the top of a definition that belongs into a step, or into a key beside `steps`; and what `steps` needs. */
export const atTop =
  (steps: ReadonlyArray<Step.Any>) =>
  (issue: Issue): Issue => {
    const key = String(issue.path[0])
    if (issue.path.length !== 1) return issue
    if (issue.atKey !== true) {
      if (key !== "steps") return issue
      const isEmpty = issue.isWhole !== true
      return {
        ...issue,
        message: isEmpty
          ? "has no step: begin with one that gives rows, like urls or crawl"
          : `${issue.message}: begin each step with "- "`
      }
    }
    if (key === "secrets")
      return {
        ...issue,
        message: 'unknown key "secrets": they need no declaration, write ${{ secrets.NAME }} where one is used'
      }
    const within = (["schedule", "budget", "state"] as const).find(
      (each) => exampleWith(settledFields[each].ast, key) !== undefined
    )
    const place = steps.some((step) => step.key === key)
      ? "it is a step, and belongs into the list of steps"
      : commonKeys.includes(key)
        ? "it belongs beside a step, in the list of steps"
        : within && `it belongs within "${within}"`
    return place === undefined ? issue : { ...issue, message: `unknown key "${key}": ${place}` }
  }

/** Leaves out that a step has no fields, if its fields stand beside it. */
export const withoutEmptied = (issues: ReadonlyArray<Issue>): ReadonlyArray<Issue> => {
  const emptied = issues.flatMap(({ belongsInto }) => (belongsInto === undefined ? [] : [belongsInto.join()]))
  return issues.filter(({ atKey, path }) => atKey === true || !emptied.includes(path.join()))
}

/** True if the fields of a step have this key. */
export const hasField = ({ config }: Step.Any, key: string): boolean => exampleWith(config.ast, key) !== undefined
