/** Rows as JSON Lines: one object per line, everything kept. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as Sink from "../Sink.ts"
import { Unserializable } from "./Errors.ts"
import { spellJson } from "./Json.ts"
import { Mode, openFile } from "./Mode.ts"
import { Template } from "./Path.ts"

type Rows = ReadonlyArray<Readonly<Record<string, unknown>>>

/** Lines of rows that JSON.stringify refuses as they are. */
const encodeCarefully = (rows: Rows): Either.Either<Uint8Array, Unserializable> => {
  let text = ""
  for (const [index, row] of rows.entries()) {
    const line = spellJson(row)
    if (Either.isLeft(line)) return Either.left(new Unserializable({ index, cause: line.left }))
    text += `${line.right}\n`
  }
  return Either.right(Buffer.from(text))
}

/** The chunk's lines, as the bytes of one write. */
export const encode = (rows: Rows): Either.Either<Uint8Array, Unserializable> =>
  Either.orElse(
    Either.try(() => {
      return Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(""))
    }),
    () => encodeCarefully(rows)
  )

/** Sink `jsonl`. */
export const jsonl = Sink.make({
  key: "jsonl",
  summary: "Writes every row as one line of JSON, with all its fields.",
  example: 'write: { jsonl: "out/pages-{runId}.jsonl" }',
  config: Schema.Struct({ jsonl: Template, mode: Mode }),
  open: (config, place) =>
    Effect.map(openFile(config.jsonl, config.mode, place), ({ file }) => ({
      write: (rows) =>
        Effect.suspend(() =>
          rows.length === 0 ? Effect.void : Effect.flatMap(encode(rows), (bytes) => file.write(bytes, rows.length))
        ),
      commit: Effect.map(file.commit, (durable) => ({ files: [durable], held: 0 })),
      finish: Effect.map(file.publish(), (written) => [{ ...written, format: "jsonl", dropped: [] }]),
      discard: file.discard
    }))
})
