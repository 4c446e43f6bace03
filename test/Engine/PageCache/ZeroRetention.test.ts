/** Zero data retention: a request leaves nothing in the store, in other files, or in the log. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as PageCache from "../../../src/Engine/PageCache/PageCache.ts"
import * as Parser from "../../../src/Engine/Parse/Parser.ts"
import * as HostTrust from "../../../src/Engine/Scrape/Recrawl/HostTrust.ts"
import { Scraper, layer as scraperLayer } from "../../../src/Engine/Scrape/Scraper.ts"
import { Sql } from "../../../src/Engine/Store/Sql.ts"
import * as Store from "../../../src/Engine/Store/Store.ts"
import { describe, expect, it } from "../../It.ts"
import * as Local from "../../Local.ts"
import { skipsLong } from "../../Long.ts"
import { alone } from "../Alone.ts"
import * as Installed from "../Render/Installed.ts"
import { fetchLayer, options } from "../Scrape/Site.ts"

const word = "q7sentinelq7"

/** Contents of a file; empty for other entries and for files that a browser has just deleted. */
const read = (path: string): Buffer => {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFile() === true ? readFileSync(path) : Buffer.alloc(0)
  } catch {
    return Buffer.alloc(0)
  }
}

/** Files with the word in their contents (UTF-8 or UTF-16) or name. */
const traces = (folder: string): ReadonlyArray<string> =>
  !existsSync(folder)
    ? []
    : readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => {
        const path = join(folder, name)
        if (name.includes(word)) return true
        const bytes = read(path)
        return bytes.includes(word) || bytes.includes(Buffer.from(word, "utf16le"))
      })

/** Row count of each table, since compressed values cannot be searched for the word. */
const countRows = (folder: string) =>
  Effect.gen(function* () {
    const sql = yield* Sql
    const tables = yield* sql<{ name: string }>`SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name`
    const counts = yield* Effect.forEach(tables, ({ name }) =>
      Effect.map(sql.unsafe<{ n: number }>(`SELECT count(*) AS n FROM "${name}"`), (rows) => [name, rows[0]?.n])
    )
    const { job_owners: _, usage_ledger: booked, ...rest } = Object.fromEntries(counts)
    return { booked, rest }
  }).pipe(Effect.provide(Store.layer(folder)), Effect.provide(NodeContext.layer))

/** Uncompressed, so that the word can be found. */
const pdf = (text: string): string => {
  const content = `BT /F1 24 Tf 72 700 Td (${text}) Tj ET`
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
  ]
  const body = objects.map((object, at) => `${at + 1} 0 obj\n${object}\nendobj\n`).join("")
  return `%PDF-1.4\n${body}trailer << /Root 1 0 R /Size 6 >>\n%%EOF`
}

const marsh = Local.site((path) => {
  const html = Local.page(`Herons ${word}`, [`/${word}`], `They wait for ${word}.`)
  switch (path.split("?")[0]) {
    case "/page":
      return html
    case "/packed":
      return { headers: { "content-encoding": "gzip" }, body: gzipSync(html) }
    case "/text":
      return { headers: { "content-type": "text/plain" }, body: `Text ${word}` }
    case "/report":
      return { headers: { "content-type": "application/pdf" }, body: pdf(`Report ${word}`) }
    case "/broken.docx":
      return { headers: { "content-type": "application/octet-stream" }, body: `PK\x03\x04 ${word}` }
    case "/error":
      return { status: 500, body: html }
    case "/picture":
      return { headers: { "content-type": "image/png" }, body: `\x89PNG ${word}` }
    default:
      return undefined
  }
})

const paths = ["/page", "/packed", "/text", "/report", "/broken.docx", "/error", "/picture", `/${word}`]

