/** What pages held, as the outputs of their runs have it: found by the hash of the content, or by the page's address. */
import { diffLines } from "diff"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { Ledger } from "../Ledger.ts"
import { sha256 } from "../Row/Hash.ts"
import { canonicalUrl } from "../Row/Url.ts"
import { type Data, keyOf, type Row } from "../Row.ts"
import type { DiffPart, PageDiff, PageVersion } from "../Web/Dashboard/RunProtocol.ts"
import * as Outputs from "./Outputs.ts"
import * as RunView from "./RunView.ts"

/** Bytes of outputs that are looked through for one version of a page, characters of a content, and milliseconds of a comparison. */
const limits = { bytes: 128 * 1024 * 1024, text: 1_000_000, millis: 2_000, files: 20 }

/** Fields that may hold the content of a page, in the order in which it is taken from a document. */
const fields = ["markdown", "html", "rawHtml", "summary"] as const

interface Content {
  readonly of: string
  readonly text: string
}

const objectOf = (value: unknown): Data =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Data) : {}

const isAddress = /^https?:\S{1,8000}$/i

/** The row is about the page: one of its addresses is the page's. */
const isAbout = (row: Row, key: string): boolean => {
  if (keyOf(row) === key) return true
  const metadata = objectOf(row.data.metadata)
  return [...Object.values(row.data), metadata.sourceURL, metadata.url].some(
    (value) => typeof value === "string" && (value === key || (isAddress.test(value) && canonicalUrl(value) === key))
  )
}

/** Its very content, by the hash that the ledger has. */
const exactly = (row: Row, hash: string | undefined): Content | undefined => {
  if (hash === undefined) return undefined
  for (const of of fields) {
    const text = row.data[of]
    if (typeof text === "string" && sha256(text) === hash) return { of, text }
  }
  return undefined
}

const roughly = (row: Row): Content => {
  const of = fields.find((name) => typeof row.data[name] === "string")
  return of === undefined
    ? { of: "row", text: JSON.stringify(row.data, undefined, 2) }
    : { of, text: String(row.data[of]) }
}

const findContent = (version: PageVersion) =>
  Effect.gen(function* () {
    const ledger = yield* Ledger
    const run = yield* ledger.find(version.run)
    const outputs = run === undefined ? [] : RunView.outputsOf(run)
    if (run === undefined || outputs.length === 0) return { why: `run ${version.run} has left no output` }
    const whys: Array<string> = []
    const room = { left: limits.bytes }
    for (const output of outputs.slice(0, limits.files)) {
      const found = yield* Outputs.rowsOf(output, run, room)
      if ("why" in found) {
        whys.push(`${output.path}: ${found.why}`)
        continue
      }
      const content = yield* Effect.option(
        Stream.runHead(
          Stream.filterMap(found.rows, (row) =>
            isAbout(row, version.key) ? Option.some(exactly(row, version.hash) ?? roughly(row)) : Option.none()
          )
        )
      )
      const [text] = Option.toArray(Option.flatten(content))
      if (text !== undefined) return { content: text }
    }
    if (room.left <= 0) {
      return {
        why: `the first ${limits.bytes / 2 ** 20} MB of the outputs of run ${version.run} have no row with this address`
      }
    }
    return { why: whys[0] ?? `no output of run ${version.run} has a row with this address` }
  })

const linesOf = (text: string): ReadonlyArray<string> => (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n")

/** The contents of two versions, line by line. */
export const compare = (from: PageVersion, to: PageVersion) =>
  Effect.gen(function* () {
    const before = yield* findContent(from)
    const after = yield* findContent(to)
    const nothing = (why: string): Pick<PageDiff, "of" | "parts" | "why"> => ({ parts: null, why })
    if (!("content" in before)) return nothing(`The earlier content is not there: ${before.why}.`)
    if (!("content" in after)) return nothing(`The later content is not there: ${after.why}.`)
    const [a, b] = [before.content, after.content]
    if (a.of !== b.of) return nothing(`One run has kept ${a.of} of the page, the other one ${b.of}.`)
    if (a.text.length > limits.text || b.text.length > limits.text)
      return nothing("The page is too long to be compared.")
    const changes = diffLines(a.text, b.text, { timeout: limits.millis })
    if (changes === undefined) return nothing("The versions differ in too much to be compared.")
    const parts = changes.map(
      ({ added, removed, value }): DiffPart => ({
        kind: added ? "added" : removed ? "removed" : "same",
        lines: linesOf(value)
      })
    )
    return { parts, of: a.of } satisfies Pick<PageDiff, "of" | "parts" | "why">
  })
