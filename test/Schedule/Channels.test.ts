import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { createServer, type Socket } from "node:net"
import { join } from "node:path"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import * as TestClock from "effect/TestClock"
import type { Target } from "../../src/Pipeline/Schedule.ts"
import * as NotificationSender from "../../src/Schedule/NotificationSender.ts"
import { messageOf, subject } from "../../src/Schedule/NotificationText.ts"
import * as Store from "../../src/Schedule/Store.ts"
import { folderOf } from "../Cli/Project.ts"
import { describe, expect, it, scoped } from "../It.ts"
import { ledgerIn } from "../Ledger/Ledgers.ts"
import { skipsLong } from "../Long.ts"
import { receive } from "./Receiver.ts"

const page = (index: number, diff = "A day costs [-5-]{+7+} euros.") => ({
  at: 0,
  change: "changed",
  key: `https://example.com/${index}?a=1&b=<2>`,
  summary: `“5” became “7” in a paragraph under “Prices ${index}”.`,
  diff
})

const changed = (count: number, diff?: string) =>
  JSON.stringify({
    event: "changed",
    pipeline: "prices",
    runId: "r1",
    scheduledTime: "1970-01-01T00:00:00.000Z",
    changes: Array.from({ length: count }, (_, index) => page(index, diff)),
    changesTotal: count
  })

/** A ledger whose outbox gets a notification for each body. */
const outboxOf = Effect.gen(function* () {
  const folder = yield* folderOf()
  const schedules = Store.of(yield* ledgerIn(folder))
  let scheduledTime = 0
  const add = (body: string) =>
    Effect.scoped(
      Effect.flatMap(schedules.acquireLease, (holder) =>
        holder.claim([
          {
            pipeline: "prices",
            scheduledTime: scheduledTime++,
            due: 0,
            cause: "schedule",
            status: "failed",
            overlap: "skip",
            notices: [{ event: "changed", target: 0, body }]
          }
        ])
      )
    )
  const sendTo = (target: Partial<Target>, more: Partial<NotificationSender.Options> = {}) =>
    NotificationSender.flush(
      {
        outbox: schedules.notifications,
        notifyOf: () => Effect.succeed([{ on: ["changed"], ...target } as Target]),
        ...more
      },
      "1 hour"
    )
  const list = schedules.notifications.list({ limit: 100 })
  return { folder, add, sendTo, list }
})

/** A mail server that takes every message, except for receivers that begin with `no`. */
const mailServer = Effect.gen(function* () {
  const messages: Array<{ readonly from: string; readonly to: ReadonlyArray<string>; readonly text: string }> = []
  const logins: Array<string> = []
  const talk = (socket: Socket) => {
    let [rest, from, data] = ["", "", ""]
    let to: Array<string> = []
    let isData = false
    const say = (line: string) => socket.write(`${line}\r\n`)
    const hear = (line: string) => {
      if (isData) {
        if (line !== ".") {
          data += `${line}\n`
          return
        }
        messages.push({ from, to, text: data })
        ;[isData, data, to] = [false, "", []]
        return say("250 taken")
      }
      if (/^EHLO/i.test(line)) return socket.write("250-here\r\n250 AUTH PLAIN\r\n")
      if (/^AUTH PLAIN/i.test(line)) {
        const given = Buffer.from(line.slice(11), "base64").toString()
        logins.push(given)
        return say(given.endsWith("\0swordfish") ? "235 welcome" : "535 swordfish is wrong")
      }
      if (/^MAIL FROM/i.test(line)) from = line
      if (/^RCPT TO:<no/i.test(line)) return say("550 no such user")
      if (/^RCPT TO/i.test(line)) to.push(line.slice(8))
      if (/^DATA/i.test(line)) isData = true
      return say(isData ? "354 go on" : /^QUIT/i.test(line) ? "221 bye" : "250 ok")
    }
    say("220 here")
    socket.on("error", () => undefined)
    socket.on("data", (bytes) => {
      const lines = (rest + bytes.toString()).split("\r\n")
      rest = lines.pop() ?? ""
      for (const line of lines) hear(line)
    })
  }
  const server = yield* Effect.acquireRelease(
    Effect.async<ReturnType<typeof createServer>>((resume) => {
      const made = createServer(talk).listen(0, "127.0.0.1", () => resume(Effect.succeed(made)))
    }),
    (made) => Effect.sync(() => made.close())
  )
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  const at = (password: string, from?: string) => ({
    url: Redacted.make(`smtp://ops%40example.com:${password}@127.0.0.1:${port}`),
    from
  })
  return { messages, logins, at }
})

