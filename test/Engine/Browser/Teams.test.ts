/** Sessions, their secrets and their profiles are their team's alone. */

import * as Effect from "effect/Effect"
import { describe, expect, layer as sharing } from "../../It.ts"
import type { Reply } from "../../Local.ts"
import { skipsLong } from "../../Long.ts"
import { isMissing } from "../Render/Installed.ts"
import { Ground, knock, layer, session } from "./Ground.ts"

const unknown = "00000000-0000-4000-8000-000000000000"
const seen = ({ status, text }: Reply) => ({ status, text })

/** As good as a wrong one: of the same length, in the same place. */
const guessed = (url: string): string => url.replace(/[\w-]{16,}$/, (secret) => "A".repeat(secret.length))

describe.skipIf(isMissing)("A session of another team", () => {
  sharing(layer({ allowExecute: true }), { excludeTestServices: true })("", (it) => {
    it.scoped.skipIf(skipsLong)(
      "is not there: neither by its id, while it lives and after, nor in what is listed",
      function* () {
        const { baseUrl, call, stranger } = yield* Ground
        const before = seen(yield* stranger.get("/v2/browser"))
        const theirs = yield* stranger.get("/v2/team/credit-usage/historical")
        const mine = yield* session(call)
        expect((yield* call.get("/v2/browser")).json.sessions).toHaveLength(1)
        expect(seen(yield* stranger.get("/v2/browser"))).toEqual(before)
        expect(seen(yield* stranger.get("/v2/team/credit-usage/historical"))).toEqual(seen(theirs))
        const ask = (id: string) =>
          Effect.all([stranger.del(`/v2/browser/${id}`), stranger.post(`/v2/browser/${id}/execute`, { code: "1" })])
        const nothing = (yield* ask(unknown)).map(seen)
        expect(nothing.map(({ status }) => status)).toEqual([404, 404])
        expect((yield* ask(mine.id)).map(seen)).toEqual(nothing)
        // A key, even the right one, is no secret of a session; and the secrets are not each other's.
        for (const url of [mine.cdpUrl, mine.liveViewUrl ?? "", mine.interactiveLiveViewUrl ?? ""]) {
          const socket = url.replace(/^http/, "ws").replace(/(\/live\/[\w-]+)$/, "$1/socket")
          const secret = /[\w-]{16,}(?=$|\/socket$)/.exec(socket)?.[0] ?? ""
          const wrong = yield* knock(
            guessed(socket.replace(/\/socket$/, "")) + (socket.endsWith("/socket") ? "/socket" : "")
          )
          expect([401, 403, 404]).toContain(wrong)
          for (const other of ["cdp", "live"]) {
            const elsewhere = other === "cdp" ? `/cdp/${secret}` : `/live/${secret}/socket`
            if (socket.endsWith(elsewhere)) continue
            const answer = yield* knock(baseUrl.replace("http", "ws") + elsewhere, { origin: baseUrl })
            if (url === mine.cdpUrl || other === "cdp") expect([401, 403, 404]).toContain(answer)
          }
        }
        yield* call.del(`/v2/browser/${mine.id}`)
        expect((yield* call.del(`/v2/browser/${mine.id}`)).status).toBe(410)
        expect((yield* ask(mine.id)).map(seen)).toEqual(nothing)
      }
    )

    it.scoped.skipIf(skipsLong)(
      "has its own storage, though the profile has the same name, and does not hold up its saver",
      function* () {
        const { call, stranger } = yield* Ground
        const profile = { name: "shared-name", saveChanges: true }
        yield* session(call, { profile })
        expect((yield* call.post("/v2/browser", { profile })).status).toBe(409)
        const theirs = yield* session(stranger, { profile })
        expect((yield* stranger.get("/v2/browser")).json.sessions.map(({ id }: { readonly id: string }) => id)).toEqual(
          [theirs.id]
        )
      }
    )
  })
})
