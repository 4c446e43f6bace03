/** Character references such as `&amp;` and `&#233;` (HTML standard, 13.2.5.72), resolved by the tokenizer of htmlparser2. */
import { remember } from "../Values/Remember.ts"
import { tokenizeHtml } from "../Xml.ts"

/** Resolves a reference together with the letters that follow it. In attributes stricter rules apply. */
const readReference = (run: string, attribute: boolean): string => {
  let decoded = ""
  const take = (start: number, end: number): void => {
    decoded += source.slice(start, end)
  }
  const takeCode = (code: number): void => {
    decoded += String.fromCodePoint(code)
  }
  const source = attribute ? `<a b="${run}">` : run
  tokenizeHtml(source, { ontext: take, ontextentity: takeCode, onattribdata: take, onattribentity: takeCode })
  return decoded
}

/** Maximum references cached. */
const maxKnown = 2_000
/** Maximum length of a cached reference: a longer substring would keep the whole page in memory. */
const longestKnown = 12

const inText = remember(maxKnown, (run) => readReference(run, false), longestKnown)
const inAttribute = remember(maxKnown, (run) => readReference(run, true), longestKnown)

const references = /&#?[a-zA-Z0-9]+;?/g

export const resolveText = (text: string): string => (text.includes("&") ? text.replace(references, inText) : text)

/** Resolves references in an attribute. `&copy=1` stays unchanged: it is a URL parameter, not a copyright sign. */
export const resolveAttribute = (value: string): string =>
  value.includes("&")
    ? value.replace(references, (run, at: number) =>
        value[at + run.length] === "=" && !run.endsWith(";") ? run : inAttribute(run)
      )
    : value
