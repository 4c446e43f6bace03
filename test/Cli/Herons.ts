/** A crawl of a changing site of 16 pages, in a project of its own, and what its runs find. */
import { expect } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { serve } from "./ChangingSite.ts"
import { sluice } from "./Console.ts"
import { folderOf, readText } from "./Project.ts"

export const env = { SLUICE_ALLOW_NETWORKS: "127.0.0.0/8" }
export const count = 16

const definition = (url: string, revisit: string) => `version: 1
name: herons
schedule: { cron: "0 3 * * *", timezone: UTC }
steps:
  - crawl: { url: "${url}", ${revisit}scrapeOptions: { formats: [markdown], onlyMainContent: false } }
  - where: metadata.statusCode = 200
  - dedupe: { across: runs, changedWhen: $sha256(markdown), emit: [new, changed, gone], key: metadata.sourceURL }
  - select: { page: "metadata.sourceURL ? metadata.sourceURL : $key", change: change }
  - write: { jsonl: herons.jsonl }
`

export const project = (revisit = "") =>
  Effect.gen(function* () {
    const site = yield* serve(count)
    const root = yield* folderOf({ "herons.yaml": definition(site.url, revisit) })
    const places = ["--data", `${root}/data`, "--out", `${root}/out`]
    const act = (...words: ReadonlyArray<string>) => sluice([...words, "--data", `${root}/data`], { env })
    const run = (...words: ReadonlyArray<string>) =>
      Effect.map(
        sluice([...(words.length === 0 ? ["run"] : words), `${root}/herons.yaml`, ...places], { env }),
        (ended) => {
          expect(ended.code, ended.err).toBe(0)
          return ended
        }
      )
    /** Changes by kind, in the order of their paths. */
    const changes = Effect.map(readText(`${root}/out/herons.jsonl`), (text) => {
      const rows = text === "" ? [] : text.trimEnd().split("\n")
      return rows
        .map((row) => JSON.parse(row) as { readonly page: string; readonly change: string })
        .map(({ change, page }) => `${change} ${page.slice(site.url.length)}`)
        .toSorted()
    })
    const pages = Effect.map(act("show", "--pages"), ({ out }) =>
      out
        .trimEnd()
        .split("\n")
        .map(
          (line) => JSON.parse(line) as { readonly key: string; readonly unchanged?: string; readonly check?: string }
        )
        .map((page) => ({ ...page, path: new URL(page.key).pathname }))
    )
    return { act, changes, pages, places, root, run, site }
  })
