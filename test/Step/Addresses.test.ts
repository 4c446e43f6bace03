import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Connection from "../../src/Client/Connection.ts"
import * as Client from "../../src/Client.ts"
import { describe, expect, scoped } from "../It.ts"
import { runSteps } from "./Flow.ts"

/** A service that answers every search with the same hits, and counts what else it is asked for. */
const service = Effect.gen(function* () {
  const asked: Array<string> = []
  const hits = [
    "https://a.example/",
    "ftp://b.example/",
    "javascript:alert(1)",
    "/relative",
    "",
    "https://c.example/x y"
  ]
  const server = createServer((request, response) => {
    asked.push(request.url ?? "")
    response.setHeader("content-type", "application/json")
    const web = hits.map((url, at) => ({ url, title: `hit ${at}`, description: "" }))
    response.end(JSON.stringify({ success: true, data: { web }, creditsUsed: 1, id: "x" }))
  })
  yield* Effect.acquireRelease(
    Effect.async<void>((done) => void server.listen(0, "127.0.0.1", () => done(Effect.void))),
    () => Effect.sync(() => void server.close())
  )
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { asked, layer: Layer.provide(Client.layer, Connection.layer({ baseUrl })) }
})

const urls = (rows: ReadonlyArray<Record<string, unknown>>) => rows.map(({ url }) => url)

describe("a value that is not a web address", () => {
  scoped("is rejected with its line in a file of addresses, without a call", function* () {
    const { asked, layer } = yield* service
    const lines = [
      "\ufeffhttps://a.example/",
      "# a comment",
      "",
      "ftp://b.example/file",
      "javascript:alert(1)",
      "../relative",
      "b.example",
      "http://exa mple.com/",
      "  https://c.example/  ",
      "http://"
    ]
    const { rejects, rows } = yield* Effect.provide(
      runSteps("  - urls: { file: list.txt }", {}, { "list.txt": lines.join("\r\n") }),
      layer
    )
    expect(urls(rows)).toEqual(["https://a.example/", "https://c.example/"])
    expect(rejects.map(({ error, row, step }) => [step, error, (row as { line: number }).line])).toEqual(
      [4, 5, 6, 7, 8, 10].map((line) => ["urls", "NotWebAddress", line])
    )
    expect(rejects[0]).toMatchObject({
      message: 'list.txt, line 4, is not a web address: expected http:// or https://, got "ftp://b.example/file"',
      row: { url: "ftp://b.example/file", file: "list.txt" }
    })
    expect(asked).toEqual([])
  })

  scoped("is rejected in the results of a search", function* () {
    const { asked, layer } = yield* service
    const { rejects, rows } = yield* Effect.provide(runSteps("  - search: { query: q }\n  - scrape: {}"), layer)
    expect(urls(rows).length).toBeLessThanOrEqual(2)
    const own = rejects.filter(({ step }) => step === "search")
    expect(own.map(({ error, row }) => [error, (row as { url: string }).url])).toEqual([
      ["NotWebAddress", "ftp://b.example/"],
      ["NotWebAddress", "javascript:alert(1)"],
      ["NotWebAddress", "/relative"],
      ["NotWebAddress", ""]
    ])
    expect(own[0]?.message).toBe(
      'hit 2 of web is not a web address: expected http:// or https://, got "ftp://b.example/"'
    )
    expect(asked.filter((path) => path.includes("search")).length).toBe(1)
    expect(asked.filter((path) => path.includes("scrape")).length).toBe(2)
  })
})
