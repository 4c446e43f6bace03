/** Health rules as written in a definition, for all outputs of a pipeline (`health`) or for one (`health` of `write`). */
import * as Schema from "effect/Schema"
import { optional as key } from "../Api/Field.ts"

const Percentage = Schema.String.pipe(Schema.pattern(/^\d+(\.\d+)?%$/))

const Share = Percentage.pipe(
  Schema.filter((text) => Number.parseFloat(text) <= 100 || "is more than 100%")
).annotations({ description: "a share like 95%" })

/** Names of the verdicts on a run as a whole. */
export const runFigures = ["rejected", "failed pages", "blocked pages", "unread files"] as const
/** Names of the verdicts on an output. */
export const sinkFigures = ["rows"] as const
/** Names of the verdicts on a field, which follow the name of the field: `price filled`. */
export const fieldFigures = ["filled", "type", "repeated", "encoding", "length", "number", "matched"] as const

/** The verdict on a field of an `extract`, which is no output. */
const ofExtract = "matched" satisfies (typeof fieldFigures)[number]

const isOf = (figures: ReadonlyArray<string>, name: string): boolean => figures.includes(name)

const isOfField = (name: string, figures: ReadonlyArray<string> = fieldFigures): boolean =>
  figures.some((each) => name === each || name.endsWith(` ${each}`))

const namesOf = (figures: ReadonlyArray<string>): string => figures.join(", ")

const issueOf = (names: ReadonlyArray<string>, isOfOutput: boolean) => {
  const ofFields = fieldFigures.filter((figure) => !(isOfOutput && figure === ofExtract))
  const at = names.findIndex(
    (name) => !isOfField(name, ofFields) && !isOf(sinkFigures, name) && (isOfOutput || !isOf(runFigures, name))
  )
  const name = names[at]
  if (name === undefined) return true
  const all = [...sinkFigures, ...(isOfOutput ? [] : runFigures)]
  const place = isOf(runFigures, name) ? "the whole run" : isOfField(name) ? "an `extract`" : undefined
  const message =
    place === undefined
      ? `"${name}" is not the name of a health verdict: ${namesOf(all)}; or for fields ${namesOf(ofFields)}, also for a single field, like "price filled"`
      : `"${name}" is a health verdict on ${place}, not on one output: write it under \`health\` of the pipeline`
  return { path: [at], message }
}

const FieldRule = Schema.Struct({
  filled: key(Share, "Minimum share of rows in which the field is neither missing nor empty."),
  ignore: key(Schema.Boolean, "true: does not compare the field with earlier runs.")
})

const rulesFor = (isOfOutput: boolean) =>
  Schema.Union(
    Schema.Literal("off"),
    Schema.Struct({
      onBroken: key(
        Schema.Literal("hold", "warn", "off"),
        "What happens to broken outputs: `hold` publishes nothing and ends with exit code 6 (the default), `warn` publishes them and warns, `off` only measures. Without rules of your own, no output counts as broken before the fifth good run."
      ),
      rows: key(
        Schema.Struct({
          min: key(
            Schema.Union(Schema.Int.pipe(Schema.nonNegative()), Share),
            "Minimum number of rows of an output; as a share like `75%`, of the rows of the smallest of the last good runs."
          ),
          max: key(Schema.Int.pipe(Schema.nonNegative()), "Maximum number of rows of an output.")
        }),
        "Limits for the number of rows of each output, from the first run on, in place of the comparison with earlier runs."
      ),
      fields: key(
        Schema.Record({ key: Schema.String, value: FieldRule }),
        isOfOutput
          ? "Rules for single fields, by their names."
          : "Rules for single fields, by their names; for each output that has the field."
      ),
      ignore: key(
        Schema.Array(Schema.String)
          .pipe(Schema.filter((names) => issueOf(names, isOfOutput)))
          .annotations({ description: "an array of names of health verdicts" }),
        "Health verdicts that are switched off, by the names that their messages show: `rows`, `price filled`, or `filled` for all fields."
      )
    })
  ).annotations({ description: "off, or an object with onBroken, rows, fields or ignore" })

/** Rules for the run and for each of its outputs. */
export const PipelineHealth = rulesFor(false)
/** Rules for one output, which replace those of the pipeline. */
export const OutputHealth = rulesFor(true)
