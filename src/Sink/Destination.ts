/** Output fields that all sinks share, and the rules between them. */
import * as Schema from "effect/Schema"
import type { Expression } from "../Row/Expression.ts"
import { nearest } from "../Row/Nearest.ts"
import { SizeText } from "../Row/Size.ts"
import { ExpressionText } from "../Step/Field.ts"
import { placeholdersOf, runNames } from "./Path.ts"

const Mode = Schema.Literal("replace", "append", "perRun").annotations({
  description:
    "replace: the new files take the old ones' place when the run has ended well, and of a partition all its parts; append: behind what is there, with {seq} as further parts; perRun: files of its own, with the run's id in their names."
})

const Roll = Schema.Struct({
  rows: Schema.optional(
    Schema.Int.pipe(Schema.positive()).annotations({ description: "Most rows of a part.", examples: [50000] })
  ),
  size: Schema.optional(
    SizeText.annotations({
      description: "a size like 64MB: most bytes of a part, before gzip; a larger row has its own"
    })
  )
}).annotations({
  description: "Begins a new part, the next {seq} of its partition, before the part has more than this."
})

/** The fields that stand beside the path. */
export const fields = {
  mode: Schema.optionalWith(Mode, { default: () => "replace" as const }),
  partitionBy: Schema.optional(
    Schema.Record({ key: Schema.String, value: ExpressionText }).annotations({
      description: "Names in the path, each with the expression whose value over the row stands there."
    })
  ),
  roll: Schema.optional(Roll),
  gzip: Schema.optional(
    Schema.Boolean.annotations({ description: "Compress the files; true by itself when the path ends in .gz." })
  ),
  order: Schema.optionalWith(
    Schema.Literal("completion", "input").annotations({
      description: "input: rows in the order in which they were read; completion: as soon as they are ready."
    }),
    { default: () => "completion" as const }
  )
}

/** The shared fields of a sink, decoded, and its path. */
export interface Settings {
  readonly path: string
  readonly mode: "replace" | "append" | "perRun"
  readonly partitionBy?: Readonly<Record<string, Expression>> | undefined
  readonly roll?: { readonly rows?: number | undefined; readonly size?: number | undefined } | undefined
  readonly gzip?: boolean | undefined
}

export const isZipped = (path: string): boolean => /\.gz$/i.test(path)

/** Whether the number of a part could be taken for another one, because of digits beside it or values around it. */
const isUnclear = (path: string, partitions: ReadonlyArray<string>): boolean =>
  path.split("/").some((segment) => {
    if (/[\d}]\{seq\}|\{seq\}[\d{]/.test(segment)) return true
    const hasValue = (text: string | undefined) => placeholdersOf(text ?? "").some((name) => partitions.includes(name))
    const [before, ...after] = segment.split("{seq}")
    return after.length > 0 && hasValue(before) && hasValue(after.join())
  })

/** Fields that say how files are made mean nothing for standard output. */
const objectionsToStdout = ({ gzip, mode, partitionBy, roll }: Settings): Array<Schema.FilterIssue> => {
  const issue = (field: string, hint: string) => ({
    path: [field],
    message: `"-" is standard output, which has no ${field}: ${hint}`
  })
  return [
    ...(mode === "replace" ? [] : [issue("mode", "leave it out, or name a file")]),
    ...(partitionBy === undefined ? [] : [issue("partitionBy", "leave it out, or name a file")]),
    ...(roll === undefined ? [] : [issue("roll", "leave it out, or name a file")]),
    ...(gzip === true ? [issue("gzip", "pipe it through gzip")] : [])
  ]
}

/** What in the fields does not fit together, each with the key that it is about; `key` is that of the path. */
export const objections = (key: string, settings: Settings): Array<Schema.FilterIssue> => {
  const { gzip, partitionBy = {}, path, roll } = settings
  if (path === "-") return objectionsToStdout(settings)
  const asked = placeholdersOf(path)
  const partitions = Object.keys(partitionBy)
  const known = [...new Set([...partitions, ...runNames])]
  const hint = (word: string, words: ReadonlyArray<string>) => {
    const near = nearest(word, words)
    return near === undefined ? "" : `; did you mean {${near}}?`
  }
  const strangers = [...new Set(asked)]
    .filter((name) => !known.includes(name))
    .map((name) => ({
      path: [key],
      message: `{${name}} is not known in a path: there are {${known.join("}, {")}}, and what partitionBy names${hint(name, known)}`
    }))
  const idle = partitions
    .filter((name) => !asked.includes(name))
    .map((name) => ({
      path: ["partitionBy", name],
      message: `the path has no {${name}}: write it where the value shall stand${hint(
        name,
        asked.filter((each) => !partitions.includes(each))
      )}`
    }))
  const taken = partitions
    .filter((name) => name === "seq" || name === "runId")
    .map((name) => ({
      path: ["partitionBy", name],
      message: `{${name}} is the run's own: give the partition another name`
    }))
  return [
    ...strangers,
    ...idle,
    ...taken,
    ...(isUnclear(path, partitions)
      ? [
          {
            path: [key],
            message: `{seq} runs into what is beside it: write it at one end of the name, like part-{seq}`
          }
        ]
      : []),
    ...(roll !== undefined && !asked.includes("seq")
      ? [{ path: ["roll"], message: `the parts need names: write {seq} in the path, like part-{seq}.${key}` }]
      : []),
    ...(roll !== undefined && roll.rows === undefined && roll.size === undefined
      ? [{ path: ["roll"], message: "say how much is in a part: rows, size or both" }]
      : []),
    ...(gzip === false && isZipped(path)
      ? [{ path: ["gzip"], message: `"${path}" ends in .gz: leave gzip out, or end it otherwise` }]
      : [])
  ]
}
