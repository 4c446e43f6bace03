/** Schemas of durations and rates as people write them: `15m`, `10/s`. */
import * as Duration from "effect/Duration"
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"

const units = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** A duration: `500ms`, `30s`, `15m`, `2h`, `1d`. */
export const DurationText = Schema.transformOrFail(
  Schema.String.annotations({ description: "a duration like 500ms, 30s, 15m, 2h or 1d" }),
  Schema.DurationFromSelf,
  {
    strict: true,
    decode: (text, _, ast) => {
      const match = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)$/.exec(text.trim())
      return match === null
        ? Either.left(new ParseResult.Type(ast, text, `"${text}" is not a duration: write 500ms, 30s, 15m, 2h or 1d`))
        : Either.right(Duration.millis(Number(match[1]) * units[match[2] as keyof typeof units]))
    },
    encode: (duration) => Either.right(`${Duration.toMillis(duration)}ms`)
  }
)

/** A rate: `10/s`, `100/m`, `1000/h`. */
export const Rate = Schema.transformOrFail(
  Schema.String.annotations({ description: "a rate like 10/s, 100/m or 1000/h" }),
  Schema.Struct({ limit: Schema.Int, interval: Schema.DurationFromSelf }),
  {
    strict: true,
    decode: (text, _, ast) => {
      const match = /^([1-9]\d*)\s*\/\s*(s|m|h)$/.exec(text.trim())
      return match === null
        ? Either.left(new ParseResult.Type(ast, text, `"${text}" is not a rate: write 10/s, 100/m or 1000/h`))
        : Either.right({ limit: Number(match[1]), interval: Duration.millis(units[match[2] as "s" | "m" | "h"]) })
    },
    encode: ({ limit, interval }) => Either.right(`${limit}/${Duration.toSeconds(interval)}s`)
  }
)
