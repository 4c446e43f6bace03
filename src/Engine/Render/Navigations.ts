/** Tracks the navigations of a tab: the one whose page is shown, and the latest one that has begun. */
import { safely } from "../../Callback.ts"

/** Maximum milliseconds from the request of a next page until it is shown. After that, loading is stopped. */
export const navigationTimeout = 10_000

/** A navigation of the main frame. */
export interface Navigation {
  readonly url: string
  /** Undefined if there was no response. */
  readonly response: { readonly statusCode: number; readonly headers: Readonly<Record<string, string>> } | undefined
}

/**
 * Follows the navigations of the main frame, by the ids of their requests. Calls `stop` for one that takes too long while a page is shown,
 * because Chromium runs no script on that page meanwhile.
 */
export const makeNavigations = (url: string, patience: () => number, stop: () => void) => {
  let navigation: Navigation = { url, response: undefined }
  let attempt = navigation
  let attemptId: string | undefined
  let shownId: string | undefined
  let isLeaving = false
  let stopped: string | undefined
  let timer: NodeJS.Timeout | undefined
  let isOpen = true
  const giveUp = () => {
    if (!isLeaving) return
    stopped = attempt.url
    stop()
  }
  return {
    seen: {
      navigation: () => navigation,
      attempt: () => attempt,
      isLeaving: () => isLeaving,
      stopped: () => stopped
    },
    close: () => {
      isOpen = false
      clearTimeout(timer)
    },
    /** A request was sent: of a new navigation, or after a redirect. */
    begin: (id: string, to: string): void => {
      attempt = { url: to, response: undefined }
      if (isOpen && id !== attemptId && shownId !== undefined) {
        clearTimeout(timer)
        timer = setTimeout(safely(giveUp), Math.min(navigationTimeout, patience()))
      }
      attemptId = id
      isLeaving = true
    },
    answer: (id: string, answered: Navigation): void => {
      if (id !== attemptId) return
      attempt = answered
      if (id === shownId) navigation = answered
    },
    /** A page is shown. Returns false if it is not that of a request. */
    show: (id: string): boolean => {
      if (id !== attemptId) return false
      navigation = attempt
      stopped = undefined
      shownId = id
      isLeaving = false
      return true
    },
    fail: (id: string): void => {
      if (id === attemptId) isLeaving = false
    },
    stop: (): void => {
      isLeaving = false
    }
  }
}
