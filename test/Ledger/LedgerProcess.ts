/** A process of its own that works with a ledger, for tests that kill it or let several meet. */
import { once } from "node:events"
import * as Effect from "effect/Effect"
import { ledgerIn, run } from "./Ledgers.ts"

const [, , folder = "", what] = process.argv

const say = (text: string) => Effect.sync(() => process.stdout.write(`${text}\n`))

/** Keeps answers one after the other, and says so for each, until it is killed. */
const remember = Effect.gen(function* () {
  const ledger = yield* ledgerIn(folder)
  const journal = yield* ledger.open(run("r1"))
  for (let n = 1; ; n++) {
    const page = { key: `https://a.example/${n}`, price: "known" as const }
    yield* journal.recordCall({ step: "a", mark: `${n}`, answer: n, credits: 1, page })
    yield* say(`${n}`)
  }
})

/** Opens a run on request, reports the result, and holds the run. */
const open = Effect.gen(function* () {
  const ledger = yield* ledgerIn(folder)
  yield* say("ready")
  yield* Effect.promise(() => once(process.stdin, "data"))
  const opened = yield* Effect.either(ledger.open(run("r1")))
  yield* say(opened._tag === "Right" ? "opened" : opened.left._tag)
  yield* Effect.never
})

Effect.runFork(Effect.scoped(what === "remember" ? remember : open))
