/** Formats a definition (`sluice fmt`) as YAML, JSON or TypeScript, with its keys in a fixed order; its value never changes. */

import { isDeepStrictEqual } from "node:util"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import {
  Document,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  Scalar,
  visit,
  YAMLMap,
  YAMLSeq
} from "yaml"
import * as Trace from "../Telemetry/Trace.ts"
import { commonKeys } from "./Definition.ts"
import { cutExpressions } from "./Expressions.ts"
import { builtIn } from "./Extensions.ts"
import { DefinitionInvalid } from "./Issue.ts"
import { parseText, whyNotPlain } from "./Source.ts"

const lineWidth = 120

const frameOrder: ReadonlyArray<string> = [
  "version",
  "name",
  "description",
  "inputs",
  "extensions",
  "site",
  "login",
  "state",
  "schedule",
  "budget",
  "priority",
  "notify",
  "steps"
]

const before: ReadonlyArray<string> = ["id", "from", "after"]

/** Order of a step's keys: id and inputs, then the step's own key (or an unknown one), then common keys. */
const stepRank = (key: string): number => {
  if (before.includes(key)) return before.indexOf(key)
  if (!commonKeys.includes(key)) return before.length
  return before.length + 1 + commonKeys.indexOf(key)
}

/** Order of the frame's keys: `steps` comes last, after unknown keys. */
const frameRank = (key: string): number =>
  frameOrder.includes(key) ? frameOrder.indexOf(key) : frameOrder.length - 1.5

/** Kind of object whose keys are sorted: the definition itself, or one of its steps. */
export type Place = "frame" | "step"

/** Compares two keys: negative if the first one comes first. */
export const compareKeys = (place: Place, one: string, other: string): number => {
  const rank = place === "frame" ? frameRank : stepRank
  return rank(one) - rank(other)
}

const sorted = (place: Place, value: unknown): unknown =>
  Predicate.isReadonlyRecord(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => compareKeys(place, one, other)))
    : value

/** Returns a definition with the keys of the frame and of its steps in their fixed order. */
export const ordered = (value: unknown): unknown => {
  const frame = sorted("frame", value)
  return Predicate.isReadonlyRecord(frame) && Array.isArray(frame.steps)
    ? { ...frame, steps: frame.steps.map((step) => sorted("step", step)) }
    : frame
}

