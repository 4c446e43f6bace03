/**
 * Format `changeTracking`: compares a page with its last tracked version.
 *
 * A version belongs to a team, an address and a tag. `changeStatus` is `new` the first time, then `same` or `changed` (white space does not
 * count), and `removed` if the site answers 404 or 410; the last version is then kept, in case the page comes back. `visibility` is always
 * `visible`, because a page does not reveal whether other pages still link to it. The page is always fetched, even with `maxAge`, and its
 * version is always stored, even with `storeInCache: false`.
 */
import { createHash } from "node:crypto"
import * as Clock from "effect/Clock"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { type Document, isGone } from "../../Api/Document.ts"
import { nextTurn } from "../../Callback/EventLoop.ts"
import * as Trace from "../../Telemetry/Trace.ts"
import { isHighSurrogate } from "../../Values/Text.ts"
import type { Service as ModelService } from "../Model/Model.ts"
import type { PageVersions, Version } from "../PageCache/PageVersions.ts"
import { sorted } from "../Usage/Idempotency.ts"
import * as Difference from "./Difference.ts"
import * as Json from "./Json.ts"
import type { Extraction, Tracking } from "./Plan.ts"
import type { Enrichment, Part, Subject } from "./ScrapedPage.ts"

const hash = (...parts: ReadonlyArray<string>): string =>
  createHash("sha256").update(JSON.stringify(parts)).digest("base64url")

/** Characters hashed per turn of the event loop, which takes a few milliseconds. */
const sliceLength = 64 * 1024

/** Hash of text with white space collapsed, because white space changes with the layout of a page, not with its content. */
export const contentHash = (text: string, length = sliceLength): Effect.Effect<string> =>
  Effect.gen(function* () {
    // Equivalent to hash(text.replace(/\s+/g, " ").trim()), which would take seconds for 20 MB.
    const digest = createHash("sha256").update('["')
    let [isBegun, isSpaceDue] = [false, false]
    for (let start = 0, end = 0; start < text.length; start = end) {
      if (start > 0) yield* nextTurn
      end = Math.min(text.length, start + length)
      if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end -= 1
      const slice = text.slice(start, end).replace(/\s+/g, " ")
      const words = slice.trim()
      if (words === "") {
        isSpaceDue = true
        continue
      }
      if (isBegun && (isSpaceDue || slice.startsWith(" "))) digest.update(" ")
      digest.update(JSON.stringify(words).slice(1, -1))
      isBegun = true
      isSpaceDue = slice.endsWith(" ")
    }
    return digest.update('"]').digest("base64url")
  })

const extractionHash = ({ prompt, schema, systemPrompt }: Extraction): string =>
  hash(JSON.stringify(sorted({ prompt, schema: schema?.json, systemPrompt })))

const canonical = (value: unknown): string => JSON.stringify(sorted(value)) ?? "null"

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : { value }

/** Returns the fields whose values differ, with both values. */
const fieldsChanged = (before: unknown, after: unknown) => {
  const [previous, current] = [fieldsOf(before), fieldsOf(after)]
  return Object.fromEntries(
    [...new Set([...Object.keys(current), ...Object.keys(previous)])]
      .filter((name) => canonical(previous[name]) !== canonical(current[name]))
      .map((name) => [name, { previous: previous[name] ?? null, current: current[name] ?? null }])
  )
}

type ChangeTracking = NonNullable<Document["changeTracking"]>

const answer = (
  changeStatus: "new" | "same" | "changed" | "removed",
  before: Version | undefined,
  details: Pick<ChangeTracking, "diff" | "json"> = {}
): ChangeTracking => ({
  previousScrapeAt: before === undefined ? null : new Date(before.at).toISOString(),
  changeStatus,
  visibility: "visible",
  ...details
})

const tooLong =
  "The last version was too long to be stored, so there is nothing to compare with: the page counts as changed."

const compare = (versions: Context.Tag.Service<typeof PageVersions>, model: ModelService | undefined) => {
  const reads = Json.make(model)

  /** Lets the model extract data from a version. */
  const readingOf = (subject: Subject, extraction: Extraction, markdown: string): Effect.Effect<Part, never> =>
    Effect.catchAll(
      reads({
        ...subject,
        plan: { ...subject.plan, extraction: { ...extraction, keys: ["json"] } },
        page: { ...subject.page, markdown }
      }) ?? Effect.succeed({}),
      ({ error }) => Effect.succeed({ warning: error })
    )

  /** Returns the data of the last version: as stored, or extracted now if the schema or prompt has changed. */
  const earlierReading = (subject: Subject, extraction: Extraction, { reading, text }: Version) => {
    if (reading?.wish === extractionHash(extraction)) return Effect.succeed<Part>({ document: { json: reading.value } })
    return text === undefined ? Effect.succeed<Part>({ warning: tooLong }) : readingOf(subject, extraction, text)
  }

  const changed = Effect.fnUntraced(function* (
    subject: Subject,
    { extraction, showsDifference }: Tracking,
    parts: Compared
  ) {
    const { before, current, text } = parts
    const diff = showsDifference && before.text !== undefined ? Difference.between(before.text, text) : undefined
    const previous = extraction === undefined ? {} : yield* earlierReading(subject, extraction, before)
    const json =
      previous.document?.json === undefined || current.document?.json === undefined
        ? undefined
        : fieldsChanged(previous.document.json, current.document.json)
    const details = { ...(diff === undefined ? {} : { diff }), ...(json === undefined ? {} : { json }) }
    const warnings = [current.warning, previous.warning, showsDifference && diff === undefined ? tooLong : undefined]
    return {
      document: { changeTracking: answer("changed", before, details) },
      credits: current.credits,
      warning: [...new Set(warnings.filter((warning) => warning !== undefined))].join(" ") || undefined
    } satisfies Part
  })

  return Trace.fn("Tracking.compare")(function* (subject: Subject, tracking: Tracking) {
    const { page, target } = subject
    const key = hash(target.teamId, target.url, tracking.tag)
    if (isGone(page.statusCode)) {
      return { document: { changeTracking: answer("removed", yield* versions.last(key)) } } satisfies Part
    }
    if (page.statusCode >= 400) {
      return { warning: `The page was not compared: the site answered ${page.statusCode}.` } satisfies Part
    }
    if (page.blocked !== undefined) {
      return { warning: "The page was not compared: the site returned a block page." } satisfies Part
    }
    const text = page.markdown ?? ""
    const { extraction } = tracking
    const current = extraction === undefined ? {} : yield* readingOf(subject, extraction, text)
    const value = current.document?.json
    const words = yield* contentHash(text)
    const before = yield* versions.replace(key, {
      at: yield* Clock.currentTimeMillis,
      hash: words,
      text,
      reading: extraction === undefined || value === undefined ? undefined : { wish: extractionHash(extraction), value }
    })
    if (before !== undefined && before.hash !== words) {
      return yield* changed(subject, tracking, { before, current, text })
    }
    const status = before === undefined ? "new" : "same"
    return {
      document: { changeTracking: answer(status, before) },
      credits: current.credits,
      warning: current.warning
    } satisfies Part
  })
}

interface Compared {
  readonly before: Version
  readonly text: string
  /** Data extracted from the current page. */
  readonly current: Part
}

export const make = (
  versions: Context.Tag.Service<typeof PageVersions>,
  model: ModelService | undefined
): Enrichment => {
  const run = compare(versions, model)
  return (subject) => (subject.plan.tracking === undefined ? undefined : run(subject, subject.plan.tracking))
}
