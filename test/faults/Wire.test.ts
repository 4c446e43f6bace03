/** A run that dies between the moment when the service has booked an answer and the moment when it has it. */
import { mkdirSync, writeFileSync } from "node:fs"
import { expect, layer } from "../It.ts"
import { page } from "../Local.ts"
import * as Ground from "./Ground.ts"
import { scene, told } from "./Ground.ts"
import { type Launch, launch, type Running, sluice } from "./Sluice.ts"
import { newestRun, usageOf } from "./Store.ts"
import { wire } from "./Wire.ts"

const count = 12

const list = (url: string) => `[${Array.from({ length: count }, (_, index) => `${url}/${index}`).join(", ")}]`

/** Cases: a definition, the response on which the run dies, and the expected result all the same. */
const cases = [
  {
    name: "a page",
    path: /\/scrape$/,
    steps: (url: string) => `
  - urls: ${list(url)}
  - scrape: { formats: [markdown] }
    concurrency: 3
  - select: { name: metadata.sourceURL }`,
    usage: { "scrape credits": count, "scrape calls": count }
  },
  {
    name: "a file",
    path: /\/parse$/,
    steps: () => `
  - files: { glob: "inbox/*" }
  - parse: { formats: [markdown] }
    concurrency: 3
  - select: { name: $source.name }`,
    usage: { "parse credits": count, "parse calls": count }
  },
  {
    // The pages are scraped backwards, and come forwards when they are given again: the job is the same.
    name: "the start of a job",
    path: /\/batch\/scrape$/,
    steps: (url: string) => `
  - urls: ${list(url)}
  - scrape: { formats: [markdown] }
    concurrency: ${count}
  - batchScrape: { url: { expr: metadata.sourceURL }, formats: [markdown] }
  - select: { name: metadata.sourceURL }`,
    usage: { "scrape credits": count, "scrape calls": count, "batchPage credits": count, jobs: 1 }
  }
] as const

layer(Ground.layer, { excludeTestServices: true })("a run that is killed", (it) => {
  for (const { name, path, steps, usage } of cases) {
    it.scoped(`when ${name} is paid for and its answer is on the way pays once and has it once`, function* () {
      const { service } = yield* Ground.Ground
      const site = yield* Ground.heldSite({ delay: (index) => 400 - index * 30 })
      const { data, folder, read, resume, run } = yield* scene(
        `version: 1\nname: wire\nsteps:${steps(site.url)}\n  - write: { jsonl: names.jsonl }\n`
      )
      mkdirSync(`${folder}/inbox`)
      for (let index = 0; index < count; index++) {
        writeFileSync(`${folder}/inbox/${index}.html`, page(`File ${index}`))
      }
      const victim: { running?: Running | undefined; answers: number } = { answers: 0 }
      const { baseUrl } = yield* wire(service.env.SLUICE_BASE_URL ?? "", (method, url) => {
        if (method !== "POST" || !path.test(url) || victim.running === undefined) return false
        // Of single answers the second one, so that something has been done before.
        if (name !== "the start of a job" && ++victim.answers < 2) return false
        victim.running.child.kill("SIGKILL")
        victim.running = undefined
        return true
      })
      const through = (launched: Launch): Launch => ({
        ...launched,
        env: { ...launched.env, SLUICE_BASE_URL: baseUrl }
      })
      const before = yield* usageOf(service.dataDir)
      victim.running = yield* launch(through(run()))
      expect(yield* victim.running.ended).toMatchObject({ code: undefined })
      const id = (yield* newestRun(data))?.id ?? ""
      const ended = yield* sluice(through(resume(id)))
      expect(ended).toMatchObject({ code: 0 })
      expect(told(ended)).toMatchObject({ rows: count, rejects: 0 })
      const names = (read("names.jsonl") ?? "").trimEnd().split("\n")
      expect(new Set(names).size).toBe(count)
      const after = yield* usageOf(service.dataDir)
      for (const [what, paid] of Object.entries(usage)) expect((after[what] ?? 0) - (before[what] ?? 0)).toBe(paid)
    })
  }
})
