/** Splits a prompt into clauses, each of which is wanted or unwanted. */
import { mark } from "./PromptText.ts"

export interface Clause {
  readonly text: string
  readonly wanted: boolean
  /**
   * Word that decided whether the clause is wanted: a verb such as "crawl" (`fetch`), a verb such as "extract" (`extract`: its object is
   * data on pages, not pages), "only", a verb such as "skip" (`refuse`), a plain "no" or "not" (`deny`), or none.
   */
  readonly cue: "fetch" | "extract" | "only" | "refuse" | "deny" | "none"
  /** True if the cue was taken over from the previous item of the same list. */
  readonly inherited: boolean
}

const not =
  "(?:do not|don't|does not|doesn't|never|should not|shouldn't|must not|mustn't|will not|won't|no need to|not to|not|nor|neither)"
const refusing =
  "(?:skip|exclud|ignor|avoid|omit|leav(?:e|ing) (?:out|off|aside)|drop|remov|strip|disregard|bypass|filter(?:ing)? out|discard)(?:p?(?:e|es|ed|ing|s))?"
const fetching =
  "(?:crawl|scrap|get|grab|fetch|collect|find|want|need|give me|show me|download|pull|index|visit|includ|gather|harvest|cover|retriev|focus on|concentrate on|interested in|look(?:ing)? (?:for|at)|follow|us|respect|obey|honou?r|keep|go (?:to|into|through)|read|sav|export|(?:would|'d) (?:like|love)|stay(?= (?:inside|within|under)\\b)|process|traverse|explore|discover|allow|accept|stick to|limit(?: it| this| the crawl| yourself)? to|restrict(?: it| this| the crawl)? to|care about)(?:p?(?:e|es|ed|ing|s|t))?"

const cues = [
  ["keep", `${not} (?:${refusing}|forget|miss|lose)`],
  [
    "deny",
    `${not}(?: (?:\\w+ ){0,1}?(?:${fetching}|bother with|worry about|touch|go (?:in)?to|care(?: for| about)?|leave)\\b)?`
  ],
  ["refuse", `${refusing}(?: all| any)?`],
  [
    "refuse",
    "except(?: for)?|excepting|excluding|other than|apart from|aside from|besides|minus|rather than|instead of|(?:stay|keep) (?:away from|out of|clear of)|steer clear of|forget(?: about)?|(?<=\\b(?:everything|all|anything|whole site|website|site|domain) )but(?! (?:only|no|not|do|don't|skip|leave|exclud|ignor|without|avoid|please))"
  ],
  ["deny", "without|no longer|no"],
  ["refuse", "nothing(?= (?:from|in|under|with|on|at|inside|below|like|of|outside)\\b)"],
  ["extract", "(?:extract|captur|tak|pars|summari[sz])(?:e|es|ing)?(?: out)?"],
  ["only", "(?:only|just|solely|exclusively|nothing but|nothing except|purely|strictly)"],
  ["fetch", fetching]
] as const

const separators =
  '[,;!()\\[\\]"\\n]|\\?(?=\\s|$)|:(?!//)|\\.(?=\\s|$)| [-–—]+ |(?<![\\w/.-])(?:and|or|but|plus|then|also|as well as|however|while|yet)(?![\\w/]|-\\w)|[&+](?= )'

const scanner = new RegExp(
  `${cues.map(([, source], index) => `(?<c${index}>(?<![\\w/.-])(?:${source})(?![\\w/]|-\\w))`).join("|")}|(?<separator>${separators})`,
  "giu"
)

const passive =
  /\b(?:(?:should|can|must|may|to|are|is|were)(?: all)?(?: not)? be|are|is) (?:not needed|unneeded|irrelevant|out of scope|unwanted|off[- ]limits)\b|\b(?:not needed|unneeded|off[- ]limits|excluded|skipped|ignored|left out|unnecessary)$/i

/** Matches what follows an "only" that belongs to the words before it: "threads only, …". */
const trailing = /^\s*(?:$|[,;.!?)\n]|and\b|but\b|please\b|thanks\b)/i

const everything =
  /^\s*(?:everything|anything|all(?: (?:other|the|of the))*(?: (?:pages?|urls?|sections?|rest))?|the rest|every page)(?: else)?\s*$/i
const predicate = /\b(?:can|could|should|may|might|must|to|are|is)(?: all| also| both| safely)?(?: be)?\s*$/i
const verdict = /^ (?:matter|apply|count)s?\b/i
const relative = /\b(?:that|which|who|it|they)\s*$/i

interface OpenClause {
  text: string
  wanted: boolean
  cue: Clause["cue"]
  inherited: boolean
}

const ending = /^(?:[.;!?:\n]|but|then|however|while|yet|[-–—]+)$/i

/** Reads cues from left to right. A refusal applies until the end of the clause or the next cue. */
export const split = (prompt: string): ReadonlyArray<Clause> => {
  const parts: Array<OpenClause> = []
  const blank: OpenClause = { text: "", wanted: true, cue: "none", inherited: true }
  let part: OpenClause = { ...blank }
  let from = 0
  const begin = (next: OpenClause) => {
    parts.push(part)
    part = { ...next, text: "" }
  }
  for (const match of prompt.matchAll(scanner)) {
    part.text += prompt.slice(from, match.index)
    from = match.index + match[0].length
    const separator = match.groups?.separator?.trim()
    const empty = part.text.replaceAll(mark, "").trim() === ""
    const kind = cues.find((_, index) => match.groups?.[`c${index}`] !== undefined)?.[0]
    const denies = kind === "refuse" || kind === "deny"
    if (separator === ":" && empty && !part.inherited) {
      // "leave out: /cart, /checkout": the cue applies to the list after the colon.
      continue
    }
    if (separator !== undefined) {
      begin(ending.test(separator) ? blank : { ...part, inherited: true })
    } else if (kind === "only" && !empty && trailing.test(prompt.slice(from, from + 20))) {
      Object.assign(part, { wanted: true, cue: "only" })
    } else if (kind === "only" && empty && !part.wanted && !part.inherited) {
      // "not only", "don't just": not a refusal.
      Object.assign(part, { wanted: true, cue: "fetch" })
    } else if (kind === "only" || (denies && !part.wanted && everything.test(part.text))) {
      // "only …", "skip everything but …"
      begin({ ...blank, cue: "only", inherited: false })
    } else if (denies && !empty && (predicate.test(part.text) || verdict.test(prompt.slice(from, from + 20)))) {
      // "PDFs should be skipped", "subdomains are not needed", "robots.txt doesn't matter"
      Object.assign(part, { wanted: false, cue: kind })
    } else if (denies) {
      begin({ ...blank, wanted: false, cue: kind, inherited: false })
    } else if (kind !== "keep" && relative.test(part.text)) {
      part.text += match[0]
    } else if (kind === "keep" || !empty || part.inherited) {
      // "only use", "don't follow": a verb right after a cue adds no meaning.
      begin({ ...blank, cue: kind === "extract" ? kind : "fetch", inherited: false })
    }
  }
  part.text += prompt.slice(from)
  parts.push(part)
  return parts.map((each) => {
    const refused = passive.test(each.text.trim())
    return {
      text: each.text.replaceAll(mark, " ").replace(passive, " ").replace(/\s+/g, " ").trim(),
      wanted: refused ? false : each.wanted,
      cue: refused ? "refuse" : each.cue,
      inherited: each.inherited
    }
  })
}
