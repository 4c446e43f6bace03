/** Pages as a service has stored them, to look at them once more without a request of their site. */
import * as Effect from "effect/Effect"
import { Scrape } from "../../Client/Scrape.ts"

/** A page of at most this age, in milliseconds; undefined where the service has none. Never visits the site. */
export const storedPage = (address: string, maxAge: number) =>
  Effect.gen(function* () {
    const client = yield* Scrape
    const { data } = yield* client.run({
      url: address,
      formats: ["rawHtml"],
      lockdown: true,
      maxAge: Math.max(1, Math.ceil(maxAge))
    })
    const { metadata, rawHtml } = data
    return typeof rawHtml === "string" ? { html: rawHtml, url: metadata?.url ?? address } : undefined
  }).pipe(Effect.orElseSucceed(() => undefined))
