/** `check`: tests rows against rules. */

import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { count } from "../Row/Count.ts"
import { keyOf, type Row } from "../Row.ts"
import * as Step from "../Step.ts"
import { evaluate } from "./Chunked.ts"
import { fewerRows } from "./Estimate.ts"
import { ExpressionText } from "./Field.ts"
import { watchingFields } from "./MisspeltFields.ts"
import { CheckFailed } from "./StepError.ts"
import { truthy } from "./Where.ts"

const Rule = Schema.Struct({
  rule: Schema.propertySignature(ExpressionText).annotations({ description: "Condition that every row must meet." }),
  message: Schema.optional(Schema.String).annotations({
    description: "Message for a row that breaks the rule."
  }),
  onFail: Schema.optionalWith(
    Schema.Literal("warn", "reject", "fail").annotations({
      description:
        "warn: the row passes, and the run reports the number of such rows at its end. reject: the row is a failed row. fail: the run stops."
    }),
    { default: () => "reject" as const }
  )
})
type Rule = typeof Rule.Type

const failed = (rule: Rule, why: string | undefined): Step.StepError =>
  new CheckFailed({
    message: `${rule.message ?? `does not hold: ${rule.rule.source}`}${why === undefined ? "" : ` (${why})`}`
  })

export const check = Step.make({
  key: "check",
  summary:
    "Checks every row against rules, in their order: a row that breaks a rule passes with a warning, becomes a failed row, or stops the run. A rule that cannot be evaluated counts as broken.",
  example: `check:
  - { rule: words > 0, message: empty document }
  - { rule: $length(title) < 200, onFail: warn }`,
  config: Schema.Array(Rule)
    .pipe(Schema.minItems(1))
    .annotations({ description: "an array of rules like { rule: words > 0 }" }),
  estimate: fewerRows,
  behaviour: {
    kind: "transform",
    make: (rules, context, saved) =>
      Effect.sync(() => {
        const before = Array.isArray(saved.value) ? (saved.value as ReadonlyArray<number>) : []
        const expressions = rules.map(({ rule }) => rule)
        const warned = rules.map((_, index) => before[index] ?? 0)

        /** Tests rows against one rule; a row that has failed is not tested against later rules. */
        const hold = (rule: Rule, index: number, rows: ReadonlyArray<Row>, settled: Set<Row>) =>
          Effect.gen(function* () {
            const { columns, failures } = yield* evaluate([rule.rule], rows, context.bindings)
            const values = columns[0] ?? []
            if (failures.size === 0 && values.every(truthy)) return rows
            const made: Array<Row> = []
            for (const [at, row] of rows.entries()) {
              const why = failures.get(at)
              if (settled.has(row) || (why === undefined && truthy(values[at]))) made.push(row)
              else if (rule.onFail === "warn") {
                warned[index] = (warned[index] ?? 0) + 1
                made.push(row)
              } else {
                const error = failed(rule, why?.message)
                if (rule.onFail === "fail") {
                  const message = `${keyOf(row)}: ${error.message}; the rule stops the run (onFail: fail)`
                  return yield* new CheckFailed({ message })
                }
                for (const instead of yield* context.failed(row, error)) {
                  settled.add(instead)
                  made.push(instead)
                }
              }
            }
            return made
          })

        return watchingFields(expressions, context, {
          push: (rows) =>
            Effect.suspend(() => {
              const settled = new Set<Row>()
              return Effect.reduce(rules, rows, (left: ReadonlyArray<Row>, rule, index) =>
                hold(rule, index, left, settled)
              )
            }),
          end: () =>
            Stream.drain(
              Stream.fromEffect(
                Effect.forEach(
                  rules,
                  (rule, index) => {
                    const broken = warned[index] ?? 0
                    return broken === 0
                      ? Effect.void
                      : Effect.logWarning(`${context.id}: ${count(broken, "row")}: ${failed(rule, undefined).message}`)
                  },
                  { discard: true }
                )
              )
            ),
          save: Effect.sync(() => (warned.some((count) => count > 0) ? { value: [...warned] } : {}))
        })
      })
  }
})
