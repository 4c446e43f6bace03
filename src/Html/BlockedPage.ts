/**
 * Recognises pages that a site shows in place of their content: bot checks, refusals, consent and login walls, empty frames
 * that need scripts, error pages with status 200, parked domains.
 *
 * - Judges short pages only, because such pages contain little text.
 * - A mark of a known bot protection system is enough: a header, an element or a script that the system serves only with its check, unless
 *   it is merely quoted as visible text.
 * - A phrase is enough in a title, in a heading or on a very short page, unless the page has other content. Quotations do
 *   not count.
 * - Runs in time linear in the length of the page.
 */

import { hash } from "node:crypto"
import { escapePattern } from "../Values/Text.ts"
import {
  type BlockedKind,
  consentPath,
  consentTitle,
  consentWords,
  joinPath,
  joinTitle,
  loginPath,
  loginTitle,
  notFound,
  sentences,
  suspicious,
  systems,
  wallWords
} from "./BlockedMarks.ts"
import { isHidden } from "./Boilerplate.ts"
import { type Element, isElement, isWhiteSpace, singleSpaced, squeeze, startOf } from "./Element.ts"
import type { Tree } from "./Tree.ts"

/** Kind of page shown in place of the content, and the evidence for it. */
export interface Blocked {
  readonly kind: BlockedKind
  readonly evidence: string
}

/** Status, headers and addresses of the response. */
export interface PageAnswer {
  readonly statusCode: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** The requested address. */
  readonly requested: string
  /** The address after redirects. */
  readonly url: string
}

/** Characters of visible text above which a page has content of its own. */
const maxText = 3000
/** Maximum characters that are read from one piece of text. */
const maxPiece = 10 * maxText
/** Up to this many characters of visible text, a phrase in the title or heading may be the subject of the page. */
const maxSentence = 1200
/** Up to this many characters of visible text, a page has no content. */
const maxBare = 300
/** With more characters than this in lines without any of `wallWords`, a page has content besides the matching phrase. */
const maxContent = 150
/** Maximum characters of visible text on an error page. */
const maxExplanation = 400
/** Characters of HTML that are searched for marks. */
const maxSearched = 300_000

/** One pattern for all marks: few pages have one, and a single search is faster than one per mark. */
const anyOf = (parts: ReadonlyArray<string>): RegExp => new RegExp(parts.map(escapePattern).join("|"), "i")

const anyMark = anyOf(systems.flatMap(({ bare = [], html = [] }) => [...html, ...bare]))
const anyPhrase = anyOf(systems.flatMap(({ text = [] }) => text))

const withStraightQuotes = (text: string): string => text.replaceAll("’", "'")

/** Names of the response headers that can contain marks. */
export const markingHeaders: ReadonlyArray<string> = systems.flatMap(({ header }) =>
  header === undefined ? [] : [header[0]]
)

const shownAs: Readonly<Record<BlockedKind, string>> = {
  challenge: "a bot check",
  captcha: "a CAPTCHA",
  denied: "a refusal",
  consent: "a consent form",
  login: "a login form",
  javascript: "an empty shell that scripts fill in",
  notFound: "an error page",
  parked: "a parked domain"
}

/** Returns the sentence for `metadata.error`. */
export const describeBlocked = ({ evidence, kind }: Blocked): string =>
  `The site showed ${shownAs[kind]} in place of the page (${evidence})`

