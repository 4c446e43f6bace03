/** A trouble that lasts: it is told when it begins or changes, not each time that it is met. */
import type { News } from "../Schedule.ts"

export interface Trouble {
  /** What it is now; undefined when there is none any more. */
  readonly note: (message: string | undefined) => void
  readonly current: () => string | undefined
}

export const make = (tell: (news: News) => void): Trouble => {
  let current: string | undefined
  return {
    note: (message) => {
      if (message !== undefined && message !== current) tell({ _tag: "Trouble", message })
      current = message
    },
    current: () => current
  }
}
