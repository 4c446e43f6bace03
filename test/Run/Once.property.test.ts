import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Fiber from "effect/Fiber"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import * as TestClock from "effect/TestClock"
import * as TestContext from "effect/TestContext"
import { Ledger } from "../../src/Ledger.ts"
import * as Run from "../../src/Run.ts"
import { describe, expect, it, scoped } from "../It.ts"
import { skipsLong } from "../Long.ts"
import { clientAt, project, rowsIn } from "../Project.ts"
import { repetitions } from "../Repetitions.ts"
import { page } from "../Step/Odd.ts"
import { breath, mortal, until } from "./Lives.ts"

const isDead = (url: string): boolean => url.includes("dead")

/** The address of a row, of what it became, or of the row behind a reject. */
const urlOf = (row: unknown): string => {
  const { metadata, url } = row as { readonly url?: string; readonly metadata?: { readonly sourceURL?: string } }
  return String(metadata?.sourceURL ?? url)
}

/** A service that answers a page when the test says so; addresses with `dead` in them are refused. */
const service = Effect.acquireRelease(
  Effect.async<{
    readonly url: string
    readonly held: Array<{ readonly url: string; readonly answer: () => void }>
    readonly asked: Array<string>
    readonly close: () => void
  }>((resume) => {
    const held: Array<{ readonly url: string; readonly answer: () => void }> = []
    const asked: Array<string> = []
    const server = createServer((request, response) => {
      const chunks: Array<Buffer> = []
      request.on("data", (chunk: Buffer) => chunks.push(chunk))
      request.on("end", () => {
        const body = JSON.parse(Buffer.concat(chunks).toString())
        const url = String(body.url ?? body.query)
        asked.push(url)
        const data = body.query === undefined ? page(url, { creditsUsed: 1 }) : { web: [{ url }] }
        const reply = isDead(url) ? { success: false, error: "there is no such page" } : { success: true, data }
        const answer = () =>
          void response
            .writeHead(isDead(url) ? 422 : 200, { "content-type": "application/json" })
            .end(JSON.stringify(reply))
        const own = { url, answer }
        held.push(own)
        response.on("close", () => {
          if (held.includes(own)) held.splice(held.indexOf(own), 1)
        })
      })
    })
    const close = () => {
      server.closeAllConnections()
      server.close()
    }
    server.listen(0, "127.0.0.1", () =>
      resume(Effect.succeed({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, held, asked, close }))
    )
  }),
  ({ close }) => Effect.sync(close)
)

/** Next event: a page is answered, time for a commit passes, or the process is killed. */
type Happening = { readonly kind: "answer"; readonly which: number } | { readonly kind: "commit" | "kill" }

interface Case {
  /** Addresses in the order of the input. */
  readonly urls: ReadonlyArray<string>
  readonly step: "scrape" | "search"
  readonly order: "input" | "completion"
  readonly onError: "reject" | "keep" | "drop"
  readonly concurrency: number
  readonly happenings: ReadonlyArray<Happening>
}

const definition = ({ concurrency, onError, order, step, urls }: Case): string => `  - urls: ${JSON.stringify(urls)}
  - ${step === "scrape" ? "scrape: {}" : "search: { query: { expr: url }, limit: 1 }\n    each: true"}
    concurrency: ${concurrency}
    onError: ${onError}
    retry: { times: 0 }
  - write: { jsonl: rows.jsonl, order: ${order} }
`

