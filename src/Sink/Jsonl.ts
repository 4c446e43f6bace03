/** Rows as JSON Lines: one object per line, everything kept. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as Sink from "../Sink.ts"
import { Unserializable } from "./Errors.ts"
import { spellJson } from "./Json.ts"
import { Mode, openFile } from "./Mode.ts"
import { Template } from "./Path.ts"
import { Scratch } from "./Scratch.ts"

type Rows = ReadonlyArray<Readonly<Record<string, unknown>>>

/** Lines of rows that JSON.stringify refuses as they are. */
const encodeCarefully = (rows: Rows, scratch: Scratch): Either.Either<Uint8Array, Unserializable> => {
  scratch.take()
  for (const [index, row] of rows.entries()) {
    const line = spellJson(row)
    if (Either.isLeft(line)) return Either.left(new Unserializable({ index, cause: line.left }))
    scratch.put(`${line.right}\n`)
  }
  return Either.right(scratch.take())
}

/** The chunk's lines, as the bytes of one write. */
export const encode = (rows: Rows, scratch: Scratch): Either.Either<Uint8Array, Unserializable> =>
  Either.orElse(
    Either.try(() => {
      scratch.take()
      for (const row of rows) scratch.put(`${JSON.stringify(row)}\n`)
      return scratch.take()
    }),
    () => encodeCarefully(rows, scratch)
  )

/** Sink `jsonl`. */
export const jsonl = Sink.make({
  key: "jsonl",
  summary: "Writes every row as one line of JSON, with all its fields.",
  example: 'write: { jsonl: "out/pages-{runId}.jsonl" }',
  config: Schema.Struct({ jsonl: Template, mode: Mode }),
  open: (config, place) =>
    Effect.map(openFile(config.jsonl, config.mode, place), ({ file }) => {
      const scratch = new Scratch()
      return {
        write: (rows) =>
          Effect.suspend(() =>
            rows.length === 0
              ? Effect.void
              : Effect.flatMap(
                  encode(
                    rows.map((row) => row.data),
                    scratch
                  ),
                  (bytes) => file.write(bytes, rows.length)
                )
          ),
        commit: Effect.map(file.commit, (durable) => ({ files: [durable] })),
        seal: Effect.map(file.seal(), ({ scraps, ...whole }) => ({
          files: [{ ...whole, format: "jsonl" }],
          stale: [],
          scraps,
          warnings: []
        })),
        discard: file.discard
      }
    })
})