const decoded = (text: string) =>
  text
    .replace(/=\n/g, "")
    .replace(/(?:=[0-9A-F]{2})+/g, (hex) => Buffer.from(hex.replaceAll("=", ""), "hex").toString())

describe("a notification by e-mail", () => {
  scoped(
    "goes once to all receivers, with the sentence as its subject, the diff and a stable Message-ID",
    function* () {
      const { at, messages } = yield* mailServer
      const { add, list, sendTo } = yield* outboxOf
      yield* add(changed(1))
      const to = { email: ["ann@example.com", "no@example.com", "ben@example.com"] } as const
      yield* sendTo(to, { mailServer: at("swordfish") })
      yield* sendTo(to, { mailServer: at("swordfish") })
      const [notice] = yield* list
      expect(messages).toHaveLength(1)
      const [message] = messages
      expect(message?.from).toContain("<ops@example.com>")
      expect(message?.to).toEqual(["<ann@example.com>", "<ben@example.com>"])
      const text = decoded(message?.text ?? "")
      expect(text).toContain("A day costs [-5-]{+7+} euros.")
      expect(text).toContain('<del style="color:#a40000">5</del><ins style="color:#006400">7</ins>')
      expect(text).toContain(`Message-ID: <${notice?.id}@example.com>`)
      expect(text).toContain("https://example.com/0?a=1&amp;b=&lt;2&gt;")
      expect(/^Subject: .*(?:\n .*)*/m.exec(message?.text ?? "")?.[0]).toContain("=?UTF-8?")
      expect(notice?.sentAt).toBeDefined()
    }
  )

  scoped(
    "is retried when the server refuses it, and neither its password nor the server's words are kept",
    function* () {
      const said: Array<unknown> = []
      const logger = Logger.make(({ message }) => void said.push(message))
      const { at, logins, messages } = yield* mailServer
      const { add, folder, list, sendTo } = yield* outboxOf
      yield* add(changed(1))
      const to = { email: "ann@example.com" } as const
      yield* sendTo(to, { mailServer: at("wrong-swordfish") }).pipe(
        Effect.provide(Logger.replace(Logger.defaultLogger, logger))
      )
      expect(logins).toHaveLength(1)
      expect(yield* list).toMatchObject([{ error: "the mail server answered 535 (EAUTH)", sentAt: undefined }])
      const kept = ["ledger.db", "ledger.db-wal"].map((name) => readFileSync(`${folder}/${name}`).toString("latin1"))
      expect([...kept, JSON.stringify(said)].join()).not.toContain("swordfish")
      yield* sendTo(to)
      yield* TestClock.adjust("30 seconds")
      yield* sendTo(to)
      expect(yield* list).toMatchObject([{ attempts: 2, error: "SLUICE_SMTP_URL is not set" }])
      yield* TestClock.adjust("2 minutes")
      yield* sendTo(to, { mailServer: at("swordfish", "Watcher <watch@example.com>") })
      expect(messages[0]?.text).toContain("From: Watcher <watch@example.com>")
    }
  )
})