/** Plays a case to its end: every life of the run but the last one is killed. */
const play = (given: Case) =>
  Effect.gen(function* () {
    const { asked, held, url } = yield* service
    const here = yield* project({ onTestClock: true, client: yield* clientAt(url) })
    const checked = yield* here.checked(definition(given))
    const waiting = [...given.happenings]
    const askedAgain: Array<string> = []
    const committed: Array<string> = []
    let id: string | undefined
    for (;;) {
      const { ledger, life } = mortal(here.ledger, ({ rejects }) => {
        for (const { row } of rejects) rejected.push(urlOf(row))
      })
      const rejected: Array<string> = []
      const askedBefore = asked.length
      const ended = yield* Effect.gen(function* () {
        // A run that was killed before the ledger had a record of it starts again.
        const isKnown = id !== undefined && (yield* here.ledger.find(id)) !== undefined
        const own = id === undefined || !isKnown ? {} : yield* Run.resuming(id, checked)
        const made = yield* Run.make(checked, {
          env: {},
          secrets: () => undefined,
          out: here.folder,
          dataDir: here.folder,
          ...own
        })
        id = made.id
        const fiber = yield* Effect.fork(made.execute)
        const isOver = () => fiber.unsafePoll() !== null
        let isKilled = false
        while (!isOver() && !isKilled) {
          const next = waiting.shift() ?? { kind: "answer", which: 0 }
          if (next.kind === "answer") {
            yield* until(() => held.length > 0 || isOver())
            // Those that are asked for at the same time arrive, too: which one is answered is for the case to say.
            yield* until(() => held.length >= given.concurrency || isOver(), 10)
            const [one] = held.splice(next.which % Math.max(1, held.length), 1)
            one?.answer()
            yield* breath
          } else if (next.kind === "commit") {
            const { commits } = life
            yield* until(() => held.length > 0 || isOver(), 20)
            for (let looks = 0; looks < 15 && life.commits === commits && !isOver(); looks++) {
              yield* Effect.zipRight(TestClock.adjust("1 second"), breath)
            }
          } else {
            isKilled = true
            life.isOver = true
            yield* Effect.zipRight(Fiber.interruptFork(fiber), TestClock.adjust("10 seconds"))
            yield* until(isOver)
          }
        }
        const exit = yield* Fiber.await(fiber)
        if (!isKilled || exit._tag === "Success") return yield* exit
        // The kill may have come when all was done.
        const record = yield* here.ledger.find(made.id)
        return record?.status === "completed" ? { ...(yield* made.summary), status: record.status } : undefined
      }).pipe(Effect.provideService(Ledger, ledger), Effect.provide(here.surroundings))
      for (const url of asked.slice(askedBefore)) if (committed.includes(url)) askedAgain.push(url)
      committed.push(...rejected)
      if (ended === undefined) continue
      return {
        rows: rowsIn(`${here.folder}/rows.jsonl`).map(urlOf),
        rejects: rowsIn(`${here.folder}/runs/${ended.runId}/rejects.jsonl`).map(({ row }) => urlOf(row)),
        committed,
        askedAgain,
        summary: ended
      }
    }
  }).pipe(Effect.scoped, Logger.withMinimumLogLevel(LogLevel.None))

const expectWhole = (
  given: Case,
  { askedAgain, committed, rejects, rows, summary }: Effect.Effect.Success<ReturnType<typeof play>>
) => {
  const { onError, order, urls } = given
  const dead = urls.filter(isDead)
  const isIn = (url: string) => onError === "keep" || !isDead(url)
  const expected = urls.filter(isIn)
  const rejected = onError === "reject" ? dead : []
  expect([...rejects].sort()).toEqual([...rejected].sort())
  expect([...committed].sort()).toEqual([...rejected].sort())
  expect(order === "input" ? rows : [...rows].sort()).toEqual(order === "input" ? expected : [...expected].sort())
  expect(summary).toMatchObject({ status: "completed", rows: expected.length, rejects: rejected.length })
  // A row whose end is in a commit is not asked for again.
  expect(askedAgain).toEqual([])
}

const cases = FastCheck.record<Case>({
  // Some addresses come twice: each row ends on its own.
  urls: FastCheck.array(FastCheck.constantFrom("good", "dead"), { minLength: 2, maxLength: 6 }).map((kinds) =>
    ["good", ...kinds].map((kind, index) => `https://x.example/${kind}/${index}`)
  ),
  step: FastCheck.constantFrom("scrape", "scrape", "search"),
  order: FastCheck.constantFrom("input", "input", "completion"),
  onError: FastCheck.constantFrom("reject", "reject", "keep", "drop"),
  concurrency: FastCheck.integer({ min: 1, max: 4 }),
  happenings: FastCheck.array(
    FastCheck.array(FastCheck.record({ which: FastCheck.integer({ min: 0, max: 3 }), commits: FastCheck.boolean() }), {
      maxLength: 4
    }).map(
      (answers): ReadonlyArray<Happening> => [
        ...answers.flatMap(
          ({ commits, which }): ReadonlyArray<Happening> => [
            { kind: "answer", which },
            ...(commits ? [{ kind: "commit" as const }] : [])
          ]
        ),
        { kind: "kill" }
      ]
    ),
    { minLength: 1, maxLength: 3 }
  ).map((lives) => lives.flat())
})

describe("a run that is killed and resumed", () => {
  scoped("rejects a row once that waits for its turn in input order", function* () {
    const given: Case = {
      urls: ["https://x.example/good/slow", "https://x.example/dead", "https://x.example/good/quick"],
      step: "scrape",
      order: "input",
      onError: "reject",
      concurrency: 3,
      happenings: [{ kind: "answer", which: 1 }, { kind: "commit" }, { kind: "kill" }]
    }
    expectWhole(given, yield* play(given))
  })

  it.scoped.skipIf(skipsLong)(
    "completes every row once, in whatever order pages are answered, rows fail, commits are made and processes are killed",
    () =>
      Effect.promise(() =>
        FastCheck.assert(
          FastCheck.asyncProperty(cases, async (given) => {
            const ended = await Effect.runPromise(Effect.provide(play(given), TestContext.TestContext))
            expectWhole(given, ended)
          }),
          { numRuns: repetitions(15, 6) }
        )
      )
  )
})