/** Removes quotations: an article about block pages repeats their phrases. */
const unquoted = (text: string): string =>
  text.replace(/["“”„][^"“”„]{1,200}["“”]|«[^»]{1,200}»|「[^」]{1,200}」|‘[^’]{1,200}’/g, '""')

/** Length of text, in which a Chinese, Japanese or Korean character counts as three. */
const lengthOf = (text: string): number =>
  text.length + 2 * (text.match(/[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/g)?.length ?? 0)

const isSearch = ({ name = "", role = "", type = "" }: Element["attributes"]): boolean =>
  /^(?:q|s|query|search|keywords?)$/i.test(name) || role === "search" || type.toLowerCase() === "search"

const isField = ({ attributes, name }: Element): boolean =>
  name === "textarea" ||
  name === "select" ||
  (name === "input" &&
    /^(?:|text|e-?mail|tel|number|password|date|file)$/i.test(attributes.type ?? "") &&
    !isSearch(attributes))

const navigation = new Set(["nav", "header", "footer", "aside", "a", "button"])
const quotation = new Set(["pre", "code", "samp", "kbd", "blockquote", "q"])

/** Number of characters in lines without any of `wallWords`. Stops counting above the highest limit that it is compared with. */
const contentOf = (lines: ReadonlyArray<string>): number => {
  let count = 0
  for (const line of lines) {
    if (!wallWords.test(line)) count += lengthOf(line.trim())
    if (count > 4 * maxContent) break
  }
  return count
}

/** A run of visible text, or the end of a block element. */
interface Piece {
  /** Empty string at the end of a block. */
  words: string
  /** True outside of navigation and links. */
  readonly isOwn: boolean
  /** True in a quotation or in code. */
  readonly isQuoted: boolean
}

const blockEnd: Piece = { words: "", isOwn: true, isQuoted: false }

/** Joins pieces to text, with a line break at the end of each block. */
const joinLines = (pieces: ReadonlyArray<Piece>, isIncluded: (piece: Piece) => boolean): string => {
  let text = ""
  let last = ""
  for (const piece of pieces) {
    if (piece === blockEnd) {
      if (last === "\n") continue
      text += "\n"
      last = "\n"
    } else if (isIncluded(piece)) {
      const added = last === "" || last === " " || last === "\n" ? piece.words.trimStart() : piece.words
      if (added === "") continue
      text += added
      last = added.charAt(added.length - 1)
    }
  }
  return text
}

/** Facts about a page besides its text. */
interface PageFacts {
  readonly title: string
  readonly heading: string
  /** Text of `<noscript>`. */
  readonly noscript: string
  readonly hasPassword: boolean
  /** True if there is a field for visitors to fill in, other than a search. */
  readonly hasField: boolean
  readonly hasPicture: boolean
}

/** Visible content of a page. Strings that few pages need are computed on demand. */
class View {
  readonly page: PageFacts
  /** Visible text, with single spaces. */
  readonly text: string
  /** Length of the text outside of navigation and links. */
  readonly length: number
  readonly #shown: string
  readonly #own: string
  readonly #pieces: ReadonlyArray<Piece>
  #content: number | undefined
  #said: string | undefined
  #stated: { readonly title: string; readonly heading: string; readonly text: string } | undefined

  constructor(shown: string, pieces: ReadonlyArray<Piece>, page: PageFacts) {
    this.page = page
    this.#shown = shown
    this.#pieces = pieces
    this.#own = joinLines(pieces, ({ isOwn }) => isOwn)
    this.text = squeeze(shown)
    this.length = lengthOf(squeeze(this.#own))
  }

  /** Number of characters in lines that have none of the words of block and error pages. */
  get content(): number {
    this.#content ??= contentOf(unquoted(this.#own).split(/\n|(?<=[.!?:]) |(?<=[。！？])/))
    return this.#content
  }

  /** Text outside of quotations and code. */
  get said(): string {
    if (this.#said === undefined) {
      const said = this.#pieces.some(({ isQuoted }) => isQuoted)
        ? joinLines(this.#pieces, ({ isQuoted }) => !isQuoted)
        : this.#shown
      // A page in which most text is marked as a quotation is not quoting anything.
      this.#said = said === this.#shown || 2 * said.length < this.#shown.length ? this.text : squeeze(said)
    }
    return this.#said
  }

  /** Title, heading and text without quotations, code and text in quotation marks. */
  get stated() {
    this.#stated ??= {
      title: unquoted(this.page.title),
      heading: unquoted(this.page.heading),
      text: unquoted(this.said)
    }
    return this.#stated
  }
}

/** Number of characters other than white space. */
const countInk = (text: string): number => {
  let count = 0
  for (let at = 0; at < text.length; at++) if (!isWhiteSpace(text.charCodeAt(at))) count++
  return count
}

/**
 * Collects the visible text of a page, and stops when it is too long for a block page. White space does not count towards the length, but
 * is only subtracted when that can change the result.
 */
class VisibleContent {
  readonly all: Array<Piece> = []
  /** The first `h1` or `h2`. */
  heading: Element | undefined
  hasPassword = false
  hasField = false
  noscript = ""
  #length = 0
  /** Length up to which the pieces cannot have more than `maxText` characters besides white space. */
  #limit = maxText
  /** Number of pieces whose characters have been counted, and how many of these are not white space. */
  #counted = 0
  #ink = 0

  get areTooLong(): boolean {
    if (this.#length <= this.#limit) return false
    for (; this.#counted < this.all.length; this.#counted++) this.#ink += countInk(this.all[this.#counted]?.words ?? "")
    this.#limit = this.#length + maxText - this.#ink
    return this.#ink > maxText
  }

  #add(text: string, isOwn: boolean, isQuoted: boolean): void {
    const words = text.slice(0, maxPiece)
    this.#length += words.length
    this.all.push({ words, isOwn, isQuoted })
  }

  /** Adds the visible text of an element, until the pieces are too long. */
  read(element: Element, isOwn: boolean, isQuoted: boolean): void {
    for (const child of element.children) {
      if (this.areTooLong) return
      if (!isElement(child)) {
        this.#add(child, isOwn, isQuoted)
        continue
      }
      const { attributes, layout, name } = child
      if (name === "input" && attributes.type?.toLowerCase() === "password") this.hasPassword = true
      if (isField(child)) this.hasField = true
      if (name === "noscript") this.noscript += ` ${startOf(child, maxSentence)}`
      if (layout === "unseen" || isHidden(child)) continue
      if (this.heading === undefined && (name === "h1" || name === "h2")) this.heading = child
      this.read(child, isOwn && !navigation.has(name), isQuoted || quotation.has(name))
      if (layout === "block") this.all.push(blockEnd)
    }
  }
}

/** Reads the visible content; undefined if the page shows too much text for a block page. */
const viewOf = (tree: Tree): View | undefined => {
  const pieces = new VisibleContent()
  pieces.read(tree.body ?? tree.root, true, false)
  if (pieces.areTooLong) return undefined
  for (const piece of pieces.all) piece.words = singleSpaced(piece.words)
  const shown = joinLines(pieces.all, () => true)
  if (shown.length > maxText) return undefined
  const nameOf = (element: Element | undefined) => (element === undefined ? "" : startOf(element, 300))
  return new View(shown, pieces.all, {
    title: nameOf(tree.titles[0]),
    heading: nameOf(pieces.heading),
    noscript: squeeze(pieces.noscript),
    hasPassword: pieces.hasPassword,
    hasField: pieces.hasField,
    hasPicture: tree.images.length > 0
  })
}

const quoted = (text: string): string => `"${text.length > 80 ? `${text.slice(0, 79)}…` : text}"`

const isAboutChecks = /captcha|\bhuman\b|\b(?:ro)?bots?\b|security check/i

/**
 * Text that is searched for phrases of known systems, in lower case. A page may have more content if the phrase is in its title or heading.
 */
const explanationsIn = (view: View, isTiny: boolean): string => {
  const { page, said } = view
  const { heading, noscript, title } = page
  if (!anyPhrase.test(withStraightQuotes(`${title}\n${heading}\n${said}\n${noscript}`))) return ""
  const { stated } = view
  const sources = [
    view.content <= 4 * maxContent ? `${stated.title}\n${stated.heading}` : "",
    view.content <= 2 * maxContent ? stated.text : "",
    isTiny ? noscript : ""
  ]
  return withStraightQuotes(sources.join("\n").toLowerCase())
}

/** True for a page without content, on which the `bare` marks count, too. */
const isBare = (view: View, isTiny: boolean): boolean =>
  !view.page.hasField &&
  (isTiny || (view.length <= maxSentence && view.content <= maxContent && isAboutChecks.test(view.stated.text)))

const bySystem = (view: View, html: string, headers: PageAnswer["headers"]): Blocked | undefined => {
  const start = html.slice(0, maxSearched)
  const searched = anyMark.test(start) ? start.toLowerCase() : ""
  const shown = searched === "" ? "" : view.text.toLowerCase()
  const isTiny = lengthOf(view.text) <= maxBare
  const isWithoutContent = searched !== "" && isBare(view, isTiny)
  const text = explanationsIn(view, isTiny)
  for (const system of systems) {
    const { header, kind, name } = system
    const value = header === undefined ? undefined : headers[header[0]]
    if (header !== undefined && value !== undefined && header[1].test(value)) {
      return { kind, evidence: `${name}: the header ${header[0]}: ${value.slice(0, 80)}` }
    }
    // A mark in the visible text is an example of code, not code that the page runs.
    const marks = searched === "" ? [] : [...(system.html ?? []), ...(isWithoutContent ? (system.bare ?? []) : [])]
    const mark = marks.find((part) => searched.includes(part) && (isTiny || !shown.includes(part)))
    if (mark !== undefined) return { kind, evidence: `${name}: ${quoted(mark)} in the page` }
    const phrase = system.text?.find((part) => text.includes(part))
    if (phrase !== undefined) return { kind, evidence: `${name}: the page says ${quoted(phrase)}` }
  }
  return undefined
}

const bySentence = (view: View): Blocked | undefined => {
  const { length, page, text } = view
  const { noscript } = page
  if (length > maxSentence || view.content > maxContent) return undefined
  const { stated } = view
  for (const { kind, pattern } of sentences) {
    if (pattern.test(stated.title)) return { kind, evidence: `the title is ${quoted(stated.title)}` }
    if (pattern.test(stated.heading)) return { kind, evidence: `the heading is ${quoted(stated.heading)}` }
    // A sentence in the text is the subject of the page only if there is little else.
    const found = length <= maxBare ? pattern.exec(stated.text) : null
    if (found !== null) return { kind, evidence: `the page says ${quoted(found[0])}` }
    const hidden =
      kind === "javascript" && lengthOf(text) <= 100 && noscript.length <= maxBare
        ? /[^.!?]*javascript[^.!?]*/i.exec(noscript)
        : null
    if (hidden !== null) return { kind, evidence: `the page says ${quoted(hidden[0].trim())}` }
  }
  return undefined
}

const parsed = (url: string): URL | undefined => {
  try {
    return new URL(url)
  } catch {
    return undefined
  }
}

/** Splits a title at its separators: the site's name is one of the parts. */
const partsOf = (title: string): ReadonlyArray<string> => title.split(/\s[-|·–—]\s/)

const placeOf = ({ hostname, pathname }: URL): string => `${hostname}${pathname}`

const byWall = (view: View, { requested, url }: PageAnswer): Blocked | undefined => {
  const { page, text } = view
  const { hasPassword, heading, title } = page
  const [from, to] = [parsed(requested), parsed(url)]
  if (from === undefined || to === undefined) return undefined
  const isMoved = from.hostname !== to.hostname || from.pathname !== to.pathname
  const named = [title, heading]
  const [before, after] = [placeOf(from), placeOf(to)]
  /** True if the request was redirected to a page without content. */
  const isMovedWithout = isMoved && view.content <= 4 * maxContent
  // A login page that was requested does not replace another page.
  if (!loginPath.test(before) && !joinPath.test(before)) {
    const leadsToLogin = hasPassword
      ? loginPath.test(after) || joinPath.test(after)
      : loginPath.test(after) && named.some((each) => loginTitle.test(each))
    if (isMovedWithout && leadsToLogin) return { kind: "login", evidence: `it leads to ${after}`.slice(0, 120) }
    const login = named.find((each) => loginTitle.test(each) || joinTitle.test(each))
    if (login !== undefined && hasPassword && text.length <= maxSentence && view.content <= maxContent) {
      return { kind: "login", evidence: `the page is a form with a password, named ${quoted(login)}` }
    }
  }
  if (consentPath.test(before)) return undefined
  if (isMovedWithout && consentPath.test(after) && consentWords.test(text)) {
    return { kind: "consent", evidence: `it leads to ${after}`.slice(0, 120) }
  }
  const consent =
    text.length <= maxSentence * 2 ? named.flatMap(partsOf).find((each) => consentTitle.test(each)) : undefined
  return consent !== undefined && consentWords.test(text)
    ? { kind: "consent", evidence: `the page asks for consent under ${quoted(consent)}` }
    : undefined
}

const byStatus = (view: View): Blocked | undefined => {
  const { length, text } = view
  if (length > maxExplanation || view.content > maxContent) return undefined
  const { stated } = view
  const named = [stated.title, stated.heading].find((each) => notFound.test(each))
  if (named !== undefined) return { kind: "notFound", evidence: `status 200 under the title ${quoted(named)}` }
  const said = text.length <= maxSentence / 4 ? notFound.exec(stated.text) : null
  return said === null ? undefined : { kind: "notFound", evidence: `status 200, and the page says ${quoted(said[0])}` }
}

/** A short page that may be a block page: it is one if the site returns the same text for several addresses. */
export interface Suspicion {
  readonly kind: BlockedKind
  /** Hash of the visible text. */
  readonly fingerprint: string
}

const suspicionOf = ({ page: { title }, text }: View): Suspicion | undefined => {
  if (text.length < 20 || text.length > maxSentence) return undefined
  const kind = suspicious.find(([, words]) => words.test(`${title}\n${text}`))?.[0]
  return kind === undefined ? undefined : { kind, fingerprint: hash("sha1", `${title}\n${text}`, "base64url") }
}

export interface Detected {
  /** Undefined if the page has content. */
  readonly blocked?: Blocked | undefined
  readonly suspicion?: Suspicion | undefined
}

/** Judges a page. `isEmpty`: it shows nothing before its scripts run. */
export const detectBlocked = (tree: Tree, html: string, answer: PageAnswer, isEmpty: boolean): Detected => {
  const view = viewOf(tree)
  if (view === undefined) return {}
  const byAnswer = bySystem(view, html, answer.headers) ?? bySentence(view)
  // A page with an error status already counts as failed; only a bot check or a refusal adds information.
  if (answer.statusCode >= 400) {
    return byAnswer !== undefined && turnsAway.has(byAnswer.kind) ? { blocked: byAnswer } : {}
  }
  const blocked =
    byAnswer ??
    byWall(view, answer) ??
    byStatus(view) ??
    (isEmpty && !view.page.hasPicture
      ? ({ kind: "javascript", evidence: "the page shows nothing before its scripts have run" } as const)
      : undefined)
  return blocked === undefined ? { suspicion: suspicionOf(view) } : { blocked }
}

const turnsAway: ReadonlySet<BlockedKind> = new Set(["challenge", "captcha", "denied"])