describe("a notification to Slack", () => {
  scoped(
    "keeps to its limits of 50 blocks and 3,000 characters, and escapes what Slack would read as markup",
    function* () {
      const { received, url } = yield* receive(() => ({ status: 200 }))
      const { add, sendTo } = yield* outboxOf
      yield* add(changed(1))
      yield* add(changed(60, `<!channel> ${"&".repeat(4000)}`))
      yield* sendTo({ slack: Redacted.make(`${url}/services/T/B/X`) })
      // They are sent at the same time.
      const [small, large] = received
        .map(({ body }) => JSON.parse(body))
        .sort((a, b) => a.blocks.length - b.blocks.length)
      expect(small.text).toBe("prices: “5” became “7” in a paragraph under “Prices 0”.")
      expect(small.blocks.map((block: { text: { text: string } }) => block.text.text)).toEqual([
        "*prices: “5” became “7” in a paragraph under “Prices 0”.*",
        "https://example.com/0?a=1&amp;b=&lt;2&gt;\n“5” became “7” in a paragraph under “Prices 0”.",
        "```A day costs [-5-]{+7+} euros.```"
      ])
      expect(large.blocks).toHaveLength(50)
      for (const { text } of large.blocks) expect(text.text.length).toBeLessThanOrEqual(3000)
      expect(JSON.stringify(large)).not.toContain("<!channel>")
      expect(JSON.stringify(large)).not.toMatch(/&(?!amp;|lt;|gt;)/)
    }
  )
})

describe("a changed row in a message", () => {
  const said = (change: object) => {
    const body = JSON.stringify({ event: "changed", changes: [change], changesTotal: 1 })
    return subject(messageOf([{ id: "1", pipeline: "shop", event: "changed", body }]))
  }

  it("has its values from before and now, and one that is new or gone its own", () => {
    const [before, after] = [
      { price: 19.99, unit: "kg" },
      { price: 17.5, unit: "kg" }
    ]
    expect(said({ change: "changed", key: "K-1", before, after })).toBe("shop: K-1 has changed (price: 19.99 → 17.5).")
    expect(said({ change: "new", key: "K-4", after: { price: 4 } })).toBe("shop: K-4 is new (price: 4).")
    expect(said({ change: "gone", key: "K-3", before: { price: 3.5 } })).toBe("shop: K-3 is gone (price: 3.5).")
    expect(said({ change: "changed", key: "K-1" })).toBe("shop: K-1 has changed.")
  })
})

describe("a notification by a command", () => {
  const script = (folder: string, text: string) => {
    mkdirSync(folder, { recursive: true })
    const file = join(folder, "hook.mjs")
    writeFileSync(file, text)
    return [process.execPath, file, "$(touch never) ; a b"] as const
  }

  scoped("has its words as they are, the JSON on its standard input, and none of Sluice's secrets", function* () {
    const { add, folder, list, sendTo } = yield* outboxOf
    const out = join(folder, "out.json")
    const command = script(
      folder,
      `import { readFileSync, writeFileSync } from "node:fs"
         const input = JSON.parse(readFileSync(0, "utf8"))
         writeFileSync(${JSON.stringify(out)}, JSON.stringify({ input, words: process.argv.slice(2), key: process.env.SLUICE_API_KEY ?? null }))`
    )
    yield* add(changed(2))
    process.env.SLUICE_API_KEY = "swordfish"
    yield* sendTo({ command }, { allowCode: true }).pipe(
      Effect.ensuring(Effect.sync(() => delete process.env.SLUICE_API_KEY))
    )
    const [notice] = yield* list
    expect(JSON.parse(readFileSync(out, "utf8"))).toEqual({
      input: { id: notice?.id, ...JSON.parse(changed(2)) },
      words: ["$(touch never) ; a b"],
      key: null
    })
    expect(notice?.sentAt).toBeDefined()
  })

  scoped("fails with its exit code, when it does not exist, and without --allow-code", function* () {
    const { add, folder, list, sendTo } = yield* outboxOf
    const error = Effect.map(list, ([notice]) => notice?.error)
    yield* add(changed(1))
    yield* sendTo({ command: script(folder, "process.exit(3)") }, { allowCode: true })
    expect(yield* error).toBe("the command ended with 3")
    yield* TestClock.adjust("30 seconds")
    yield* sendTo({ command: [join(folder, "nothing")] }, { allowCode: true })
    expect(yield* error).toBe("the command could not be started: ENOENT")
    yield* TestClock.adjust("2 minutes")
    yield* sendTo({ command: script(folder, "") })
    expect(yield* error).toBe("commands need --allow-code")
  })
})

