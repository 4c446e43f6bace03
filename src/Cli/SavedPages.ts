/** Pages of a run that sites did not send again, and the results of checking such pages. */
import * as Effect from "effect/Effect"
import type { RunDetail } from "../Ledger/History.ts"
import { Ledger } from "../Ledger.ts"
import { count } from "./Format.ts"

export interface SavedPages {
  /** Attempts to fetch pages. */
  readonly pages: number
  /** Unchanged pages, which were not sent again. */
  readonly unchanged: number
  /** Unchanged pages that were not even visited. */
  readonly leftOut: number
  /** Pages that were visited to check, although they could have been left out. */
  readonly checked: number
  /** Checked pages that had changed. */
  readonly missed: number
}

/** Totals over all steps; undefined if all pages were fetched and none was checked. */
export const savedBy = (steps: RunDetail["steps"]): SavedPages | undefined => {
  const sum = (key: "checkedPages" | "leftOutPages" | "missedPages" | "pages" | "unchangedPages") =>
    steps.reduce((all, step) => all + step[key], 0)
  const [unchanged, checked] = [sum("unchangedPages"), sum("checkedPages")]
  return unchanged === 0 && checked === 0
    ? undefined
    : { pages: sum("pages"), unchanged, leftOut: sum("leftOutPages"), checked, missed: sum("missedPages") }
}

/** Totals of a run from the ledger; undefined also if they cannot be read, because a run that has ended well must not fail for that. */
export const savedIn = (runId: string): Effect.Effect<SavedPages | undefined, never, Ledger> =>
  Effect.flatMap(Ledger, ({ history }) => history.run(runId)).pipe(
    Effect.map((detail) => (detail === undefined ? undefined : savedBy(detail.steps))),
    Effect.orElseSucceed(() => undefined)
  )

const number = (value: number): string => value.toLocaleString("en-US")

/** Sentences about pages that were not sent again, each with the label of its line. */
export const describeSaved = (
  saved: SavedPages | undefined
): ReadonlyArray<readonly [name: "saved" | "checked", text: string]> => {
  if (saved === undefined) return []
  const { checked, leftOut, missed, pages, unchanged } = saved
  const how =
    leftOut === 0
      ? "had not changed and were not sent again (304)"
      : `were not sent again: ${number(leftOut)} were not visited, because a change was unlikely (revisit: all visits them), ${number(unchanged - leftOut)} had not changed (304)`
  return [
    ...(unchanged === 0 ? [] : [["saved", `${number(unchanged)} of ${count(pages, "page")} ${how}`] as const]),
    ...(checked === 0
      ? []
      : [
          [
            "checked",
            `${count(checked, "page")} that could have been left out ${checked === 1 ? "was" : "were"} visited: ${missed === 0 ? "none" : number(missed)} had changed`
          ] as const
        ])
  ]
}