/** Quotes a string with double quotes, unless single quotes need fewer escapes. */
const quoteTypescript = (text: string): string => {
  const count = (mark: string) => text.split(mark).length
  const double = JSON.stringify(text).replace(
    /[\u2028\u2029\u007f-\u009f]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`
  )
  return count('"') > count("'") ? `'${double.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'` : double
}

const keyTypescript = (name: string): string => {
  // In an object literal, an unquoted __proto__ sets the prototype.
  if (name === "__proto__") return '["__proto__"]'
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quoteTypescript(name)
}

const numberTypescript = (value: number): string => {
  if (Number.isNaN(value)) return "Number.NaN"
  if (!Number.isFinite(value)) return value > 0 ? "Number.POSITIVE_INFINITY" : "Number.NEGATIVE_INFINITY"
  return Object.is(value, -0) ? "-0" : String(value).replace("e+", "e")
}

/** Writes a value on one line. */
const flat = (value: unknown): string => {
  if (typeof value === "string") return quoteTypescript(value)
  if (typeof value === "number") return numberTypescript(value)
  if (Array.isArray(value)) return `[${value.map(flat).join(", ")}]`
  if (typeof value !== "object" || value === null) return String(value)
  const fields = Object.entries(value).map(([name, each]) => `${keyTypescript(name)}: ${flat(each)}`)
  return fields.length === 0 ? "{}" : `{ ${fields.join(", ")} }`
}

/** Writes a value, over several lines if one would be too long. `used`: columns before the value; one more is needed for a comma. */
const lay = (value: unknown, indent: string, used: number, open: boolean): string => {
  const line = flat(value)
  if (typeof value !== "object" || value === null) return line
  if (!open && used + line.length + 1 <= lineWidth) return line
  const deeper = `${indent}  `
  if (Array.isArray(value)) {
    if (value.length === 0) return line
    return `[\n${value.map((each) => `${deeper}${lay(each, deeper, deeper.length, false)}`).join(",\n")}\n${indent}]`
  }
  const fields = Object.entries(value).map(([name, each]) => {
    const start = `${deeper}${keyTypescript(name)}: `
    const isSteps = indent === "" && name === "steps" && Array.isArray(each) && each.length > 0
    return start + lay(each, deeper, start.length, isSteps)
  })
  return fields.length === 0 ? "{}" : `{\n${fields.join(",\n")}\n${indent}}`
}

/** The text of a module that exports the definition as its default. */
export const typescript = (value: unknown): string =>
  `import { definePipeline } from "sluice/promise"\n\nexport default definePipeline(${lay(value, "", 0, true)})\n`

/** Width 0 prevents folding: a string on one line stays on one line. */
const layout = { lineWidth: 0, indent: 2, indentSeq: true } as const

type Collection = YAMLMap | YAMLSeq
type Stringify = Collection["toString"]

/** Sets the padding of a collection: `{ a: 1 }` but `[a, b]`, because the library has one setting for both. */
const pad = (collection: Collection, padding: string): void => {
  const draw: Stringify = function (this: Collection, context, onComment, onChompKeep) {
    const proto = isMap(this) ? YAMLMap.prototype : YAMLSeq.prototype
    const padded = context && { ...context, flowCollectionPadding: padding }
    return (proto.toString as Stringify).call(this, padded, onComment, onChompKeep)
  }
  Object.defineProperty(collection, "toString", { value: draw, enumerable: false })
}

const keyOf = (pair: { readonly key: unknown }): string => (isScalar(pair.key) ? String(pair.key.value) : "")

/** Sorts the keys of a map; a comment above the first key stays on top. */
const sort = (place: Place, map: unknown): void => {
  if (!isMap(map)) return
  const [first] = map.items
  map.items.sort((one, other) => compareKeys(place, keyOf(one), keyOf(other)))
  const [now] = map.items
  if (now === first) return
  // A blank line after the dash would separate the dash from its step.
  if (place === "step" && isScalar(now?.key)) now.key.spaceBefore = false
}

const sortAll = (document: Document): void => {
  sort("frame", document.contents)
  const steps = isMap(document.contents) ? document.contents.get("steps") : undefined
  if (isSeq(steps)) for (const step of steps.items) sort("step", step)
}

/** Quotes strings that contain `${{ }}`, and others if YAML requires it; uses single quotes only to save escapes. */
const quote = (scalar: Scalar): void => {
  if (typeof scalar.value !== "string") return
  if (scalar.value.includes("\n")) {
    // A block scalar would lose leading white space of its first line and white space at line ends.
    if (/^\s|[ \t\r](\n|$)/.test(scalar.value)) scalar.type = Scalar.QUOTE_DOUBLE
    return
  }
  const isPlain = scalar.type === undefined || scalar.type === "PLAIN"
  if (scalar.value.includes("${{") && isPlain) scalar.type = Scalar.QUOTE_DOUBLE
  if (scalar.type === "QUOTE_SINGLE" && !/["\\]/.test(scalar.value)) scalar.type = Scalar.QUOTE_DOUBLE
}

const hasAliases = (document: Document): boolean => {
  let found = false
  visit(document, {
    Alias: () => {
      found = true
      return visit.BREAK
    }
  })
  return found
}

/** Normalizes quotes and padding in a document. */
const dress = (document: Document): void =>
  visit(document, {
    Scalar: (_, node) => quote(node),
    Collection: (_, node) => {
      if (node.items.length === 0) node.flow = true
      pad(node, isMap(node) ? " " : "")
    }
  })

/** Converts flow collections on lines that are too long to block style. */
const unfold = (text: string): string => {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines })
  const wide = new Set(text.split("\n").flatMap((line, index) => (line.length > lineWidth ? [index + 1] : [])))
  let changed = false
  visit(document, {
    Collection: (_, node) => {
      const isWide = node.range != null && wide.has(lines.linePos(node.range[0]).line)
      if (node.flow !== true || node.items.length === 0 || !isWide) return undefined
      node.flow = false
      changed = true
      return visit.SKIP
    }
  })
  if (!changed) return text
  dress(document)
  return unfold(document.toString(layout))
}

/** The formatted text of a parsed document, with its comments. */
export const format = (document: Document): string => {
  // Aliases must follow their anchors, so a document with aliases keeps its order.
  if (!hasAliases(document)) sortAll(document)
  dress(document)
  return unfold(document.toString(layout))
}

const isSimple = (node: unknown): boolean =>
  isScalar(node)
    ? typeof node.value !== "string" || !node.value.includes("\n")
    : isSeq(node) && node.items.every((item) => isScalar(item) && isSimple(item))

/** A value as YAML, with short and flat collections in flow style. */
export const yaml = (value: unknown): string => {
  // Prevents an anchor and an alias for an array that occurs twice.
  const document = new Document(value, { aliasDuplicateObjects: false })
  visit(document, {
    Collection: (_, node, path) => {
      const values = isMap(node) ? node.items.map((pair) => pair.value) : node.items
      const depth = path.filter(isCollection).length
      const isStep = depth === 2 && isSeq(path[path.length - 1])
      const mayFold = isMap(node) ? depth >= 2 && !isStep : depth >= 1
      node.flow = mayFold && values.every(isSimple) && JSON.stringify(node).length <= 90
    }
  })
  return format(document)
}

export type Language = "yaml" | "ts" | "json"

/** The language of a file, by its extension. */
export const languageOf = (file: string): Language | undefined => {
  const ending = /\.(\w+)$/.exec(file)?.[1]
  if (ending === "yaml" || ending === "yml") return "yaml"
  if (ending === "ts" || ending === "mts" || ending === "js" || ending === "mjs") return "ts"
  return ending === "json" ? "json" : undefined
}

/** Error of a value that cannot be written in a language. */
export class NotWritable extends Data.TaggedError("NotWritable")<{
  readonly file: string
  readonly reason: string
}> {
  override get message() {
    return `${this.file} cannot be written: ${this.reason}`
  }
}

const spell = { yaml, ts: typescript, json: (value: unknown) => `${JSON.stringify(value, null, 2)}\n` } as const

/** Writes a value in a language, with sorted keys. */
export const write = (file: string, value: unknown, to: Language): Effect.Effect<string, NotWritable> =>
  Effect.suspend(() => {
    const reason = whyNotPlain(value)
    return reason === undefined
      ? Effect.succeed(spell[to](ordered(value)))
      : Effect.fail(new NotWritable({ file, reason: `${reason}, which a definition cannot express` }))
  })

/** Formats YAML text and keeps its comments. */
export const formatYaml = Trace.fn("Pipeline.format")(function* (file: string, text: string) {
  const source = yield* parseText(file, "", text)
  const issues = cutExpressions(source, builtIn)
  if (issues.length > 0) return yield* new DefinitionInvalid({ file, issues })
  const formatted = format(parseDocument(text, { logLevel: "error" }))
  const again = yield* parseText(file, "", formatted)
  if (!isDeepStrictEqual(again.value, source.value)) {
    return yield* new NotWritable({ file, reason: "formatting would change its meaning; it was left as it is" })
  }
  return formatted
})
