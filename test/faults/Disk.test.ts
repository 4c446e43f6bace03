/** Disks that are full, folders that refuse, and a ledger that is too new. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { expect, layer } from "../It.ts"
import * as Ground from "./Ground.ts"
import { scene, told, until } from "./Ground.ts"
import { launch, sluice } from "./Sluice.ts"
import { change, usageOf } from "./Store.ts"

/** Rows of a file into another file: nothing is asked of anybody. */
const copying = `version: 1
name: copying
steps:
  - read: rows.jsonl
  - select: { number: number, text: text }
  - write: { jsonl: copy.jsonl, order: input }
`

const lines = (count: number): string =>
  Array.from({ length: count }, (_, number) => `${JSON.stringify({ number, text: "x".repeat(200) })}\n`).join("")

/** Small answers and large rows, three in a second: the output outgrows the ledger after some commits. */
const growing = (url: string) => `version: 1
name: growing
steps:
  - urls: [${Array.from({ length: 12 }, (_, index) => `${url}/${index}`).join(", ")}]
  - scrape: { formats: [markdown] }
    rate: 3/s
  - select: { url: metadata.sourceURL, text: '$pad("", 500000, "x")' }
  - write: { jsonl: rows.jsonl, order: input }
`

const scraping = (url: string) => `version: 1
name: pages
steps:
  - urls: [${Array.from({ length: 12 }, (_, index) => `${url}/${index}`).join(", ")}]
  - scrape: { formats: [markdown] }
  - select: { url: metadata.sourceURL }
  - write: { jsonl: pages.jsonl, order: input }
`

