/** Turns fields of the command line into the step `extract`, or into a pipeline's definition. */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { parse } from "yaml"
import { faultsOfError, faultText } from "../../Api/Issues.ts"
import type { Written } from "../../Html/FieldRows.ts"
import { yaml } from "../../Pipeline/Format.ts"
import { Field } from "../../Step/Extract.ts"

export type Sources = Readonly<Record<string, string | Written | ReadonlyArray<string | Written>>>

/** Fields of the step `extract`: the selector of its rows, the sources of its columns, and the required columns. */
export interface Definition {
  readonly rows?: string | undefined
  readonly fields: Sources
  readonly required?: ReadonlyArray<string> | undefined
}

const [opening, closing] = ["([{", ")]}"]

/** Splits `title=h1,price={ css: .price, as: price }` at the commas between fields. */
const splitFields = (text: string): ReadonlyArray<string> => {
  const parts: Array<string> = [""]
  let depth = 0
  for (const [at, character] of [...text].entries()) {
    if (opening.includes(character)) depth++
    else if (closing.includes(character)) depth--
    if (character === "," && depth === 0 && /^\s*[\p{L}_][\p{L}\p{M}\p{N}_-]*=/u.test([...text].slice(at + 1).join("")))
      parts.push("")
    else parts[parts.length - 1] += character
  }
  return parts
}

const decode = Schema.decodeUnknownEither(Field, { errors: "all", onExcessProperty: "error" })

const readSource = (name: string, text: string): Either.Either<string | Written, string> => {
  if (!text.startsWith("{")) return Either.right(text)
  const unreadable = `--fields: ${name}=${text} is not a YAML object: write { css: .price, as: price }`
  return Either.flatMap(
    Either.try({ try: (): Written => parse(text, { logLevel: "error" }), catch: () => unreadable }),
    (source) =>
      Either.mapBoth(decode(source), {
        onLeft: (error) => {
          // The schema also tries to read the field as a string and as an array. The fault with the longest path is about the object.
          const [fault] = [...faultsOfError(error)].sort((one, other) => other.path.length - one.path.length)
          return `--fields: ${name}: ${fault === undefined ? "it is not a source" : faultText(fault)}`
        },
        onRight: () => source
      })
  )
}

/** Reads the values of `--fields`; the left side is the first mistake. */
export const readFields = (given: ReadonlyArray<string>): Either.Either<Sources, string> =>
  Either.map(
    Either.all(
      given.flatMap(splitFields).map((part) => {
        const at = part.indexOf("=")
        const name = part.slice(0, at).trim()
        return at < 1
          ? Either.left(`--fields takes NAME=SELECTOR, got "${part}"`)
          : Either.map(readSource(name, part.slice(at + 1).trim()), (source) => [name, source] as const)
      })
    ),
    (fields) => Object.fromEntries(fields)
  )

/** The step as written in a definition. */
export const stepOf = ({ fields, required = [], rows }: Definition) => ({
  extract: { ...(rows === undefined ? {} : { rows }), fields, ...(required.length === 0 ? {} : { required }) }
})

/** Text of a pipeline that reads the pages at URLs and the pages that follow them (`paging`), and writes their rows to a file. */
export const pipelineText = (
  name: string,
  addresses: ReadonlyArray<string>,
  definition: Definition,
  paging: object = {}
): string =>
  yaml({
    version: 1,
    name,
    steps: [
      { urls: addresses },
      // An error page would become a row without values.
      { scrape: paging, failOn: ["4xx", "5xx", "blocked"] },
      stepOf(definition),
      { write: { csv: `out/${name}.csv` } }
    ]
  })
