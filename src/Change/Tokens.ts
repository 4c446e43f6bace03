/**
 * Splits text into tokens for comparison, and recognizes those that change at every visit on most sites: ages ("3 minutes ago"), popularity
 * counts ("1,204 views"), time stamps ("last updated: …") and copyright years.
 */

/** `mark`: a punctuation mark or symbol. `usual`: a token that is expected to differ at every visit; all such tokens are equal. */
export type TokenKind = "word" | "number" | "date" | "time" | "mark" | "usual"

export interface Token {
  readonly kind: TokenKind
  /** As it stands in the text. */
  readonly text: string
  /** Comparison key: ignores case and typography. */
  readonly value: string
}

const months =
  "jan(?:uary|uar|vier)?|feb(?:ruary|ruar)?|f[ée]vrier|mar(?:ch|s|zo)?|märz|apr(?:il)?|abril|avril|may|mai|mayo|jun[ei]?|juin|junio|jul[yi]?|juillet|julio|aug(?:ust)?|août|agosto|sep(?:t(?:ember)?)?|septembre|septiembre|o[ck]t(?:ober)?|octobre|octubre|nov(?:ember)?|novembre|noviembre|de[cz](?:ember)?|décembre|diciembre"

const units =
  "s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|weeks?|months?|mo|years?|yrs?|y|sekunden?|minuten?|stunden?|tage?n?|wochen?|monate?n?|jahre?n?|secondes?|heures?|jours?|semaines?|mois|ans?|segundos?|minutos?|horas?|días?|semanas?|mes(?:es)?|años?"

const amount = "(?:\\d{1,5}|an?|one|two|a few|eine[mnr]?|une?|una?)"

/** Matches one token. Takes linear time: each alternative is tried once per position, and repeats are bounded. */
const lexer = new RegExp(
  [
    `(?<age>(?:about |over |almost )?${amount} ?(?:${units}) ago\\b|just now\\b|moments? ago\\b|vor ${amount} (?:${units})\\b|il y a ${amount} (?:${units})\\b|hace ${amount} (?:${units})(?![\\p{L}]))`,
    `(?<date>\\d{4}-\\d{2}-\\d{2}|(?:${months})\\.? \\d{1,2}(?:st|nd|rd|th)?,? \\d{4}|\\d{1,2}(?:st|nd|rd|th|\\.)? (?:of |de )?(?:${months})\\.?,?(?: de)? \\d{4}|\\d{1,2}[./]\\d{1,2}[./]\\d{2,4})(?!\\d)`,
    "(?<time>T?\\d{1,2}:\\d{2}(?::\\d{2})?(?:\\.\\d{1,6})?(?: ?[ap]\\.?m\\b\\.?|Z|[+-]\\d{2}:\\d{2})?)(?!\\d)",
    "(?<number>\\d{1,30}(?:[.,'’]\\d{1,30}){0,9}[kmb]?(?![\\p{L}\\p{N}]))",
    "(?<word>[\\p{L}\\p{N}\\p{M}_]{1,200}(?:['’‑-][\\p{L}\\p{N}\\p{M}_]{1,200}){0,9})",
    "(?<mark>\\S)"
  ].join("|"),
  "giu"
)

const popularity =
  /^(?:views?|likes?|comments?|shares?|followers?|subscribers?|reads?|readers?|downloads?|votes?|upvotes?|points?|replies|reply|reviews?|ratings?|claps?|stars?|forks?|watchers?|watching|viewers?|viewing|visitors?|visits?|online|hits|reactions?|bookmarks?|favou?rites?|aufrufe?|kommentare?|bewertung(?:en)?|leser|vues?|commentaires?|avis|vistas?|comentarios?|visitas?)$/

const stamp =
  /^(?:updated|modified|refreshed|generated|retrieved|checked|accessed|rendered|synced|cached|aktualisiert|geändert|stand|actualisé|modifié|actualizado)$/

const copyright = /^(?:©|copyright)$/

/** Matches names of ids that sites make for each request; the id itself is the next token. */
const perRequest =
  /^(?:request|session|trace|correlation|transaction|ray|visitor|csrf|nonce|reference)-?(?:id|token|no|number)?$/

