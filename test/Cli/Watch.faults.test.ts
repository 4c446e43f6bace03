import { serve } from "../Engine/Scrape/Site.ts"
import { describe, expect, scoped } from "../It.ts"
import { ledgerIn } from "../Ledger/Ledgers.ts"
import { receive } from "../Schedule/Receiver.ts"
import * as Launched from "./Launched.ts"
import { folderOf } from "./Project.ts"

describe("a watch that is killed", () => {
  scoped("sends and prints a change that it had stored when it continues", function* () {
    const site = { price: 5 }
    const url = yield* serve((_, response) => {
      response
        .writeHead(200, { "content-type": "text/html" })
        .end(
          `<main><h1>Harbour</h1><p>A day costs ${site.price} euros for everyone who comes by boat.</p><p>Dogs are welcome all year round.</p></main>`
        )
    })
    // The first delivery is never answered.
    const receiver = yield* receive((index) => (index === 0 ? undefined : { status: 204 }))
    const root = yield* folderOf()
    const env = { SLUICE_ALLOW_NETWORKS: "127.0.0.0/8" }
    const words = ["watch", `${url}/harbour`, "--notify", receiver.url, "--once"]
    const first = yield* Launched.start(root, env, ...words)
    expect(yield* first.ended).toBe(0)
    site.price = 7
    const killed = yield* Launched.start(root, env, ...words)
    const lost = yield* receiver.next
    Launched.kill(killed.child)
    yield* killed.ended
    // The lease of the dead process would last for a minute.
    const ledger = yield* ledgerIn(`${root}/.sluice`)
    yield* ledger.connection.sql`UPDATE notices SET next_at = 0 WHERE next_at IS NOT NULL`
    const again = yield* Launched.start(root, env, ...words)
    expect(yield* again.ended).toBe(0)
    expect(receiver.received).toHaveLength(2)
    expect(receiver.received[1]?.body).toBe(lost.body)
    expect(JSON.parse(lost.body)).toMatchObject({ event: "changed", changesTotal: 1 })
    // At least once: it was killed before it printed, or perhaps before it noted that it had printed.
    expect(`${killed.written.out}${again.written.out}`).toContain("“5” became “7”")
    const last = yield* Launched.start(root, env, ...words)
    expect(yield* last.ended).toBe(0)
    expect(last.written.out).toBe("")
  })
})
