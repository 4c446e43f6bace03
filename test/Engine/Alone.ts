/** Services that an engine gives its parts, as one with a single team and without options has them: no cache, browser, model or proxy. */
import * as Dns from "node:dns"
import type { LookupFunction } from "node:net"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { DnsResolver } from "../../src/Engine/Fetch/DnsResolver.ts"
import { HostTurns } from "../../src/Engine/Fetch/HostTurns.ts"
import * as Logins from "../../src/Engine/Fetch/Logins.ts"
import { Proxies } from "../../src/Engine/Fetch/Proxies.ts"
import { Model } from "../../src/Engine/Model/Model.ts"
import * as PageCache from "../../src/Engine/PageCache/PageCache.ts"
import { PageVersions } from "../../src/Engine/PageCache/PageVersions.ts"
import { ProfileStorage, Renderer } from "../../src/Engine/Render/Renderer.ts"
import { unavailable } from "../../src/Engine/Render/RunningBrowser.ts"
import { HostTrust, newHost } from "../../src/Engine/Scrape/Recrawl/HostTrust.ts"
import { PageLookup, type Service } from "../../src/Engine/Scrape/Scraper.ts"
import { Providers } from "../../src/Engine/Search/ProviderSettings.ts"
import * as Storage from "../../src/Engine/Store/Storage.ts"
import { oneTeam } from "../../src/Engine/Teams/FairQueue.ts"
import * as PageMemory from "../../src/Engine/Teams/PageMemory.ts"
import * as Chromium from "../../src/Settings/Chromium.ts"

const noBrowser = { found: "none was looked for", todo: Chromium.installCommand }

/** A reservation of the pool, until the scope or the call of the fiber ends. */
export const reserved = (pool: PageMemory.MemoryPool, owner: PageMemory.ReservationOwner) =>
  Effect.flatMap(PageMemory.Call, (call) =>
    Effect.map(
      Effect.acquireRelease(
        Effect.sync(() => pool.enter(owner, Option.getOrUndefined(call))),
        ({ close }) => Effect.sync(close)
      ),
      ({ reservation }) => reservation
    )
  )

/** A scraper that answers as the effect says. */
export const scraperOf = (scrape: Service["scrape"]): Service => ({
  scrape,
  open: (work, target) => work.run(scrape(target))
})

/** As much memory for bodies as an engine has. */
export const memory = Layer.sync(PageMemory.PageMemory, () =>
  PageMemory.make(PageMemory.defaultShares(256 * 1024 * 1024))
)

export const alone = Layer.mergeAll(
  oneTeam,
  memory,
  Layer.succeed(DnsResolver, Dns.lookup as LookupFunction),
  Logins.none,
  Layer.succeed(HostTurns, { within: (_work, _url, _team, use) => use() }),
  Layer.succeed(Proxies, new Map()),
  Layer.succeed(Model, undefined),
  PageCache.disabled,
  Layer.succeed(PageVersions, { replace: () => Effect.succeed(undefined), last: () => Effect.succeed(undefined) }),
  Layer.succeed(HostTrust, { of: () => Effect.succeed(newHost), note: () => Effect.void }),
  Layer.succeed(PageLookup, () => Effect.succeed([])),
  Layer.succeed(Renderer, {
    render: () => unavailable(`This needs a browser. To install one: ${noBrowser.todo}`),
    installed: Effect.succeed(Either.left(noBrowser))
  }),
  Layer.succeed(ProfileStorage, { open: () => unavailable("This engine has no browser profiles.") }),
  Layer.succeed(Providers, [{ name: "local" }]),
  Layer.succeed(Storage.StorageLimits, Storage.defaults),
  Layer.succeed(Storage.FreeSpace, Effect.succeed(undefined))
)