describe("a target", () => {
  scoped("gets what happens in quiet hours at their end, in its time zone", function* () {
    const { received, url } = yield* receive()
    const { add, list, sendTo } = yield* outboxOf
    // 22:30 in Berlin, where it is summer.
    yield* TestClock.setTime(Date.parse("2026-07-01T20:30:00Z"))
    yield* add(changed(1))
    const quiet = { from: "22:00", to: "07:00", timezone: "Europe/Berlin" } as const
    const to = { webhook: Redacted.make(url), quiet }
    yield* sendTo(to)
    yield* TestClock.setTime(Date.parse("2026-07-02T04:59:59Z"))
    yield* sendTo(to)
    expect(received).toEqual([])
    expect(yield* list).toMatchObject([{ attempts: 0 }])
    yield* TestClock.setTime(Date.parse("2026-07-02T05:00:00Z"))
    yield* sendTo(to)
    expect(received).toHaveLength(1)
    yield* add(changed(1))
    yield* sendTo(to)
    expect(received).toHaveLength(2)
  })

  scoped("that has the place of another one since gets none of its messages", function* () {
    const { received, url } = yield* receive()
    const { add, list, sendTo } = yield* outboxOf
    yield* add(changed(1))
    yield* sendTo({ webhook: Redacted.make(url), on: ["failed"] })
    expect(received).toEqual([])
    expect(yield* list).toMatchObject([{ error: "the definition no longer has this notify target" }])
  })

  scoped("with a digest that cannot be delivered still gets the events after its interval", function* () {
    const { received, url } = yield* receive((index) => ({ status: index === 0 ? 500 : 204 }))
    const { add, list, sendTo } = yield* outboxOf
    const to = { webhook: Redacted.make(url), digest: Duration.hours(1) }
    yield* add(changed(1))
    yield* TestClock.adjust("90 minutes")
    yield* add(changed(2))
    yield* sendTo(to, { waits: [] })
    expect((yield* list).map(({ gaveUpAt }) => gaveUpAt !== undefined).toSorted()).toEqual([false, true])
    yield* TestClock.adjust("1 hour")
    yield* sendTo(to, { waits: [] })
    expect(received.map(({ body }) => JSON.parse(body).event)).toEqual(["digest", "changed"])
  })

  scoped.skipIf(skipsLong)(
    "with a digest gets one message for all events of the interval, and a repetition has the same id",
    function* () {
      const { received, url } = yield* receive((index) => ({ status: index === 0 ? 500 : 204 }))
      const { add, list, sendTo } = yield* outboxOf
      const to = { webhook: Redacted.make(url), digest: Duration.hours(1) }
      for (let minute = 0; minute < 3; minute++) {
        yield* add(changed(minute + 1))
        yield* sendTo(to)
        yield* TestClock.adjust("10 minutes")
      }
      yield* TestClock.adjust("29 minutes")
      yield* sendTo(to)
      expect(received).toEqual([])
      yield* TestClock.adjust("1 minute")
      yield* sendTo(to)
      yield* TestClock.adjust("1 minute")
      yield* sendTo(to)
      yield* TestClock.adjust("1 day")
      yield* sendTo(to)
      expect(received).toHaveLength(2)
      const [first, second] = received.map(({ body }) => JSON.parse(body))
      expect(second).toEqual(first)
      expect(second).toMatchObject({ event: "digest", pipeline: "prices" })
      expect(second.notices.map(({ changesTotal }: { changesTotal: number }) => changesTotal)).toEqual([1, 2, 3])
      expect((yield* list).map(({ sentAt }) => sentAt !== undefined)).toEqual([true, true, true])
    }
  )
})
