/** Pages of a run that their sites did not send again, and what checks of them have found. */
import * as Effect from "effect/Effect"
import type { RunDetail } from "../Ledger/History.ts"
import { Ledger } from "../Ledger.ts"
import { count } from "./Format.ts"

export interface SavedPages {
  /** Attempts at pages. */
  readonly pages: number
  /** Pages that had not changed and were not sent again. */
  readonly unchanged: number
  /** Those of them that were not visited. */
  readonly leftOut: number
  /** Pages that were visited although they could have been left out. */
  readonly checked: number
  /** Those of them that had changed. */
  readonly missed: number
}

/** Undefined for steps that saved and checked nothing. */
export const savedBy = (steps: RunDetail["steps"]): SavedPages | undefined => {
  const sum = (key: "checkedPages" | "leftOutPages" | "missedPages" | "pages" | "unchangedPages") =>
    steps.reduce((all, step) => all + step[key], 0)
  const [unchanged, checked] = [sum("unchangedPages"), sum("checkedPages")]
  return unchanged === 0 && checked === 0
    ? undefined
    : { pages: sum("pages"), unchanged, leftOut: sum("leftOutPages"), checked, missed: sum("missedPages") }
}

/** Ledger record of a run; undefined also when it cannot be read, since the run has ended well without it. */
export const savedIn = (runId: string): Effect.Effect<SavedPages | undefined, never, Ledger> =>
  Effect.flatMap(Ledger, ({ history }) => history.run(runId)).pipe(
    Effect.map((detail) => (detail === undefined ? undefined : savedBy(detail.steps))),
    Effect.orElseSucceed(() => undefined)
  )

const number = (value: number): string => value.toLocaleString("en-US")

/** Sentences with the names of their lines. */
export const describeSaved = (
  saved: SavedPages | undefined
): ReadonlyArray<readonly [name: "saved" | "checked", text: string]> => {
  if (saved === undefined) return []
  const { checked, leftOut, missed, pages, unchanged } = saved
  const how =
    leftOut === 0
      ? "had not changed and were not sent again (304)"
      : `were not sent again: ${number(leftOut)} were not visited, as a change was unlikely (revisit: all asks for them), ${number(unchanged - leftOut)} are 304`
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
