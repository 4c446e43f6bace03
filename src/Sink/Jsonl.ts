/** Rows as JSON Lines: one object per line, everything kept. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import type { Data } from "../Row.ts"
import * as Sink from "../Sink.ts"
import { type Format, type Group, indexOf, type Scratch, spellJson } from "./Codec.ts"
import { fields, objections, Template } from "./Destination.ts"
import * as Partition from "./Partition.ts"
import * as Parts from "./Parts.ts"
import { Unserializable } from "./SinkErrors.ts"

const done = Either.right(undefined)

/** Lines of rows that JSON.stringify refuses as they are. */
const encodeCarefully = (group: Group<Data>, from: number, to: number, out: Scratch) => {
  for (let at = from; at < to; at++) {
    const line = spellJson(group.items[at])
    if (Either.isLeft(line)) return Either.left(new Unserializable({ index: indexOf(group, at), cause: line.left }))
    out.put(line.right)
    out.put("\n")
  }
  return done
}

/** Nothing has to be known of a file of lines. */
export const lines: Format<Data, undefined> = {
  name: "jsonl",
  lineEnd: "\n",
  header: () => "",
  empty: () => "",
  begin: () => undefined,
  keep: () => undefined,
  restore: () => undefined,
  change: () => undefined,
  encode: (group, from, to, _, out) => {
    const start = out.end
    const { items } = group
    return Either.orElse(
      Either.try(() => {
        for (let at = from; at < to; at++) {
          out.put(JSON.stringify(items[at]))
          out.put("\n")
        }
      }),
      () => {
        out.rewind(start)
        return encodeCarefully(group, from, to, out)
      }
    ) as Either.Either<undefined, Unserializable>
  }
}

/** Sink `jsonl`. */
export const jsonl = Sink.make({
  key: "jsonl",
  summary: "Writes every row as one line of JSON, with all its fields.",
  example: 'write: { jsonl: "out/pages-{runId}.jsonl" }',
  config: Schema.Struct({ jsonl: Template, ...fields }).pipe(
    Schema.filter((config) => objections("jsonl", { ...config, path: config.jsonl }))
  ),
  open: (config, place) =>
    Effect.gen(function* () {
      const route = Partition.make({ ...config, path: config.jsonl }, place)
      const parts = yield* Parts.open(route, place, lines)
      return {
        write: (rows) =>
          rows.length === 0
            ? Effect.void
            : Effect.flatMap(route.of(rows), (of) =>
                parts.write(
                  rows.map((row) => row.data),
                  of
                )
              ),
        commit: Effect.map(parts.commit, (files) => ({ files })),
        seal: parts.seal,
        discard: parts.discard
      }
    })
})
