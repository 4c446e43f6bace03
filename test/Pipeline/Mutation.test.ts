import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import * as Path from "@effect/platform/Path"
import { describe, expect, it } from "@effect/vitest"
import { Ajv } from "ajv"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { parse, parseDocument } from "yaml"
import { check } from "../../src/Pipeline/Check.ts"
import { pipelineSchema } from "../../src/Pipeline/JsonSchema.ts"
import { reference } from "../../src/Pipeline/Reference.ts"
import { parseText } from "../../src/Pipeline/Source.ts"
import { repetitions, seed } from "../Repetitions.ts"

const folder = fileURLToPath(new URL("../../pipelines/", import.meta.url))
const examples = readdirSync(folder).filter((name) => name.endsWith(".yaml") && !/\.(test|lock)\./.test(name))

type Place = ReadonlyArray<string | number>

interface Mutation {
  readonly place: Place
  readonly kind: "dropped" | "misspelt" | "of another type"
  readonly what: string
  readonly text: string
}

/** Two letters in the wrong order; undefined where that makes no difference. */
const swapped = (key: string): string | undefined => {
  const at = [...key].findIndex((letter, index) => index > 0 && letter !== key[index + 1] && index + 1 < key.length)
  if (at === -1) return key.length === 2 && key[0] !== key[1] ? `${key[1]}${key[0]}` : undefined
  return key.slice(0, at) + key[at + 1] + key[at] + key.slice(at + 2)
}

const placesIn = (value: unknown, place: Place = []): ReadonlyArray<Place> => [
  ...(place.length === 0 ? [] : [place]),
  ...(typeof value === "object" && value !== null
    ? (Array.isArray(value) ? [...value.keys()] : Object.keys(value)).flatMap((key) =>
        placesIn((value as Record<string | number, unknown>)[key], [...place, key])
      )
    : [])
]

const others: ReadonlyArray<readonly [name: string, value: unknown]> = [
  ["a text", "oops, no"],
  ["a number", -7.5],
  ["null", null],
  ["a list", [{ odd: 1 }]],
  ["a mapping", { odd: [1] }]
]

const mutationsOf = (text: string): ReadonlyArray<() => Mutation> => {
  const edit =
    (
      place: Place,
      kind: Mutation["kind"],
      what: string,
      change: (document: ReturnType<typeof parseDocument>) => void
    ) =>
    (): Mutation => {
      const document = parseDocument(text)
      change(document)
      return { place, kind, what, text: document.toString() }
    }
  return placesIn(parse(text)).flatMap((place) => {
    const key = place[place.length - 1]
    const other = typeof key === "string" ? swapped(key) : undefined
    return [
      edit(place, "dropped", "", (document) => document.deleteIn(place)),
      ...(other === undefined
        ? []
        : [
            edit(place, "misspelt", other, (document) => {
              const value = document.getIn(place, true)
              document.deleteIn(place)
              document.setIn([...place.slice(0, -1), other], value)
            })
          ]),
      ...others.map(([name, value]) =>
        edit(place, "of another type", name, (document) => document.setIn(place, document.createNode(value)))
      )
    ]
  })
}

const checkText = (text: string) =>
  parseText("p.yaml", folder, text).pipe(
    Effect.flatMap((source) => check(source, { inputs: {}, env: {}, secrets: () => undefined, complete: false })),
    Effect.provide(Path.layer),
    Effect.either,
    Effect.runSync
  )

const { commonKeys, frame, steps } = reference()
const valid = new Ajv({ strict: false, validateFormats: false }).compile(pipelineSchema())

/** The field that stands at a place, by the reference; undefined where names are the user's own. */
const fieldAt = (value: unknown, [first, index, key, ...below]: Place) => {
  if (first !== "steps") {
    const names = [
      first,
      ...(index === undefined ? [] : [first === "inputs" ? "NAME" : index]),
      ...(key === undefined ? [] : [key]),
      ...below
    ]
    return frame.find(({ name }) => name === names.join("."))
  }
  const item = (value as { readonly steps: ReadonlyArray<Record<string, unknown>> }).steps[Number(index)] ?? {}
  const step = steps.find((each) => each.key in item)
  if (key !== step?.key) return commonKeys.find(({ name }) => name === [key, ...below].join("."))
  return step?.shapes.flatMap(({ fields }) => fields).find(({ name }) => name === below.join("."))
}

/** Why a definition may be right although it was changed; undefined when nothing speaks for it. */
const excuse = (value: unknown, { kind, place, text }: Mutation): string | undefined => {
  const [first, index, key] = place
  const item = first === "steps" && typeof index === "number"
  const isWhole = item && place.length === 2
  const own = item && typeof key === "string" && place.length === 3 && steps.some((each) => each.key === key)
  const field = fieldAt(value, place)
  const inList = typeof place[place.length - 1] === "number"
  if (kind === "dropped" && (isWhole || inList)) return "a list with one item less"
  if (kind === "dropped" && !own && field?.required !== true) return "the key is optional"
  if (kind === "misspelt" && !own && field === undefined) return "the names there are the author's own"
  if (kind === "of another type" && valid(parse(text))) return "the schema of editors allows it there"
  return undefined
}

const forbidden =
  /undefined|\[object|Transformation|Encoded side|Schema|\bast\b|optional<|Struct|\.ts:|\n|item\(s\)|another value|NaN/

/** A good message says what is expected, or what to do. */
const helpful =
  /expected |is missing|did you mean|unknown key|there is no step|names no step|: (write|declare|say|use|add|remove|begin|put|give|look|name|one of|it takes|there are|this pipeline|the names|[`"$])|has no (value|effect)|needs |only a step|^name a |a step is an object with one step key|cannot |is taken|must |before this step|no steps|there is no field "[^"]*": the fields are /

/** There are thousands: one in this many is tried, and another seed tries others. */
const every = repetitions(1, 40)

/** A process that never pauses cannot report its progress to the test runner. */
const pause = () => new Promise<void>((resolve) => setImmediate(resolve))

describe("a definition with one error", () => {
  it.each(examples)("is refused in one clear line at its place, or valid for a reason: %s", async (name) => {
    const text = readFileSync(`${folder}${name}`, "utf8")
    const value: unknown = parse(text)
    expect(Either.isRight(checkText(text))).toBe(true)
    const problems = new Set<string>()
    let refused = 0
    for (const [index, mutate] of mutationsOf(text).entries()) {
      if ((index + seed) % every !== 0) continue
      await pause()
      const mutation = mutate()
      const about = `${mutation.place.join(".")} ${mutation.kind} ${mutation.what}`
      const result = checkText(mutation.text)
      if (Either.isRight(result)) {
        if (excuse(value, mutation) === undefined) problems.add(`${about} is accepted`)
        continue
      }
      refused++
      const lines = mutation.text.split("\n")
      const { issues } = result.left
      if (issues.length === 0) problems.add(`${about} is refused without a word`)
      for (const { column = 0, line = 0, message } of issues) {
        const width = lines[line - 1]?.length ?? -1
        if (line < 1 || line > lines.length || column < 1 || column > width + 1) {
          problems.add(`${about} is nowhere (${line}:${column}): ${message}`)
        }
        if (message.length > 200) problems.add(`${about} is too long: ${message}`)
        if (forbidden.test(message)) problems.add(`${about} speaks of machinery: ${message}`)
        if (!helpful.test(message)) problems.add(`${about} does not help: ${message}`)
      }
    }
    expect([...problems]).toEqual([])
    expect(refused).toBeGreaterThan(20 / every)
  })
})
