/** Describes many failed pages in few lines, by their reasons. */
import * as Arr from "effect/Array"
import { escape } from "effect/RegExp"
import { count } from "./Format.ts"

export interface FailedPage {
  /** Address or file of the page. */
  readonly page: string
  readonly message: string
}

/** Finds a page in a message, but not inside another address, word or number. */
const occurrences = (page: string): RegExp =>
  new RegExp(String.raw`(?<![\w-]|\d[.,])${escape(page)}(?![\w/?#&=%-]|[.,]\w)`, "g")

/** True for what looks like an id: hexadecimal, or several digits and no word. */
const isId = (word: string): boolean =>
  /\d/.test(word) && (/^[\da-f-]+$/i.test(word) || (/(?:\d\D*){3}/.test(word) && !/[a-z]{4}/i.test(word)))

/** Reason without the page and ids, which differ from page to page. */
const reasonOf = ({ message, page }: FailedPage): string =>
  message
    .replace(occurrences(page), "")
    .replace(/\b(request|id) [\w-]*\d[\w-]*/g, "$1")
    .replace(/\b[\w-]{12,}/g, (word) => (isId(word) ? "" : word))

const named = ({ message, page }: FailedPage): string =>
  page === "" || occurrences(page).test(message) ? message : `${page}: ${message}`

/**
 * Lines for each reason: the messages of up to `most` pages, or `17 pages WHAT, such as` the first of them, with the names of the others up
 * to `most`.
 */
export const describeFailedPages = (pages: ReadonlyArray<FailedPage>, what: string, most = 1): ReadonlyArray<string> =>
  Object.values(Arr.groupBy(pages, reasonOf)).flatMap((group) => {
    if (group.length <= most) return group.map(named)
    const [first] = group
    const others = group.slice(1, most).map(({ page }) => page)
    const also = others.length === 0 ? "" : ` (also ${others.join(", ")})`
    return [`${count(group.length, "page")} ${what}, such as ${named(first)}${also}`]
  })
