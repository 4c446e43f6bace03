/** Answers and files of some kilobytes that unpack to tens of megabytes: none of them becomes a page, or only one without its text. */
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from "node:zlib"
import * as Effect from "effect/Effect"
import fc from "fast-check"
import { sameCell } from "../Engine/Parse/Documents.ts"
import { caller, keys, page, site } from "../Local.ts"
import { type Delay, peakMemory, startEngine } from "./EngineProcess.ts"
import { beside } from "./Innocent.ts"

export interface BombsReport {
  readonly attempts: number
  readonly refused: number
  /** Milliseconds of the longest one-page batch of another team. */
  readonly wait: number
  readonly delay: Delay | undefined
  /** Megabytes that the engine held at most. */
  readonly memory: number
  readonly hasEnded: boolean
  readonly faults: ReadonlyArray<string>
}

const size = 45_000_000

/** Characters of a harmless answer: a sheet of which only the links are asked for has none of its text. */
const maxAnswer = 10_000

const fillings: ReadonlyArray<string> = ["\0", " ", "<b>", "<p>x</p>", "a,b\n", '{"a":1},', "<a href='/x'>x</a>\n"]

const brotli = (bytes: Buffer): Buffer => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })

const codings: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: (bytes) => gzipSync(bytes),
  br: (bytes) => brotli(bytes),
  deflate: (bytes) => deflateSync(bytes),
  "deflate, raw": (bytes) => deflateRawSync(bytes),
  "gzip, gzip": (bytes) => gzipSync(gzipSync(bytes)),
  "deflate, br": (bytes) => brotli(deflateSync(bytes)),
  "gzip, gzip, br": (bytes) => brotli(gzipSync(gzipSync(bytes)))
}

const types = ["text/html", "text/plain", "application/json", "application/xml", "text/csv", "application/pdf"]

const shot = fc.record({
  coding: fc.constantFrom(...Object.keys(codings)),
  filling: fc.nat(fillings.length - 1),
  type: fc.constantFrom(...types),
  /** Sent as a page, in a job, or as a spreadsheet that unfolds. */
  kind: fc.constantFrom("page", "page", "job", "sheet"),
  formats: fc.subarray(["markdown", "html", "rawHtml", "links"], { minLength: 1 })
})

export const attackWithBombs = ({ attempts, bin, seed }: { attempts: number; bin: string; seed: number }) =>
  Effect.gen(function* () {
    const engine = yield* startEngine(bin, {
      SLUICE_BROWSER_SESSIONS: "0",
      SLUICE_ENGINE_KEYS: `fuzz:${keys.first},others/stranger:${keys.stranger}`
    })
    const bombs = new Map<string, Buffer>()
    const bombOf = (coding: string, filling: number): Buffer => {
      const name = `${coding} ${filling}`
      const text = fillings[filling] ?? " "
      const known = bombs.get(name) ?? codings[coding]?.(Buffer.from(text.repeat(size / text.length)))
      if (known === undefined) throw new Error(coding)
      bombs.set(name, known)
      return known
    }
    const shots = fc.sample(shot, { numRuns: attempts, seed })
    // Before the attack: packing takes seconds in this process, which would count as a wait of the other team.
    for (const { coding, filling, kind } of shots) if (kind !== "sheet") bombOf(coding, filling)
    const sheet = sameCell("x".repeat(32_000), 2_200)
    const hostile = yield* site((path) => {
      const { coding, filling, kind, type } = shots[Number(path.split("/")[2])] ?? {}
      if (coding === undefined || filling === undefined || type === undefined) return undefined
      const sheetType = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
      if (kind === "sheet") return { headers: { "content-type": sheetType }, body: sheet }
      const headers = { "content-type": type, "content-encoding": coding.replace(", raw", "") }
      return { headers, body: bombOf(coding, filling) }
    })
    const honest = yield* site((path) => page(path))
    const call = caller(engine.baseUrl, keys.first)
    const faults: Array<string> = []
    let refused = 0

    const throughJob = (url: string) =>
      Effect.gen(function* () {
        const { json } = yield* call.post("/v2/batch/scrape", { urls: [url], maxAge: 0 })
        const path = `/v2/batch/scrape/${json.id}`
        yield* Effect.repeat(Effect.delay(call.get(path), "50 millis"), {
          until: ({ json: { status } }) => status !== "scraping"
        })
        return (yield* call.get(`${path}/errors`)).json.errors.length === 1
      })
    const one = ({ coding, filling, formats, kind, type }: (typeof shots)[number], n: number) =>
      Effect.gen(function* () {
        const url = `${hostile.url}/bomb/${n}`
        const isLean = kind === "sheet" && formats.join() === "links"
        const page = call.post("/v2/scrape", { url, formats, maxAge: 0 })
        const { isHarmless, isRefused } =
          kind === "job"
            ? { isHarmless: false, isRefused: yield* throughJob(url) }
            : yield* Effect.map(page, ({ json, status }) => ({
                isHarmless: isLean && JSON.stringify(json).length < maxAnswer,
                isRefused: status >= 400
              }))
        if (isRefused) refused += 1
        else if (!isHarmless)
          faults.push(`a bomb became a page: ${kind} ${coding} ${type} of ${JSON.stringify(fillings[filling])}`)
      })
    const attack = Effect.forEach(shots, one, { concurrency: 8, discard: true })
    const innocent = caller(engine.baseUrl, keys.stranger)
    const { faults: attackFaults, wait } = yield* beside(attack, innocent, (n) => `${honest.url}/${n}`)
    faults.push(...attackFaults, ...engine.faults())
    return {
      attempts,
      refused,
      wait,
      memory: peakMemory(engine),
      delay: yield* engine.delay,
      hasEnded: engine.hasEnded(),
      faults
    } satisfies BombsReport
  }).pipe(Effect.scoped)
