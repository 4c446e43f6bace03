/** Schema of `budget`: limits of a run, which stops in good order at the first that it reaches. */
import * as Schema from "effect/Schema"
import { SizeText } from "../Row/Size.ts"
import { DurationText } from "./Amount.ts"

const Whole = Schema.Int.pipe(Schema.positive()).annotations({ description: "a whole number of 1 or more" })

export const limits = ["credits", "pages", "rows", "bytes", "duration"] as const

/** `bytes` counts the bytes of all outputs. */
export const Budget = Schema.Struct({
  credits: Schema.optional(Schema.Number.pipe(Schema.positive()).annotations({ description: "a number above 0" })),
  pages: Schema.optional(Whole),
  rows: Schema.optional(Whole),
  bytes: Schema.optional(SizeText),
  duration: Schema.optional(DurationText),
  per: Schema.optionalWith(
    Schema.Literal("run", "day").annotations({
      description: '"run" or "day" (the credits of all runs of a day, UTC, together)'
    }),
    { default: () => "run" as const }
  ),
  onReached: Schema.optionalWith(
    Schema.Literal("stop", "publish").annotations({
      description:
        '"stop" (publish nothing; a resume goes on) or "publish" (publish what was paid for; the next run does the rest)'
    }),
    { default: () => "stop" as const }
  )
}).pipe(
  Schema.filter((budget) => {
    if (limits.every((limit) => budget[limit] === undefined)) return `names no limit: one of ${limits.join(", ")}`
    if (budget.per === "run") return true
    if (budget.credits === undefined) {
      return { path: ["per"], message: "only credits are counted by the day: name credits, or leave per out" }
    }
    const other = limits.find((limit) => limit !== "credits" && budget[limit] !== undefined)
    return (
      other === undefined || {
        path: [other],
        message: `${other} would count for each run alone, only credits are counted by the day: leave ${other} out, or per`
      }
    )
  })
)
export type Budget = typeof Budget.Type
