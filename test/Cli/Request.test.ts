/** A pipeline over an API on the command line: plan, run, state, and its recorded test. */

import { serve } from "../Client/Server.ts"
import { expect, scoped } from "../It.ts"
import { skipsLong } from "../Long.ts"
import { sluice } from "./Console.ts"
import { folderOf, readText } from "./Project.ts"

const items = (base: string) => `version: 1
name: open-items
steps:
  - request:
      url: ${base}/items
      auth: { oauth: { tokenUrl: "${base}/token", clientId: heron, clientSecret: "\${{ secrets.API_SECRET }}", send: body } }
      headers: { x-key: "\${{ secrets.API_KEY }}" }
      rows: items
      next: { cursor: { param: after, from: $headers."x-next" } }
      since: { param: since, field: at, start: 2026-01-01 }
  - write: { jsonl: items.jsonl }
`

const test = `tests:
  - name: open items
    given: { recording: r.json }
    expect:
      rows: { request: { equals: [{ id: 1, at: "2026-02-01" }, { id: 2, at: "2026-02-02" }] } }
      credits: 0
`

const secret = "sentinel_0123456789"
const env = { API_SECRET: secret, API_KEY: "key_9876543210", SLUICE_ALLOW_NETWORKS: "127.0.0.0/8" }

scoped.skipIf(skipsLong)(
  "plans, runs and remembers a paged read, and records and replays its test without a secret",
  function* () {
    let isGone = false
    const server = yield* serve(({ body, headers, path }) => {
      if (isGone) return { status: 500 }
      if (path === "/token") {
        const isRight = body.includes(`client_secret=${secret}`)
        return { status: isRight ? 200 : 400, body: { access_token: "opaque-token-of-a-run", expires_in: 60 } }
      }
      if (headers.authorization !== "Bearer opaque-token-of-a-run" || headers["x-key"] !== env.API_KEY) {
        return { status: 401, body: { error: `no ${headers["x-key"]}` } }
      }
      return path.includes("after=2")
        ? { body: { items: [{ id: 2, at: "2026-02-02" }] } }
        : { body: { items: [{ id: 1, at: "2026-02-01" }] }, headers: { "X-Next": "2" } }
    })
    const root = yield* folderOf({ "p.yaml": items(server.url), "p.test.yaml": test })
    const words = ["--data", `${root}/data`]
    const first = yield* sluice(["plan", `${root}/p.yaml`, ...words], { env })
    expect(first.out).toMatch(/request +url: .*auth: … *.* its API +≥ 1 call/)
    expect(first.out).not.toContain("heron")
    const ran = yield* sluice(["run", `${root}/p.yaml`, ...words, "--out", root], { env })
    expect([ran.code, yield* readText(`${root}/items.jsonl`)], ran.err).toEqual([
      0,
      '{"id":1,"at":"2026-02-01"}\n{"id":2,"at":"2026-02-02"}\n'
    ])
    const plan = yield* sluice(["plan", `${root}/p.yaml`, ...words], { env })
    expect(plan.out).toContain("request: about 2 calls, as in the last run")
    const state = yield* sluice(["state", "get", "open-items", "--entry", "since", ...words])
    expect(JSON.parse(state.out)).toMatchObject({ key: "since", value: "2026-02-02" })
    yield* sluice(["state", "set", "open-items", "--entry", "since", "--value", '"2026-03-01"', ...words])
    yield* sluice(["run", `${root}/p.yaml`, ...words, "--out", root], { env })
    expect(server.asked.at(-2)?.path).toBe("/items?since=2026-03-01")

    const recorded = yield* sluice(["test", `${root}/p.test.yaml`, "--record", ...words], { env })
    expect(recorded.code, recorded.out).toBe(0)
    const text = yield* readText(`${root}/r.json`)
    expect(text).toContain("{secrets.API_SECRET}")
    for (const part of [secret, env.API_KEY, "opaque-token"]) expect(text).not.toContain(part)
    isGone = true
    const asked = server.asked.length
    const replayed = yield* sluice(["test", `${root}/p.test.yaml`, ...words])
    expect([replayed.code, replayed.err], replayed.out).toEqual([0, ""])
    expect(server.asked).toHaveLength(asked)
  }
)
