/** Watches, feeds and notifications about changes over a ledger in Postgres. */
import * as Effect from "effect/Effect"
import { serve } from "../Engine/Scrape/Site.ts"
import { expect, live } from "../It.ts"
import { skipsLong } from "../Long.ts"
import * as Server from "../Postgres.ts"
import { receive } from "../Schedule/Receiver.ts"
import { describeWithPostgres } from "../WithPostgres.ts"
import { sluice } from "./Console.ts"
import { folderOf, readText } from "./Project.ts"

describeWithPostgres("over Postgres", () => {
  live.skipIf(skipsLong)(
    "a watch reports and sends each change once, and a feed gives only entries that no run has given",
    function* () {
      const site = { price: 5, entries: [1, 2] }
      const url = yield* serve((request, response) => {
        const isFeed = request.url === "/feed"
        const items = site.entries.map((entry) => `<item><guid>${entry}</guid><title>Entry ${entry}</title></item>`)
        response
          .writeHead(200, { "content-type": isFeed ? "application/rss+xml" : "text/html" })
          .end(
            isFeed
              ? `<rss version="2.0"><channel>${items.join("")}</channel></rss>`
              : `<main><h1>Harbour</h1><p>A day costs ${site.price} euros for everyone who comes by boat.</p><p>Dogs are welcome all year round.</p></main>`
          )
      })
      const receiver = yield* receive()
      const folder = yield* folderOf({
        "news.yaml": `version: 1
name: news
steps:
  - feed: { url: "${url}/feed" }
  - dedupe: { across: runs, emit: [new] }
  - select: { title: title }
  - write: { jsonl: "{runId}.jsonl" }
`
      })
      const env = { SLUICE_ALLOW_NETWORKS: "127.0.0.0/8", SLUICE_DATABASE_URL: yield* Server.place }
      const call = (...words: ReadonlyArray<string>) =>
        sluice([...words, "--data", `${folder}/data`], { env, cwd: folder })
      const watch = call("watch", `${url}/harbour`, "--once", "--notify", receiver.url)
      const first = yield* watch
      expect(first, first.err).toMatchObject({ code: 0, out: "" })
      site.price = 7
      expect((yield* watch).out).toContain("“5” became “7”")
      expect(yield* watch).toMatchObject({ code: 0, out: "" })
      expect(receiver.received.map(({ body }) => JSON.parse(body))).toMatchObject([
        { event: "changed", changesTotal: 1 }
      ])

      const rows = Effect.gen(function* () {
        const { code, err, out } = yield* call("run", `${folder}/news.yaml`, "--out", folder, "--json")
        expect(code, err).toBe(0)
        const [file] = /[\w-]+\.jsonl/.exec(out) ?? []
        return file === undefined ? "" : yield* readText(`${folder}/${file}`)
      })
      expect(yield* rows).toBe('{"title":"Entry 1"}\n{"title":"Entry 2"}\n')
      site.entries = [3, 2]
      expect(yield* rows).toBe('{"title":"Entry 3"}\n')
    },
    240_000
  )
})
