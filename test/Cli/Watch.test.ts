import { readFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import * as Until from "../../src/Cli/Watch/Until.ts"
import { main } from "../../src/Cli.ts"
import { fakeModel } from "../Engine/Model/FakeModel.ts"
import { serve } from "../Engine/Scrape/Site.ts"
import { describe, expect, it, scoped } from "../It.ts"
import { skipsLong } from "../Long.ts"
import { receive } from "../Schedule/Receiver.ts"
import { makeTerminal, sluice } from "./Console.ts"
import { folderOf } from "./Project.ts"

const page = (visits: number, price: number) =>
  `<html><body><main><h1>Harbour</h1><p>Opened ${visits * 7} times this week by people from all over.</p>
   <h2>Prices</h2><p>A day costs ${price} euros for everyone who comes by boat.</p></main></body></html>`

/** A site whose answers the test sets, and `sluice watch` in a folder of its own. */
const setUp = Effect.gen(function* () {
  const site = { price: 5, status: 200, visits: 0, requests: 0, failsFrom: Number.POSITIVE_INFINITY }
  const url = yield* serve((_, response) => {
    if (++site.requests >= site.failsFrom) site.status = 503
    response
      .writeHead(site.status, { "content-type": "text/html" })
      .end(site.status === 200 ? page(++site.visits, site.price) : "no")
  })
  const folder = yield* folderOf()
  const env = { SLUICE_ALLOW_NETWORKS: "127.0.0.0/8" }
  const watch = (...words: ReadonlyArray<string>) =>
    sluice(["watch", ...words, "--data", `${folder}/data`], { env, cwd: folder })
  return { site, address: `${url}/harbour`, folder, watch }
})

describe("sluice watch", () => {
  scoped.skipIf(skipsLong)(
    "visits twice at first, then says each change once, sends it, and names a page that cannot be read once",
    function* () {
      const { address, site, watch } = yield* setUp
      const { received, url } = yield* receive()
      const once = (...words: ReadonlyArray<string>) => watch(address, "--once", "--notify", url, ...words)
      const first = yield* once("--show-ignored")
      expect(first).toMatchObject({ code: 0, out: "" })
      expect(first.err).toContain("first visit: 1 page")
      expect(first.err).toContain("“opened … times this week by people from all over”")
      expect(site.visits).toBe(2)
      site.price = 7
      const second = yield* once("--until", "changed", "--until", "1h")
      expect(second.code).toBe(0)
      expect(second.out).toContain(`${address}\n  “5” became “7” in a paragraph under “Prices”.\n`)
      expect(second.out).toContain("    A day costs [-5-]{+7+} euros for everyone who comes by boat.\n")
      expect(second.err).toContain("the watch is over: it has changed")
      const third = yield* once("--json")
      expect(third).toMatchObject({ code: 0, out: "" })
      expect(third.err).toContain("nothing has changed")
      expect(received.map(({ body }) => JSON.parse(body))).toMatchObject([
        {
          event: "changed",
          changesTotal: 1,
          changes: [{ key: address, change: "changed", summary: "“5” became “7” in a paragraph under “Prices”." }]
        }
      ])
      site.status = 503
      const down = yield* once()
      expect(down.code).toBe(1)
      expect(down.err.match(/answered 503/g)).toHaveLength(1)
      expect((yield* once()).err).not.toContain("503")
      site.status = 200
      const up = yield* once()
      expect(up).toMatchObject({ code: 0, out: "" })
      expect(up.err).toContain(`${address} can be read again`)
    }
  )

  scoped.skipIf(skipsLong)(
    "asks the model whether a change matters to a goal, and says without a model what is missing",
    function* () {
      const { address, folder, site } = yield* setUp
      const { asked, url } = yield* fakeModel(({ body }) => {
        const matters = body.messages.at(-1)?.content.includes("[-5-]{+4+}") === true
        return JSON.stringify({ matters, reason: "seen" })
      })
      const model = { SLUICE_LLM_URL: url, SLUICE_LLM_MODEL: "small", SLUICE_LLM_KEY: "swordfish" }
      const watch = (env: object) =>
        sluice(["watch", address, "--once", "--goal", "a day became cheaper", "--data", `${folder}/data`], {
          env: { SLUICE_ALLOW_NETWORKS: "127.0.0.0/8", ...env },
          cwd: folder
        })
      const none = yield* watch({})
      expect(none.code).not.toBe(0)
      expect(none.err).toContain("a `goal` for changes needs a language model")
      expect(site.requests).toBe(0)
      expect((yield* watch(model)).code).toBe(0)
      expect(asked).toHaveLength(0)
      site.price = 4
      expect((yield* watch(model)).out).toContain("“5” became “4” in a paragraph under “Prices”.")
      site.price = 9
      const dearer = yield* watch(model)
      expect([dearer.code, dearer.out]).toEqual([0, ""])
      expect(dearer.err).toContain("nothing that matters has changed")
      expect(asked).toHaveLength(2)
      const question = asked[0]?.body.messages.at(-1)?.content ?? ""
      expect(question).toContain("a day became cheaper")
      expect(question).toContain("A day costs [-5-]{+4+} euros")
    }
  )

  scoped.skipIf(skipsLong)(
    "prints a change at the next start if stdout has not taken it, and then no more",
    function* () {
      const { address, folder, site, watch } = yield* setUp
      expect((yield* watch(address, "--once")).code).toBe(0)
      site.price = 7
      const { terminal, written } = makeTerminal({ env: { SLUICE_ALLOW_NETWORKS: "127.0.0.0/8" }, cwd: folder })
      const pipe = (_: Uint8Array, done: (error?: Error | null) => void) => done(new Error("write EPIPE"))
      const closed = { ...terminal, out: { ...terminal.out, pipe } }
      const words = ["watch", address, "--once", "--data", `${folder}/data`]
      const code = yield* Effect.promise(() => main(words, closed, new AbortController().signal))
      expect([code, written.err]).toEqual([1, expect.stringContaining("changes could not be printed: write EPIPE")])
      const late = yield* watch(address, "--once", "--until", "changed")
      expect(late.out).toContain("“5” became “7” in a paragraph under “Prices”.")
      expect(late.err).toContain("the watch is over: it has changed")
      expect(yield* watch(address, "--once")).toMatchObject({ code: 0, out: "" })
    }
  )

  scoped.skipIf(skipsLong)(
    "says that a page is not there at first, and that a page of which hardly anything is left may have changed",
    function* () {
      const { address, site, watch } = yield* setUp
      const missing = yield* watch(`${address}/typo`, "--once")
      expect(missing.err).not.toContain("answered")
      site.status = 404
      const wrong = yield* watch(`${address}/other`, "--once")
      expect(wrong).toMatchObject({ code: 0, out: "" })
      expect(wrong.err).toContain(`${address}/other: the site answered 404, so check the address`)
      const doubtful = yield* watch(`${address}/typo`, "--once")
      expect(doubtful).toMatchObject({ code: 0, out: "" })
      expect(doubtful.err).toContain(`${address}/typo: the page has lost almost all of its content`)
      expect(doubtful.err).not.toContain("nothing has changed")
      const certain = yield* watch(`${address}/typo`, "--once")
      expect(certain.out).toContain(`${address}/typo\n`)
      expect(certain.out).toContain("{+no+}")
    }
  )

  scoped.skipIf(skipsLong)("says that a page can be read again only if it was read", function* () {
    const site = { links: ["a", "b"], broken: "none" }
    const url = yield* serve(({ url = "" }, response) => {
      const links = site.links.map((link) => `<p><a href="/docs/${link}">Chapter ${link} of the manual</a></p>`)
      const isBroken = url === `/docs/${site.broken}`
      response
        .writeHead(isBroken ? 503 : 200, { "content-type": "text/html" })
        .end(
          `<main><h1>Manual</h1><p>All about boats and ${url}, for everyone who has one.</p>${links.join("")}</main>`
        )
    })
    const folder = yield* folderOf()
    const env = { SLUICE_ALLOW_NETWORKS: "127.0.0.0/8" }
    const words = ["watch", `${url}/docs/`, "--section", "--every", "1m", "--until", "without:Manual"]
    const stop = new AbortController()
    const once = sluice([...words, "--once", "--data", `${folder}/data`], { env, cwd: folder, stop: stop.signal })
    yield* once
    site.broken = "b"
    expect((yield* once).err).toContain("/docs/b")
    // Nothing leads to the page: it was not read.
    site.links = ["a"]
    site.broken = "none"
    expect((yield* once).err).not.toContain("can be read again")
    site.links = ["a", "b"]
    site.broken = "b"
    yield* once
    site.broken = "none"
    expect((yield* once).err).toContain("/docs/b can be read again")
  })

  scoped("ends when a text is found, and with an error when the time is over before", function* () {
    const { address, watch } = yield* setUp
    const found = yield* watch(address, "--until", "costs 5  EUROS")
    expect(found.code).toBe(0)
    expect(found.err).toContain('the watch is over: "costs 5  EUROS" was found')
  })

  scoped(
    "stops on Ctrl-C between two visits, says how it goes on, and asks a failing site once a minute at most",
    function* () {
      const { address, folder, site } = yield* setUp
      site.failsFrom = 2
      const stop = new AbortController()
      const running = yield* Effect.fork(
        sluice(["watch", address, "--data", `${folder}/data`], {
          env: { SLUICE_ALLOW_NETWORKS: "127.0.0.0/8" },
          cwd: folder,
          stop: stop.signal
        })
      )
      yield* Effect.promise(async () => {
        while (site.requests < 2) await new Promise((resolve) => setTimeout(resolve, 50))
      })
      yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 500)))
      stop.abort("SIGINT")
      const ended = yield* running.await
      const said = ended._tag === "Success" ? ended.value.err : ""
      expect(said).toContain("stopped; the same command continues")
      expect(said.match(/next visit in \d+ s\n/g)).toHaveLength(1)
      expect(said).not.toContain("learned from two visits")
      expect(site.requests).toBe(2)
    }
  )

  scoped("writes the pipeline that it is, with addresses as secrets, and never over a file", function* () {
    const { folder, watch } = yield* setUp
    const words = [
      "https://example.com/docs/",
      "--section",
      "--every=12h",
      "--notify=https://hooks.slack.com/services/T/B/swordfish",
      "--notify=ann@example.com",
      "--notify=command:./changed.sh",
      "--quiet-hours=22:00-07:00",
      "--digest=1d",
      `--write=${folder}/docs.yaml`
    ]
    const { code, err, out } = yield* watch(...words)
    expect({ code, out }).toEqual({ code: 0, out: "" })
    expect(err).toContain("reads the address of --notify from the environment: set WATCH_NOTIFY_1")
    const text = readFileSync(`${folder}/docs.yaml`, "utf8")
    expect(text).not.toContain("swordfish")
    expect(text).toContain("cron: 0 */12 * * *")
    for (const part of [
      'slack: "${{ secrets.WATCH_NOTIFY_1 }}"',
      "email: ann@example.com",
      "command: [./changed.sh]",
      "digest: 1d",
      "emit: [new, changed, gone]"
    ]) {
      expect(text).toContain(part)
    }
    expect(yield* watch(...words)).toMatchObject({ code: 1, err: expect.stringContaining("Name a new file") })
    const two = yield* watch("https://a.example/x/", "https://b.example/y/", "--section", "--write", "-")
    expect(two).toMatchObject({ code: 0, out: expect.stringContaining("each: true") })
    const checked = yield* sluice(["check", `${folder}/docs.yaml`], { env: {}, cwd: folder })
    expect(`${checked.out}${checked.err}`).toContain("WATCH_NOTIFY_1")
  })

  scoped("refuses what does not go together, and names no address in an error", function* () {
    const { watch } = yield* setUp
    const cases: ReadonlyArray<readonly [words: ReadonlyArray<string>, said: string]> = [
      [[], "name a URL to watch, or give --search WORDS"],
      [["example.com"], "is not an http(s) address"],
      [["https://example.com/", "--search", "x"], "--search takes the place of URLs"],
      [["https://example.com/", "--every", "20s"], "--every takes at least 1m"],
      [["https://example.com/", "--every", "7h", "--write", "-"], "a schedule in a file has no interval of 7h"],
      [["https://example.com/", "--notify", "swordfish"], "target 1 is none of them"],
      [["https://example.com/", "--notify", "me@example.com"], "SLUICE_SMTP_URL"],
      [
        ["https://example.com/", "--notify", "command:send --token swordfish", "--write", "-"],
        "put the command into a script and name that, like command:./notify.sh"
      ],
      [["https://example.com/", "--select", "p[["], '--select: "p[[" is not a CSS selector'],
      [["https://example.com/", "--always", "("], '--always: "(" is not a regular expression'],
      [["https://example.com/", "--ignore", "a", "--ignore", "*"], '--ignore: "*" is not a regular expression'],
      [["https://example.com/", "--digest", "1d"], "--digest and --quiet-hours are for --notify"],
      [["https://example.com/", "--until", "2020-01-01"], "is in the past"],
      [["--search", "x", "--goal", "y"], "--goal is for pages"],
      [["https://example.com/", "--goal-limit", "2"], "--goal-limit is for --goal"],
      [["--search", "x", "--until", "text:a"], "--until TEXT is for pages"]
    ]
    for (const [words, said] of cases) {
      const { code, err } = yield* watch(...words)
      expect(err).toContain(said)
      expect(err).not.toContain("swordfish")
      expect(code).toBe(2)
    }
  })
})

