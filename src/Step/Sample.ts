/** `sample`: keeps some of the rows, chosen at random. */

import { hash } from "node:crypto"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SavedRow } from "../Row/SavedValue.ts"
import { toJson } from "../Row.ts"
import * as Step from "../Step.ts"
import { atMost, fewerRows, idle, numberOf } from "./Estimate.ts"
import { mapping } from "./Requirements.ts"
import { bufferedRows, decodeEntries, ordinal } from "./SavedState.ts"

/** Maximum sample size: sampled rows are held in memory until the input has ended. */
const most = 100_000

const Share = Schema.String.pipe(
  Schema.pattern(/^\s*\d{1,3}(\.\d+)?\s*%\s*$/),
  Schema.filter((text) => {
    const percent = Number.parseFloat(text)
    return (percent > 0 && percent <= 100) || "a share is more than 0% and not more than 100%"
  })
).annotations({ description: "a share like 5%" })

/** Random numbers, 0 ≤ n < 1, that are the same for the same run, step and position, so a resumed run chooses the same rows. */
const chances = (seed: string) => {
  const digest = hash("sha256", seed, "buffer")
  const first = digest.readUInt32LE(0)
  const second = digest.readUInt32LE(4)
  return (position: number): number => {
    const low = position >>> 0
    const high = Math.floor(position / 2 ** 32)
    const one = mix(mix(first ^ low) + high)
    const other = mix(one ^ second ^ Math.imul(low, 0x9e3779b1))
    return ((one >>> 6) * 2 ** 26 + (other >>> 6)) / 2 ** 52
  }
}

/** Final step of MurmurHash3: every input bit affects every output bit. */
const mix = (number: number): number => {
  let bits = number >>> 0
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return (bits ^ (bits >>> 16)) >>> 0
}

const Chosen = Schema.Struct({ position: Schema.Number, row: SavedRow })
type Chosen = typeof Chosen.Type

const decodeChosen = decodeEntries(Chosen)

/** A few rows, each equally likely (reservoir sampling, algorithm R), in input order. */
const reservoir = (
  size: number,
  chance: (position: number) => number,
  context: Step.Context,
  { value }: Step.Saved,
  before: ReadonlyArray<Chosen>
): Step.Transform<never> => {
  let seen = typeof value === "number" ? value : 0
  const chosen: Array<Chosen> = [...before]
  let changed = new Set<number>()
  return {
    push: (rows) =>
      Effect.sync(() => {
        for (const row of rows) {
          const place = seen < size ? seen : Math.floor(chance(seen) * (seen + 1))
          if (place < size) {
            chosen[place] = { position: seen, row }
            changed.add(place)
          }
          seen++
        }
        return []
      }).pipe(Effect.zipLeft(Effect.suspend(() => (seen > size ? context.incomplete("sample") : Effect.void)))),
    end: (from) =>
      bufferedRows(
        chosen.toSorted((a, b) => a.position - b.position).map(({ row }) => row),
        from
      ),
    save: Effect.sync(() => {
      const entries = [...changed].flatMap((place) => {
        const each = chosen[place]
        return each === undefined ? [] : [[ordinal(place), { position: each.position, row: toJson(each.row) }] as const]
      })
      changed = new Set()
      return { value: seen, entries }
    })
  }
}

const sieve = (
  share: number,
  chance: (position: number) => number,
  context: Step.Context,
  saved: Step.Saved
): Step.Transform<never> => {
  let seen = typeof saved.value === "number" ? saved.value : 0
  return {
    push: (rows) =>
      Effect.suspend(() => {
        const chosen = rows.filter(() => chance(seen++) < share)
        return chosen.length < rows.length ? Effect.as(context.incomplete("sample"), chosen) : Effect.succeed(chosen)
      }),
    save: Effect.sync(() => ({ value: seen }))
  }
}

export const sample = Step.make({
  key: "sample",
  summary:
    "Passes random rows: a number of them once the input has ended, or a share as they come. Each run chooses other rows; a resumed run keeps its choice.",
  example: "sample: { rows: 100 }",
  config: Schema.Union(
    Schema.Struct({
      rows: Schema.propertySignature(Schema.Int.pipe(Schema.between(1, most))).annotations({
        description: "Number of rows that are chosen at random."
      })
    }),
    Schema.Struct({
      share: Schema.propertySignature(Share).annotations({ description: "Chance of each row to be chosen." })
    })
  ),
  estimate: (given) => {
    const count = numberOf(mapping(given.config).rows)
    return count === undefined ? fewerRows(given) : { ...idle, rows: atMost(given.rows, count) }
  },
  behaviour: {
    kind: "transform",
    samples: true,
    make: (config, context, saved) =>
      Effect.gen(function* () {
        const chance = chances(`${context.runId}/${context.id}`)
        return "rows" in config
          ? reservoir(
              config.rows,
              chance,
              context,
              saved,
              (yield* decodeChosen(context, saved)).map(([, chosen]) => chosen)
            )
          : sieve(Number.parseFloat(config.share) / 100, chance, context, saved)
      })
  }
})
