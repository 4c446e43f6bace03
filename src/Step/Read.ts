/** `read`: reads the rows of an existing file. */

import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type { Reader } from "../Contract/Reader.ts"
import * as Step from "../Step.ts"
import { ofFile } from "./Access.ts"
import { listedRows } from "./Estimate.ts"
import { open } from "./Read/Input.ts"
import { Cursor, gapIn } from "./Read/RowReader.ts"
import { type Format, formatFields, formatIssue, rowsOf, withOrder, withReader } from "./Read/Rows.ts"
import { decodeState } from "./SavedState.ts"

const File = Schema.String.annotations({
  description: "a file of rows, relative to the definition's folder, or - for standard input"
})

const configOf = (readers: ReadonlyArray<Reader>) =>
  Schema.Union(Schema.Struct({ file: File, ...formatFields }), File).pipe(
    Schema.filter((config) => {
      const issue = formatIssue(withReader(asFormat(config), readers))
      if (issue === undefined) return true
      return typeof config === "string" ? issue.message : issue
    })
  )

const asFormat = (config: string | Format): Format => (typeof config === "string" ? { file: config } : config)

const decodeCursor = decodeState(Cursor)

/** The step `read`; reads files with the readers of these sinks, by file extension. */
export const make = (readers: ReadonlyArray<Reader>) =>
  Step.make({
    key: "read",
    summary:
      "Gives the rows of a JSONL or CSV file (also gzipped), or of standard input, in their order. A line that is not a row is a failed row.",
    example: 'read: { file: stations.csv, delimiter: ";", columns: { height: number } }',
    config: configOf(readers),
    reads: ofFile("file"),
    estimate: listedRows,
    behaviour: {
      kind: "source",
      read: (config, context, { from }) =>
        Stream.unwrap(
          Effect.gen(function* () {
            const format = withOrder(withReader(asFormat(config), readers), context.written)
            const input = yield* open(format.file, context.folder)
            return rowsOf(input, format, yield* decodeCursor(context, from), (batch) => {
              const gap = gapIn(batch)
              return Effect.all([
                Effect.forEach(batch.warnings, ({ matter, message }) =>
                  context.warnOnce(`${matter} of ${format.file}`, message)
                ),
                gap === undefined ? Effect.void : context.incomplete(gap),
                // A line that cannot be read may have been any row, so no row counts as gone.
                batch.failures.length > 0 ? context.incomplete("unread") : Effect.void
              ])
            })
          })
        )
    }
  })

export const read = make([])