describe("--until", () => {
  const now = Date.parse("2026-03-01T12:00:00Z")

  scoped("takes changed, times and texts", function* () {
    const read = (word: string) => Until.conditionOf(word, now)
    expect(yield* read("changed")).toEqual({ kind: "changed" })
    expect(yield* read("2h")).toEqual({ kind: "time", at: now + 7_200_000 })
    expect(yield* read("2026-03-02T00:00Z")).toEqual({ kind: "time", at: now + 43_200_000 })
    expect(yield* read("In stock")).toEqual({ kind: "text", text: "In stock" })
    expect(yield* read("text:2h")).toEqual({ kind: "text", text: "2h" })
    expect(yield* read("without:Sold out")).toEqual({ kind: "without", text: "Sold out" })
    const clock = yield* read("18:30")
    expect(clock.kind === "time" && new Date(clock.at).getMinutes()).toBe(30)
    expect(clock.kind === "time" && clock.at > now && clock.at <= now + 86_400_000).toBe(true)
  })

  it("holds for texts without regard to case and spaces, and for a missing text only if a page was read", () => {
    const sold = [{ kind: "without", text: "Sold out" }] as const
    expect(Until.fulfilled(sold, 0, [])).toBeUndefined()
    expect(Until.fulfilled(sold, 0, ["Now SOLD\n out", "Buy"])).toBeUndefined()
    expect(Until.fulfilled(sold, 0, ["Buy"])).toBe('"Sold out" is no longer there')
    // What a page has beyond the part that is compared is not known.
    expect(Until.fulfilled(sold, 0, ["Buy"], false)).toBeUndefined()
    expect(Until.fulfilled([{ kind: "text", text: "in  Stock" }], 0, ["", "10 in stock"])).toBeDefined()
    expect(Until.fulfilled([{ kind: "changed" }], 0, ["x"])).toBeUndefined()
  })
})