layer(Ground.layer, { excludeTestServices: true })("a run whose disk", (it) => {
  it.scoped("is full in the middle says what is safe, and goes on when there is space", function* () {
    const site = yield* Ground.heldSite({})
    const { names, read, resume, run } = yield* scene(growing(site.url))
    // Files of at most ten rows, in blocks of 512 bytes.
    const full = yield* sluice({ ...run(), limit: "ulimit -f 10000" })
    expect(full).toMatchObject({ code: 1 })
    expect(full.err).toMatch(/p\.yaml:8:5 {2}write: Writing .*rows\.jsonl failed: the file would be larger/)
    expect(told(full)).toMatchObject({ status: "failed", resumable: true })
    expect(read("rows.jsonl")).toBeUndefined()
    const ended = yield* sluice(resume(told(full).runId))
    expect(ended).toMatchObject({ code: 0 })
    expect(told(ended)).toMatchObject({ rows: 12, credits: 12 })
    const found = (read("rows.jsonl") ?? "").trimEnd().split("\n")
    expect(found.map((line) => JSON.parse(line).url)).toEqual(found.map((_, index) => `${site.url}/${index}`))
    expect(found).toHaveLength(12)
    expect(names()).toEqual(["rows.jsonl"])
    expect(site.asked()).toBe(12)
  })

  it.scoped("is full before anything was worth keeping has nothing left lying on it", function* () {
    const { folder, names, run } = yield* scene(copying)
    writeFileSync(`${folder}/rows.jsonl`, lines(10_000))
    const full = yield* sluice({ ...run(), limit: "ulimit -f 2048" })
    expect(full).toMatchObject({ code: 1 })
    expect(full.err).toMatch(/p\.yaml:6:5 {2}write: Writing .*copy\.jsonl failed: the file would be larger/)
    if (told(full).resumable) expect(full.err).toContain(`sluice resume ${told(full).runId}`)
    else expect(names()).toEqual([])
  })

  it.scoped("is full never has the row to blame that was asked for", function* () {
    const { names, run } = yield* scene(`version: 1
name: each
steps:
  - urls: [${Array.from({ length: 12 }, (_, index) => `http://127.0.0.1:9/${index}`).join(", ")}]
  - each: true
    urls: [http://127.0.0.1:9/]
  - select: { text: '$pad("", 500000, "x")' }
  - write: { jsonl: rows.jsonl }
`)
    const full = yield* sluice({ ...run(), limit: "ulimit -f 6000" })
    expect(full).toMatchObject({ code: 1 })
    expect(full.err).toMatch(/p\.yaml:8:5 {2}write: .*rows\.jsonl/)
    expect(told(full)).toMatchObject({ status: "failed", rejects: 0 })
    expect(names().filter((name) => name === "rows.jsonl")).toEqual([])
  })

  it.scoped("has no space for the ledger pays for nothing twice", function* () {
    const { service } = yield* Ground.Ground
    const site = yield* Ground.heldSite({})
    const { read, resume, run } = yield* scene(scraping(site.url))
    const before = yield* usageOf(service.dataDir)
    // The ledger's log comes to more than its first answers.
    const full = yield* sluice({ ...run(), limit: "ulimit -f 832" })
    expect(full).toMatchObject({ code: 1 })
    expect(full.err).toContain("ledger.db failed while")
    const ended = yield* sluice(resume(told(full).runId))
    expect(ended).toMatchObject({ code: 0 })
    expect(read("pages.jsonl")?.split("\n").length).toBe(13)
    const after = yield* usageOf(service.dataDir)
    expect((after["scrape credits"] ?? 0) - (before["scrape credits"] ?? 0)).toBe(12)
    expect(told(ended)).toMatchObject({ rows: 12, credits: 12 })
  })

  it.scoped("takes no files asks for nothing and says so", function* () {
    const site = yield* Ground.heldSite({})
    const { file, run } = yield* scene(scraping(site.url))
    const { words, ...rest } = run()
    for (const out of ["/proc/sluice", file]) {
      const refused = yield* sluice({ ...rest, words: [...words, "--out", out] })
      expect(refused).toMatchObject({ code: 1 })
      expect(refused.err).toContain(out)
      expect(told(refused)).toMatchObject({ status: "failed", resumable: false })
    }
    expect(site.asked()).toBe(0)
  })

  it.scoped(
    "has a folder where an output should be publishes when that is gone, without doing anything again",
    function* () {
      const site = yield* Ground.heldSite({ from: 11 })
      const { out, names, read, resume, run } = yield* scene(scraping(site.url))
      const first = yield* launch(run())
      yield* site.wasAsked(12)
      mkdirSync(`${out}/pages.jsonl`)
      writeFileSync(`${out}/pages.jsonl/mine`, "")
      site.letGo()
      yield* until(() => first.child.exitCode !== null)
      const refused = yield* first.ended
      expect(refused).toMatchObject({ code: 1 })
      expect(refused.err).toContain(`${out}/pages.jsonl`)
      const id = told(refused).runId
      expect(refused.err).toContain(`sluice resume ${id}`)
      rmSync(`${out}/pages.jsonl`, { recursive: true })
      const asked = site.asked()
      const ended = yield* sluice(resume(id))
      expect(ended).toMatchObject({ code: 0 })
      expect(told(ended)).toMatchObject({ status: "completed", rows: 12, credits: 12 })
      expect(read("pages.jsonl")?.trimEnd().split("\n")).toHaveLength(12)
      expect(names()).toEqual(["pages.jsonl"])
      expect(site.asked()).toBe(asked)
    }
  )

  it.scoped("has a ledger of a newer version leaves it alone, and says what to do", function* () {
    const { data, folder, run } = yield* scene(copying)
    writeFileSync(`${folder}/rows.jsonl`, lines(3))
    expect(yield* sluice(run())).toMatchObject({ code: 0 })
    yield* change(
      `${data}/ledger.db`,
      "INSERT INTO migrations (part, version, name, applied_at) VALUES ('ledger', 99, 'of tomorrow', 0)"
    )
    const refused = yield* sluice(run())
    expect(refused).toMatchObject({ code: 1 })
    expect(refused.err).toMatch(/ledger\.db.*version 99.*newer version of sluice wrote them\. Update the program/)
  })
})
