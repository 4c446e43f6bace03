/** Idioms of other languages that compile, and then fail for each row or silently give nothing. */
import { functionNames } from "./Functions.ts"
import type { Node, Stage } from "./Syntax.ts"

/** Something that an expression most likely does not mean. */
export interface Idiom {
  /** The name or operator, and an offset in the source behind it. */
  readonly name: string
  readonly position: number
  readonly reason: string
}

/** Methods and functions of other languages, by what to write instead for the value `x`. */
const methods: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    "$contains(x, …)": "contains includes indexOf search has like",
    "$contains(x, /…/)": "test matches regex",
    "$contains(x, /^…/)": "startsWith starts_with",
    "$contains(x, /…$/)": "endsWith ends_with",
    "$lowercase(x)": "toLowerCase lower lcase",
    "$uppercase(x)": "toUpperCase upper ucase",
    "$trim(x)": "strip trimStart trimEnd",
    "$replace(x, …)": "replaceAll sub",
    "$substring(x, …)": "slice substr",
    "$length(x)": "len size",
    "$number(x)": "parseInt parseFloat int float",
    "$string(x)": "toString str",
    "$exists(x)": "isNull isEmpty is_null defined",
    "$now()": "Date"
  }).flatMap(([call, names]) => names.split(" ").map((name) => [name.toLowerCase(), call] as const))
)

const known: ReadonlyMap<string, string> = new Map(functionNames.map((name) => [name.toLowerCase(), name]))

/** Words that are values in other languages; here they are names of fields. */
const words: Readonly<Record<string, string>> = {
  undefined: "$exists(…) or $not($exists(…))",
  None: "null, or $not($exists(…)) for a field that is missing",
  nil: "null, or $not($exists(…)) for a field that is missing",
  NULL: "null",
  Null: "null",
  True: "true",
  TRUE: "true",
  False: "false",
  FALSE: "false",
  NaN: "$not($exists(…))"
}

type Pairs = ReadonlyArray<readonly [Node, Node]>

const nodesOf = (value: Node | Pairs | undefined): ReadonlyArray<Node> =>
  value === undefined ? [] : Array.isArray(value) ? (value as Pairs).flat() : [value as Node]

const inStages = (stages: ReadonlyArray<Stage> = []): ReadonlyArray<Node> => stages.flatMap(({ expr }) => expr ?? [])

const childrenOf = (node: Node): ReadonlyArray<Node> => [
  ...nodesOf(node.lhs),
  ...[node.rhs, node.expression, node.condition, node.then, node.else, node.body, node.pattern, node.update].flatMap(
    nodesOf
  ),
  ...[...nodesOf(node.delete), ...(node.steps ?? []), ...(node.expressions ?? []), ...(node.arguments ?? [])],
  ...(node.terms ?? []).map(({ expression }) => expression),
  ...[...inStages(node.predicate), ...inStages(node.stages), ...nodesOf(node.group?.lhs)]
]

/** Steps of a path as text, if each is a name. */
const fieldOf = (steps: ReadonlyArray<Node> = []): string | undefined =>
  steps.length > 0 && steps.every(({ type }) => type === "name") ? steps.map(({ value }) => value).join(".") : undefined

/** The name that a node consists of, if it is one. */
const nameOf = (node: Node | undefined): string | undefined =>
  node?.steps?.length === 1 ? fieldOf(node.steps) : undefined

