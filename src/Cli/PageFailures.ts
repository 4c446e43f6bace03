/** Describes many failed pages in few lines: one for each reason. */
import * as Arr from "effect/Array"
import { count } from "./Format.ts"

export interface FailedPage {
  /** Address or file of the page. */
  readonly page: string
  readonly message: string
}

/** Reason without the page and ids of requests, which differ from page to page. */
const reasonOf = ({ message, page }: FailedPage): string =>
  message.replaceAll(page, "").replace(/\b(?=[\w-]*\d)[\w-]{8,}\b/g, "")

const named = ({ message, page }: FailedPage): string => (message.includes(page) ? message : `${page}: ${message}`)

/** A line for each reason: the message of the page, or `17 pages WHAT, such as` the first of them. */
export const describeFailedPages = (pages: ReadonlyArray<FailedPage>, what: string): ReadonlyArray<string> =>
  Object.values(Arr.groupBy(pages, reasonOf)).map(([first, ...others]) =>
    others.length === 0 ? named(first) : `${count(others.length + 1, "page")} ${what}, such as ${named(first)}`
  )
