/** `$key` of a row: the same in a run that goes through, that is resumed, and whose rejects are replayed. */
import { readFileSync, writeFileSync } from "node:fs"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import { rowOf } from "../../src/Cli/Replay/Program.ts"
import * as Connection from "../../src/Client/Connection.ts"
import { isSafe, RetryPolicy } from "../../src/Client/Retry.ts"
import * as Client from "../../src/Client.ts"
import * as Sqlite from "../../src/Ledger.ts"
import { Ledger } from "../../src/Ledger.ts"
import { check } from "../../src/Pipeline/Check.ts"
import { parseText } from "../../src/Pipeline/Source.ts"
import type { Row } from "../../src/Row.ts"
import { optionsOf } from "../../src/Run/RunSpec.ts"
import * as Run from "../../src/Run.ts"
import { scrape } from "../../src/Step/Scrape.ts"
import { type Asked, type Reply, serve } from "../Client/Server.ts"
import { tempDir } from "../Local.ts"

const names = ["a", "b", "c"]
const addressOf = (name: string) => `http://x.example/${name}`
const links = names.map((name) => `${JSON.stringify({ link: addressOf(name) })}\n`).join("")

/** What stands in front of `scrape`, how it finds its address, and the files that are there. */
const sources: Readonly<
  Record<string, { readonly steps: string; readonly url: string; readonly files?: Readonly<Record<string, string>> }>
> = {
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
    steps: "  - read: rows.jsonl\n  - explode: { list: links, as: link }\n",
    url: "link",
    files: { "rows.jsonl": `${JSON.stringify({ links: names.map(addressOf) })}\n` }
  },
  urls: { steps: `  - urls: [${names.map((name) => `"${addressOf(name)}#top"`).join(", ")}]\n`, url: "url" },
  search: { steps: "  - search: { query: herons }\n", url: "url" },
  files: {
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

const project = (steps: string, files: Readonly<Record<string, string>>) =>
  Effect.gen(function* () {
    const folder = yield* tempDir
    for (const [name, text] of Object.entries(files)) writeFileSync(`${folder}/${name}`, text)
    let others: () => Reply | undefined = () => undefined
    const server = yield* serve((asked) => answering(() => others())(asked))
    const client = Layer.provide(
      Client.layer,
      Layer.provide(
        Layer.orDie(Connection.layer({ baseUrl: server.url })),
        Layer.succeed(RetryPolicy, { schedule: Schedule.recurs(0), when: isSafe })
      )
    )
    const scope = { env: {}, secrets: () => undefined }
    const text = `version: 1\nname: keys\nsteps:\n${steps}`
    const checked = yield* check(yield* parseText("p.yaml", folder, text), { ...scope, inputs: {}, complete: true })
    const here = Layer.mergeAll(client, Sqlite.layer(folder))
    return {
      run: (answer: () => Reply | undefined, options: Partial<Run.RunOptions> = {}) =>
        Effect.gen(function* () {
          others = answer
          const made = yield* Run.make(checked, { ...scope, out: folder, dataDir: folder, ...options })
          return { id: made.id, outcome: yield* Effect.either(made.execute) }
        }).pipe(Effect.provide(here)),
      record: (id: string) =>
        Effect.flatMap(Ledger, (ledger) => Effect.flatMap(ledger.find(id), Effect.fromNullable)).pipe(
          Effect.provide(here)
        ),
      rejects: (id: string) =>
        Effect.flatMap(Ledger, ({ history }) => Stream.runCollect(history.rejects(id, "open"))).pipe(
          Effect.map(Chunk.toReadonlyArray),
          Effect.provide(here)
        ),
      /** The key of each page, by its address. */
      keys: () =>
        Object.fromEntries(
          readFileSync(`${folder}/keys.jsonl`, "utf8")
            .trim()
            .split("\n")
            .map((line) => JSON.parse(line) as { readonly page: string; readonly key: string })
            .map(({ key, page }) => [page, key])
        )
    }
  })

describe("the key of a row", () => {
  for (const [name, { files = {}, steps, url }] of Object.entries(sources)) {
    it.live(`is one in plain, resumed and replayed runs: ${name}`, () =>
      Effect.gen(function* () {
        const whole = `${steps}  - scrape: { url: { expr: ${JSON.stringify(url)} }, formats: [markdown] }
    concurrency: 1
    retry: { times: 0 }
  - select: { page: metadata.sourceURL, key: $key }
  - write: { jsonl: keys.jsonl }\n`
        const plain = yield* project(whole, files)
        expect(Either.isRight((yield* plain.run(() => undefined)).outcome)).toBe(true)
        const keys = plain.keys()
        expect(Object.keys(keys).length).toBe(3)

        const resumed = yield* project(whole, files)
        const first = yield* resumed.run(() => ({ status: 401, body: { success: false, error: "Unauthorized" } }))
        expect(Either.isLeft(first.outcome)).toBe(true)
        const second = yield* resumed.run(() => undefined, optionsOf(yield* resumed.record(first.id)))
        expect(Either.isRight(second.outcome)).toBe(true)
        expect(resumed.keys()).toEqual(keys)

        const replayed = yield* project(whole, files)
        const cut = yield* replayed.run(() => ({ status: 400, body: { success: false, error: "no such page" } }))
        expect(Either.isRight(cut.outcome)).toBe(true)
        const rejects = yield* replayed.rejects(cut.id)
        expect(rejects.length).toBe(2)
        const rows = new Map<string, ReadonlyArray<Row>>([["scrape", rejects.map((each) => rowOf(each, scrape))]])
        const numbers = rejects.map(({ number }) => number)
        const again = yield* replayed.run(() => undefined, { replay: { of: cut.id, rows, numbers } })
        expect(Either.isRight(again.outcome)).toBe(true)
        expect(replayed.keys()).toEqual(keys)
      }).pipe(Effect.scoped, Effect.provide(NodeContext.layer), Effect.withClock(Clock.make()))
    )
  }
})
