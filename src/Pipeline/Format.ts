/** Formats definitions, or writes them in another of the three spellings; their value stays the same. */
import { isDeepStrictEqual } from "node:util"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { parseDocument } from "yaml"
import { ordered } from "./Format/Order.ts"
import { typescript } from "./Format/TypeScript.ts"
import { format, yaml } from "./Format/Yaml.ts"
import { DefinitionInvalid } from "./Mistake.ts"
import { objection } from "./Plain.ts"
import { parseText } from "./Source.ts"

export type Language = "yaml" | "ts" | "json"

/** What a file is written in, by its ending. */
export const languageOf = (file: string): Language | undefined => {
  const ending = /\.(\w+)$/.exec(file)?.[1]
  if (ending === "yaml" || ending === "yml") return "yaml"
  if (ending === "ts" || ending === "mts" || ending === "js" || ending === "mjs") return "ts"
  return ending === "json" ? "json" : undefined
}

/** The value cannot be said in this spelling. */
export class NotWritable extends Data.TaggedError("NotWritable")<{
  readonly file: string
  readonly reason: string
}> {
  override get message() {
    return `${this.file} cannot be written: ${this.reason}`
  }
}

const spell = { yaml, ts: typescript, json: (value: unknown) => `${JSON.stringify(value, null, 2)}\n` } as const

/** A value in a spelling, its keys in order. */
export const write = (file: string, value: unknown, to: Language): Effect.Effect<string, NotWritable> =>
  Effect.suspend(() => {
    const reason = objection(value)
    return reason === undefined
      ? Effect.succeed(spell[to](ordered(value)))
      : Effect.fail(new NotWritable({ file, reason: `${reason}, which is no value of a definition` }))
  })

/** Formats YAML and keeps its comments. */
export const formatYaml = Effect.fn("Pipeline.format")(function* (file: string, text: string) {
  const source = yield* parseText(file, "", text)
  const { traps = [] } = source
  if (traps.length > 0) return yield* new DefinitionInvalid({ file, mistakes: traps })
  const formatted = format(parseDocument(text, { logLevel: "error" }))
  const again = yield* parseText(file, "", formatted)
  if (!isDeepStrictEqual(again.value, source.value)) {
    return yield* new NotWritable({ file, reason: "its layout would change what it says; it was left as it is" })
  }
  return formatted
})
