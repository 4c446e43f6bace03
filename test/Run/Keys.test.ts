/** `$key` of a row: the same in a run that goes through, that is resumed, and whose rejects are replayed. */

import { rmSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Stream from "effect/Stream"
import { rowOf } from "../../src/Cli/Run/OpenRejects.ts"
import type { Row } from "../../src/Row.ts"
import { scrape } from "../../src/Step/Scrape.ts"
import type { Asked, Reply } from "../Client/Server.ts"
import { skipsLong } from "../Long.ts"
import { type Options, project, rowsIn } from "../Project.ts"

const names = ["a", "b"]
const addressOf = (name: string) => `http://x.example/${name}`
const links = names.map((name) => `${JSON.stringify({ link: addressOf(name) })}\n`).join("")

/** Steps before `scrape`, the expression for its address, and the files of the project. */
interface Source {
  readonly steps: string
  readonly url: string
  readonly files?: Readonly<Record<string, string>>
  /** True when the rows have keys of their own; others get the address of their page. */
  readonly hasKeys?: boolean
}

const sources: Readonly<Record<string, Source>> = {
  "read, with another field for the address": {
    steps: "  - read: rows.jsonl\n",
    url: "link",
    files: { "rows.jsonl": links }
  },
  "read, with a field url that is another address": {
    steps: "  - read: rows.jsonl\n",
    url: "link",
    files: {
      "rows.jsonl": names
        .map((name) => `${JSON.stringify({ url: `http://y.example/${name}`, link: addressOf(name) })}\n`)
        .join("")
    }
  },
  "read and select": {
    steps: "  - read: rows.jsonl\n  - select: { page: link }\n",
    url: "page",
    files: { "rows.jsonl": links }
  },
  "read and join": {
    steps: "  - read: rows.jsonl\n  - join: { file: more.jsonl, on: link, fields: [n] }\n",
    url: "link",
    files: { "rows.jsonl": links, "more.jsonl": `{"link":"${addressOf("a")}","n":1}\n` }
  },
  explode: {
    hasKeys: true,
    steps: "  - read: rows.jsonl\n  - explode: { list: links, as: link }\n",
    url: "link",
    files: { "rows.jsonl": `${JSON.stringify({ links: names.map(addressOf) })}\n` }
  },
  urls: { steps: `  - urls: [${names.map((name) => `"${addressOf(name)}#top"`).join(", ")}]\n`, url: "url" },
  search: { steps: "  - search: { query: herons }\n", url: "url" },
  files: {
    hasKeys: true,
    steps: '  - files: { glob: "in-*.txt" }\n',
    url: `"http://x.example/" & $substringBefore($substringAfter($source.name, 'in-'), '.')`,
    files: Object.fromEntries(names.map((name) => [`in-${name}.txt`, name]))
  },
  "read, sort and sample": {
    steps: "  - read: rows.jsonl\n  - sort: { by: link }\n  - sample: { rows: 10 }\n",
    url: "link",
    files: { "rows.jsonl": links }
  }
}

/** Answers the first page; what the others get is up to the test. */
const answering =
  (others: () => Reply | undefined) =>
  ({ body, path }: Asked): Reply => {
    if (path.endsWith("/search")) {
      return { body: { success: true, data: { web: names.map((name) => ({ url: addressOf(name), title: name })) } } }
    }
    const { url }: { readonly url: string } = JSON.parse(body)
    const page = { markdown: "# page", metadata: { sourceURL: url, statusCode: 200, creditsUsed: 1 } }
    const instead = url.startsWith(addressOf("a")) ? undefined : others()
    return instead ?? { body: { success: true, data: page } }
  }

const projectOf = (steps: string, files: Readonly<Record<string, string>>) =>
  Effect.gen(function* () {
    let others: () => Reply | undefined = () => undefined
    const here = yield* project({ files, repeats: 0, sharesLedger: true, service: answering(() => others()) })
    return {
      ...here,
      run: (answer: () => Reply | undefined, options: Options = {}) => {
        others = answer
        return here.run(steps, options)
      },
      resume: (id: string) => {
        others = () => undefined
        return here.resume(id, steps)
      },
      /** The key of each page, by its address. */
      keys: () => Object.fromEntries(rowsIn(`${here.folder}/keys.jsonl`).map(({ key, page }) => [page, key]))
    }
  })

describe("the key of a row", () => {
  for (const [name, { files = {}, hasKeys = false, steps, url }] of Object.entries(sources)) {
    it.live.skipIf(skipsLong)(`is the same in plain, resumed and replayed runs: ${name}`, () =>
      Effect.gen(function* () {
        const whole = `${steps}  - scrape: { url: { expr: ${JSON.stringify(url)} }, formats: [markdown] }
    concurrency: 1
    retry: { times: 0 }
  - select: { page: metadata.sourceURL, key: $key }
  - write: { jsonl: keys.jsonl }\n`
        const here = yield* projectOf(whole, files)
        expect(Either.isRight((yield* here.run(() => undefined)).outcome)).toBe(true)
        const keys = here.keys()
        expect(Object.keys(keys).length).toBe(names.length)
        if (!hasKeys) expect(Object.values(keys).toSorted()).toEqual(names.map(addressOf))

        const first = yield* here.run(() => ({ status: 401, body: { success: false, error: "Unauthorized" } }))
        expect(Either.isLeft(first.outcome)).toBe(true)
        rmSync(`${here.folder}/keys.jsonl`)
        const second = yield* here.resume(first.runId)
        expect(Either.isRight(second.outcome)).toBe(true)
        expect(here.keys()).toEqual(keys)

        const cut = yield* here.run(() => ({ status: 400, body: { success: false, error: "no such page" } }))
        expect(Either.isRight(cut.outcome)).toBe(true)
        const rejects = Chunk.toReadonlyArray(
          yield* Stream.runCollect(here.ledger.history.rejects(cut.runId, { which: "open" }))
        )
        expect(rejects.length).toBe(1)
        const rows = new Map<string, ReadonlyArray<Row>>([["scrape", rejects.map((each) => rowOf(each, scrape))]])
        const numbers = rejects.map(({ number }) => number)
        const again = yield* here.run(() => undefined, { replay: { of: cut.runId, rows, numbers } })
        expect(Either.isRight(again.outcome)).toBe(true)
        expect(here.keys()).toEqual(keys)
      }).pipe(Effect.scoped)
    )
  }
})