/** A call of a name without `$`, which is a field and no function: `title.includes("x")`, `len(title)`. */
const callWithoutSign = (call: Node, above: ReadonlyArray<Node>, bound: ReadonlySet<string>): ReadonlyArray<Idiom> => {
  const name = call.type === "function" ? nameOf(call.procedure) : undefined
  if (name === undefined) return []
  const [first] = above
  // An object of the expression itself may hold functions: `$tools.trim(title)`.
  if (first?.type === "variable" && bound.has(String(first.value))) return []
  const field = fieldOf(above)
  const isOfField = above.length === 0 || field !== undefined
  /** Number of arguments besides the value itself. */
  const more = (call.arguments?.length ?? 0) - (above.length > 0 ? 0 : 1)
  const ofOwn = known.get(name.toLowerCase())
  const instead = methods[name.toLowerCase()] ?? (ofOwn && `$${ofOwn}(x${more > 0 ? ", …" : ""})`)
  if (!isOfField && instead === undefined) return []
  const of = field ?? nameOf(call.arguments?.[0]) ?? "…"
  const advice = instead === undefined ? "" : `. Write ${instead.replace("(x", () => `(${of}`)}`
  const { position = 0 } = call.procedure?.steps?.[0] ?? {}
  return [{ position, name, reason: `${name}(…) is not a function: function names begin with $${advice}` }]
}

/** Operators that do not take a node of this type, each with the reason. */
const operators: Readonly<Record<string, readonly [type: string, reason: string]>> = {
  "+": ["string", "+ adds numbers: write & to join strings"],
  "=": ["regex", "= compares with no pattern: write $contains(…, /…/)"],
  "!=": ["regex", "!= compares with no pattern: write $not($contains(…, /…/))"]
}

const isOr = ({ type, value }: Node): boolean => type === "binary" && value === "or"

/** True for a string, and for a chain of `or` with one. */
const hasString = (node: Node): boolean =>
  node.type === "string" || (isOr(node) && [...nodesOf(node.rhs), ...nodesOf(node.lhs)].some(hasString))

/** The first string in a chain of `or`, and the operand beside it. */
const ofOr = ({ lhs, position = 0, rhs }: Node): ReadonlyArray<Idiom> => {
  const [left] = nodesOf(lhs)
  if (left === undefined || rhs === undefined) return []
  const before = isOr(left) ? left.rhs : left
  const [text, other] = left.type === "string" ? [left, rhs] : [rhs, before]
  if (text.type !== "string" || (isOr(left) && hasString(left))) return []
  const written = JSON.stringify(text.value)
  const [compared] = other?.type === "binary" && other.value === "=" ? nodesOf(other.lhs) : []
  const field = fieldOf((compared ?? other)?.steps) ?? "…"
  const fallback = `${field} ?? ${written} for a default`
  const reason =
    compared === undefined || other?.rhs?.type !== "string"
      ? `\`or\` gives true or false: write ${fallback}`
      : `\`or\` does not compare with ${written}, and a non-empty string counts as true: write ${field} in [${JSON.stringify(other.rhs.value)}, ${written}], or ${fallback}`
  return [{ name: "or", position, reason }]
}

const ofBinary = ({ lhs, position = 0, rhs, value }: Node): ReadonlyArray<Idiom> => {
  const name = String(value)
  const [type, reason = ""] = operators[name] ?? []
  return [...nodesOf(lhs), ...nodesOf(rhs)].some((side) => side.type === type) ? [{ name, position, reason }] : []
}

const ofNode = (node: Node, bound: ReadonlySet<string>): ReadonlyArray<Idiom> => {
  const bracketed = [...inStages(node.predicate), ...inStages(node.stages)].find(({ type }) => type === "string")
  if (bracketed !== undefined) {
    const key = String(bracketed.value)
    const reason = `["${key}"] reads no field, because brackets filter: write .\`${key}\``
    return [{ name: key, position: bracketed.position ?? 0, reason }]
  }
  const name = nameOf(node)
  const { position = 0 } = node.steps?.[0] ?? node
  if (name !== undefined && Object.hasOwn(words, name))
    return [{ position, name, reason: `${name} is read as a field: write ${words[name]}` }]
  if (name?.includes("${") === true)
    return [{ name, position, reason: "backquotes enclose the name of a field: write & to join strings" }]
  if (node.type === "path")
    return (node.steps ?? []).flatMap((step, index) => callWithoutSign(step, node.steps?.slice(0, index) ?? [], bound))
  return isOr(node) ? ofOr(node) : node.type === "binary" ? ofBinary(node) : []
}

/** All such idioms in an expression, which binds these names. */
export const idiomsIn = (node: Node, bound: ReadonlySet<string>): ReadonlyArray<Idiom> => [
  ...ofNode(node, bound),
  ...(node.type === "path" ? [] : callWithoutSign(node, [], bound)),
  ...childrenOf(node)
    // A path has looked at the calls among its steps.
    .flatMap((child) => (node.type === "path" && child.type === "function" ? (child.arguments ?? []) : [child]))
    .flatMap((child) => idiomsIn(child, bound))
]
