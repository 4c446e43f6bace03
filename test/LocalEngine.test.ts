import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { Client, Connection, Crawl, Engine, Scrape } from "../src/index.ts"
import { ClientClosed, createClient, NetworkError, UnsupportedFile } from "../src/promise.ts"
import { describe, expect, it, live } from "./It.ts"
import { page, site, tempDir } from "./Local.ts"
import { skipsLong } from "./Long.ts"
import { program } from "./Programs.ts"

const allowNetworks = ["127.0.0.0/8"]

/** A site of four pages. */
const pages = site((path) =>
  path === "/"
    ? page("Home", ["/a", "/b", "/c"])
    : /^\/[abc]$/.test(path)
      ? page(`Page ${path}`)
      : path === "/large"
        ? page("Large", [], `${"water ".repeat(40)}. `.repeat(8_000))
        : undefined
)

const servers = () => process.getActiveResourcesInfo().filter((name) => name === "TCPServerWrap").length

/** A client with an engine of its own, for as long as the scope is open. */
const embedded = (options: Parameters<typeof createClient>[0] = {}) =>
  Effect.flatMap(tempDir, (dataDir) =>
    Effect.acquireRelease(
      Effect.sync(() => createClient({ ...options, engine: { dataDir, allowNetworks, ...options.engine } })),
      (client) => Effect.promise(() => client.close())
    )
  )

describe("createClient without a base URL", () => {
  live.skipIf(skipsLong)(
    "answers calls and streams jobs in the process, without a port and without a key",
    function* () {
      const { url } = yield* pages
      const folder = yield* tempDir
      writeFileSync(`${folder}/note.html`, "<title>Note</title><p>How a sluice opens.")
      const before = servers()
      const client = yield* embedded()
      yield* Effect.promise(async () => {
        const scraped = await client.scrape({ url: `${url}/a`, formats: ["markdown"] })
        expect(scraped.data.metadata?.title).toBe("Page /a")
        // Many chunks of the connection.
        const large = await client.scrape({ url: `${url}/large`, formats: ["markdown"] })
        expect(large.data.markdown?.length).toBeGreaterThan(1_500_000)
        const parsed = await client.parse({ file: `${folder}/note.html` }, { formats: ["markdown"] })
        expect(parsed.data.markdown).toContain("How a sluice opens.")
        const { id } = await client.crawl.start({ url, limit: 4 })
        const titles: Array<unknown> = []
        for await (const { metadata } of client.crawl.stream(id)) titles.push(metadata?.title)
        expect(titles.sort()).toEqual(["Home", "Page /a", "Page /b", "Page /c"])
        await expect(client.parse({ file: `${folder}/note.unknown` })).rejects.toBeInstanceOf(UnsupportedFile)
      })
      expect(servers()).toBe(before)
    }
  )

  live("answers calls at the same time, each of its own", function* () {
    const { url } = yield* pages
    const client = yield* embedded()
    const paths = ["/a", "/b", "/c", "/a", "/b", "/c", "/a", "/b"]
    const all = yield* Effect.promise(() => Promise.all(paths.map((path) => client.scrape({ url: `${url}${path}` }))))
    expect(all.map(({ data }) => data.metadata?.title)).toEqual(paths.map((path) => `Page ${path}`))
  })

  live("stops the engine when it is closed: its store is free, and later calls are refused", function* () {
    const { url } = yield* pages
    const dataDir = yield* tempDir
    const client = createClient({ engine: { dataDir, allowNetworks } })
    yield* Effect.promise(async () => {
      await client.scrape({ url: `${url}/a` })
      await client.close()
      await expect(client.scrape({ url: `${url}/a` })).rejects.toThrow(ClientClosed)
      await expect(client.crawl.stream("x")[Symbol.asyncIterator]().next()).rejects.toThrow("The client is closed")
      const next = createClient({ engine: { dataDir, allowNetworks } })
      expect((await next.usage.historical()).periods[0]?.totalTokens).toBe(15)
      await next.close()
    })
  })

  live("ends a call with the reason of its signal, and a wrong option with its name", function* () {
    const { url } = yield* site(() => ({ delay: 60_000, body: "late" }))
    const client = yield* embedded()
    const control = new AbortController()
    const call = client.scrape({ url }, { signal: control.signal })
    setTimeout(() => control.abort(new Error("enough")), 50)
    yield* Effect.promise(() => expect(call).rejects.toThrow("enough"))
    const wrong = yield* embedded({ engine: { proxies: "none" } })
    yield* Effect.promise(() => expect(wrong.scrape({ url })).rejects.toMatchObject({ option: "proxies" }))
  })

  live("serves other programs where it is given a port", function* () {
    const { url } = yield* pages
    const key = `fc-${"e".repeat(32)}`
    const dataDir = yield* tempDir
    const { connection } = yield* Effect.provide(
      Engine.Engine,
      yield* Layer.build(Engine.layer({ dataDir, allowNetworks, port: 0, keys: Redacted.make(`own:${key}`) }))
    )
    const other = createClient({ baseUrl: connection.baseUrl, apiKey: key, retries: false })
    const { data } = yield* Effect.promise(() => other.scrape({ url: `${url}/b` }))
    expect(data.metadata?.title).toBe("Page /b")
    yield* Effect.promise(() => other.close())
  })
})

describe("Engine.layer", () => {
  live("gives an Effect program all services of the client, and refuses what comes after it", function* () {
    const { url } = yield* pages
    const dataDir = yield* tempDir
    const program = Effect.gen(function* () {
      const { data } = yield* (yield* Scrape).run({ url: `${url}/a`, formats: ["markdown"] })
      const crawl = yield* Crawl
      const { id } = yield* crawl.start({ url, limit: 2 })
      const count = yield* Stream.runCount(crawl.stream(id))
      return { title: data.metadata?.title, count, engine: yield* Engine.Engine }
    })
    const { count, engine, title } = yield* Effect.provide(program, Engine.layer({ dataDir, allowNetworks }))
    expect({ count, title }).toEqual({ count: 2, title: "Page /a" })
    const late = yield* Effect.flip(
      Effect.flatMap(Scrape, (scrape) => scrape.run({ url })).pipe(
        Effect.provide(Layer.provide(Client.layer, Connection.layer({ ...engine.connection, timeout: "5 seconds" })))
      )
    )
    expect(late).toBeInstanceOf(NetworkError)
  })

  it("is loaded by the first call: what `sluice/promise` and `sluice` import is small", () => {
    const folder = dirname(program("index"))
    /** Chunks that Node loads with a module; those of `import()` are not among them. */
    const loaded = (file: string, found = new Set<string>()): ReadonlySet<string> => {
      if (found.has(file) || !existsSync(`${folder}/${file}`)) return found
      found.add(file)
      for (const [, name = ""] of readFileSync(`${folder}/${file}`, "utf8").matchAll(
        /(?:from|import)\s*"\.\/([^"]+)"/g
      )) {
        loaded(name, found)
      }
      return found
    }
    // The doors themselves check the peer dependencies first, and import these then.
    for (const door of ["library-index.js", "promise.js"]) {
      const text = [...loaded(door)].map((file) => readFileSync(`${folder}/${file}`, "utf8")).join("")
      expect(text).toContain("sluice/LocalEngine")
      expect(text).not.toContain("sluice/Engine/Http/Listener")
    }
  })
})