/** Matches marks that carry meaning; others, like commas and quotes, are not compared. */
const meaningfulMark = /[\p{Sc}\p{Sm}\p{So}%#&@/]/u
const legalMark = /[©®™]/

const dash = /[-–−]/

/** True for a minus sign: a dash directly before a number and not after a word, as in "-5" and "(-$5", but not "3-5". */
const isMinus = (text: string, at: number): boolean =>
  !/[\p{L}\p{N}]/u.test(text[at - 1] ?? "") && /^\p{Sc}?[.,]?\d/u.test(text.slice(at + 1, at + 5))

const valueOf = (text: string): string => text.normalize("NFKC").toLowerCase().replace(/[’‘]/g, "'").replace(/‑/g, "-")

/** Number of preceding tokens that are searched for a word that makes a token usual. */
const lookBack = 4

const hasBefore = (tokens: ReadonlyArray<Token>, index: number, test: RegExp): boolean => {
  for (let back = 1; back <= lookBack; back++) {
    const token = tokens[index - back]
    if (token === undefined) return false
    if (test.test(token.value)) return true
  }
  return false
}

const audience = /^(?:people|persons|others|users?|visitors?|shoppers?|customers?|readers?|guests?)$/
const present = /^(?:looking|viewing|watching|browsing|reading|shopping|online|active)$/

/** True for a number such as that in "586 people are looking at this page". */
const isAudience = (tokens: ReadonlyArray<Token>, index: number): boolean =>
  [1, 2].some(
    (next) =>
      audience.test(tokens[index + next]?.value ?? "") &&
      [1, 2, 3].some((further) => present.test(tokens[index + next + further]?.value ?? ""))
  )

const limitBefore =
  /^(?:includ(?:es?|ing|ed)|to|limit(?:ed)?|max(?:imum)?|min(?:imum)?|least|most|first|than|allows?|quota|with|get|free|only)$/
const limitAfter =
  /^(?:per|an?|each|every|\/|monthly|daily|included|allowed|free|max(?:imum)?|min(?:imum)?|limit|pro|par|por)$/

/** True for a number before "views" that is a limit of a plan: "includes 10,000 visits per month". */
const isLimit = (tokens: ReadonlyArray<Token>, index: number): boolean =>
  limitAfter.test(tokens[index + 2]?.value ?? "") ||
  [1, 2].some((back) => limitBefore.test(tokens[index - back]?.value ?? ""))

const isId = ({ kind, text }: Token): boolean => kind !== "mark" && text.length >= 6 && /\d/.test(text)

const isUsual = (tokens: ReadonlyArray<Token>, index: number): boolean => {
  const token = tokens[index]
  if (token === undefined || token.kind === "mark") return false
  if (token.kind === "date" || token.kind === "time") {
    const before = tokens[index - 1]
    return hasBefore(tokens, index, stamp) || (before?.kind === "usual" && token.kind === "time")
  }
  if (token.kind === "number") {
    const after = tokens[index + 1]
    if (after !== undefined && popularity.test(after.value)) return !isLimit(tokens, index)
    if (isAudience(tokens, index)) return true
    const isLabelled = tokens[index - 1]?.text === ":" && popularity.test(tokens[index - 2]?.value ?? "")
    const isYear = /^(?:19|20)\d\d$/.test(token.text)
    if (isLabelled || (isYear && hasBefore(tokens, index, copyright))) return true
  }
  return isId(token) && hasBefore(tokens, index, perRequest)
}

/** Tokens of the text, without meaningless marks. `isExact` keeps all marks and case, and makes no token `usual`. */
export const tokensOf = (text: string, isExact = false): ReadonlyArray<Token> => {
  const tokens: Array<Token> = []
  const meaningless = new Set<number>()
  for (const match of text.matchAll(lexer)) {
    const found = match[0]
    const { age, date, time, number, mark } = match.groups ?? {}
    const kind =
      age !== undefined && !isExact
        ? "usual"
        : date !== undefined
          ? "date"
          : time !== undefined
            ? "time"
            : number !== undefined
              ? "number"
              : mark !== undefined
                ? "mark"
                : "word"
    const isDash = kind === "mark" && dash.test(found)
    if (
      kind === "mark" &&
      !(isDash ? isMinus(text, match.index) : meaningfulMark.test(found) && !legalMark.test(found))
    )
      meaningless.add(tokens.length)
    const value = kind === "usual" ? "…" : isDash ? "-" : valueOf(found)
    tokens.push({ kind, text: found, value: isExact ? found : value })
  }
  if (isExact) return tokens
  for (const [index, token] of tokens.entries()) {
    if (isUsual(tokens, index)) tokens[index] = { ...token, kind: "usual", value: "…" }
  }
  const kept = tokens.filter((_, index) => !meaningless.has(index))
  // Merges neighbouring tokens of the kind `usual`: an id with a dot in it may be read as one token or as two.
  return kept.filter(({ kind }, index) => kind !== "usual" || kept[index - 1]?.kind !== "usual")
}

const monthNumber = (name: string): number => {
  const starts = ["jan", "f", "mar", "ap", "ma", "jun", "jul", "a", "s", "o", "n", "d"]
  const text = name
    .toLowerCase()
    .replace("mär", "mar")
    .replace(/^av/, "ap")
    .replace(/^ab/, "ap")
    .replace(/^jui(?=[nl])/, "ju")
  return starts.findIndex((start) => text.startsWith(start))
}

/** Days that a date may mean, as it may be day or month first, in milliseconds since 1970. */
const daysOf = (text: string): ReadonlyArray<number> => {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? []
  if (year !== undefined) return [Date.UTC(Number(year), Number(month) - 1, Number(day))]
  const numbers = [...text.matchAll(/\d+/g)].map(([each]) => Number(each))
  const [name] = /\p{L}{3,}/u.exec(text.replace(/(?<=\d)(?:st|nd|rd|th)/i, "")) ?? []
  if (name !== undefined) return [Date.UTC(numbers[1] ?? 0, monthNumber(name), numbers[0])]
  const [first = 0, second = 0, short = 0] = numbers
  const full = short < 100 ? 2000 + short : short
  return [Date.UTC(full, second - 1, first), Date.UTC(full, first - 1, second)]
}

const day = 86_400_000

/** True if a date is the day of the given moment in some time zone. */
export const isDayOf = ({ kind, text }: Token, at: number): boolean =>
  kind === "date" && daysOf(text).some((start) => start - at < 0.6 * day && at - start < 1.6 * day)
