/** A run as it is now: asked for once, and kept up to date by events. */
import { useRef } from "preact/hooks"
import { type Asked, useAsk } from "./Ask.ts"
import { useEvent } from "./Feed.ts"
import type { RunDetail, StepCount } from "./Protocol/Runs.ts"
import { paths } from "./Protocol.ts"

const newsAtMost = 200

/** Events leave out what changes seldom: it stays as it was told. */
const counted = (before: ReadonlyArray<StepCount>, after: ReadonlyArray<StepCount>): ReadonlyArray<StepCount> => {
  const known = new Map(before.map((step) => [step.step, step]))
  return after.map((step) => ({ ...known.get(step.step), ...step }))
}

/** The run, kept up to date by events. */
export const useRun = (id: string): Asked<RunDetail> => {
  const asked = useAsk<RunDetail>(paths.run, { id })
  const { again, change, value } = asked
  const state = useRef<string | undefined>(undefined)
  state.current = value?.state
  useEvent("hello", () => again())
  useEvent("runs", ({ runs }) => {
    const line = runs.find((each) => each.id === id)
    if (line === undefined) return
    change((run) => ({ ...run, ...line, openRejects: run.openRejects + line.rejects - run.rejects }))
    // What can be done about it, and its outputs, come with its end.
    if (line.state !== state.current) again()
  })
  useEvent("progress", ({ budget, news, progress, run }) => {
    if (run !== id) return
    change((before) => {
      const said = new Set(before.news.map((each) => `${each.at} ${each.text}`))
      return {
        ...before,
        progress: { ...progress, steps: counted(before.progress.steps, progress.steps) },
        budget,
        news: [...before.news, ...news.filter((each) => !said.has(`${each.at} ${each.text}`))].slice(-newsAtMost)
      }
    })
  })
  return asked
}