describe("a scrape with zero data retention", () => {
  it.scoped.skipIf(skipsLong)(
    "leaves nothing of the page on disk or in the log, while the engine runs and afterwards",
    function* () {
      const site = yield* marsh
      const dataDir = yield* Local.tempDir
      const temp = yield* Local.temporaryFolder
      const log: Array<string> = []
      const logger = Logger.replace(
        Logger.defaultLogger,
        Logger.map(Logger.stringLogger, (line) => void log.push(line))
      )
      yield* Effect.scoped(Local.engine({ dataDir }))
      const fresh = yield* countRows(dataDir)

      const statuses = yield* Effect.gen(function* () {
        const { baseUrl } = yield* Local.engine({ dataDir })
        const call = Local.caller(baseUrl, Local.keys.first)
        const replies = yield* Effect.forEach(paths, (path) =>
          call.post(
            "/v2/scrape",
            {
              url: `${site.url}${path}?${word}`,
              formats: ["markdown", "html", "rawHtml", "links", "summary"],
              zeroDataRetention: true,
              maxAge: 60_000
            },
            { "x-idempotency-key": `once ${path.length}` }
          )
        )
        expect(replies[0]?.json.data.markdown).toContain(word)
        expect(replies[3]?.json.data.markdown).toContain(`Report ${word}`)
        expect([...traces(dataDir), ...traces(temp)]).toEqual([])
        return replies.map(({ status }) => status)
      }).pipe(Effect.scoped, Effect.provide(logger))

      expect(statuses).toEqual([200, 200, 200, 200, 422, 200, 415, 200])
      expect([...traces(dataDir), ...traces(temp)]).toEqual([])
      expect(log.filter((line) => line.includes(word))).toEqual([])
      const { booked, rest } = yield* countRows(dataDir)
      expect(rest).toEqual(fresh.rest)
      expect(booked).toBe(statuses.filter((status) => status === 200).length)
      expect(existsSync(join(dataDir, "copies"))).toBe(false)
    },
    180_000
  )

  it.scoped(
    "differs from one with retention, whose traces this test finds",
    function* () {
      const site = yield* marsh
      const dataDir = yield* Local.tempDir
      const before = yield* Effect.gen(function* () {
        const { baseUrl } = yield* Local.engine({ dataDir })
        const call = Local.caller(baseUrl, Local.keys.first)
        yield* call.post("/v2/scrape", { url: `${site.url}/page`, formats: ["markdown", "changeTracking"] })
        return traces(dataDir)
      }).pipe(Effect.scoped)
      expect(before).toContain("engine.db-wal")
      expect(traces(dataDir).some((name) => name.startsWith("copies/"))).toBe(true)
      const { rest } = yield* countRows(dataDir)
      expect(rest).toMatchObject({ copies: 1, copy_files: 1, page_versions: 1 })
    },
    180_000
  )

  it.scoped.skipIf(Installed.isMissing)(
    "leaves nothing of a rendered page in the browser's folder either",
    () =>
      Effect.gen(function* () {
        const site = yield* marsh
        const dataDir = yield* Local.tempDir
        const temp = yield* Local.temporaryFolder
        yield* Effect.gen(function* () {
          const scraper = yield* Scraper
          const page = yield* scraper.scrape({
            url: `${site.url}/page?${word}`,
            options: options({ waitFor: 1, zeroDataRetention: true }),
            teamId: "team"
          })
          expect(page.document.markdown).toContain(word)
          expect(readdirSync(temp)).not.toEqual([])
          expect([...traces(dataDir), ...traces(temp)]).toEqual([])
        }).pipe(
          Effect.provide(
            scraperLayer.pipe(
              Layer.provide([PageCache.layer(dataDir), HostTrust.layer, Installed.layer]),
              Layer.provide(Store.layer(dataDir)),
              Layer.provide([fetchLayer, Parser.layer, NodeContext.layer]),
              Layer.provide(alone)
            )
          )
        )
        expect([...traces(dataDir), ...traces(temp)]).toEqual([])
      }).pipe(Effect.withClock(Clock.make())),
    180_000
  )
})
