/** DNS lookups: teams share the threads, and lookups that never end. */
import type { LookupFunction } from "node:net"
import * as Effect from "effect/Effect"
import * as DnsResolver from "../../../src/Engine/Fetch/DnsResolver.ts"
import { describe, expect, it } from "../../It.ts"

/** A resolver that does not answer for names that begin with `slow` until the test says so, and for others at once. */
const resolver = () => {
  const asked: Array<string> = []
  const slow: Array<() => void> = []
  const lookup: LookupFunction = (hostname, _, callback) => {
    asked.push(hostname)
    const answer = () => callback(null, "203.0.113.1", 4)
    if (hostname.startsWith("slow")) slow.push(answer)
    else answer()
  }
  return { asked, slow, lookup }
}

const resolve = (lookup: LookupFunction, team: string, hostname: string) =>
  Effect.async<string>((resume) => {
    DnsResolver.withLookupTeam(team, () =>
      lookup(hostname, {}, (error, address) =>
        resume(Effect.succeed(error === null ? String(address) : (error.code ?? "")))
      )
    )
  })

describe("DNS lookups", () => {
  it.live("of a team succeed while another team's never end", function* () {
    const { asked, lookup } = resolver()
    const names = DnsResolver.make({ lookup, capacity: 2, teams: 2 })
    for (let n = 0; n < 50; n++) yield* Effect.fork(resolve(names, "a", `slow${n}`))
    yield* Effect.yieldNow()
    expect(yield* resolve(names, "b", "fast")).toBe("203.0.113.1")
    expect(asked).toEqual(["slow0", "fast"])
  })

  it.live("of a single team use all threads, each name once at a time", function* () {
    const { asked, lookup, slow } = resolver()
    const names = DnsResolver.make({ lookup, capacity: 2 })
    for (const name of ["slow0", "slow0", "slow1", "slow2"]) yield* Effect.fork(resolve(names, "a", name))
    yield* Effect.yieldNow()
    expect(asked).toEqual(["slow0", "slow1"])
    slow.shift()?.()
    expect(asked).toEqual(["slow0", "slow1", "slow2"])
  })

  it.live("that wait too long fail, and are dropped from the queue when no caller is left", function* () {
    const { asked, lookup, slow } = resolver()
    const names = DnsResolver.make({ lookup, capacity: 1, timeout: 20 })
    const all = yield* Effect.all(
      ["slow0", "slow0", "slow1"].map((name) => resolve(names, "a", name)),
      { concurrency: "unbounded" }
    )
    expect(all).toEqual(["EAI_AGAIN", "EAI_AGAIN", "EAI_AGAIN"])
    expect(asked).toEqual(["slow0"])
    // The thread is freed when the system has answered. In one turn: the limit of 20 ms cannot end the wait.
    const next = yield* Effect.fork(resolve(names, "a", "fast"))
    yield* Effect.yieldNow()
    expect(asked).toEqual(["slow0"])
    for (const answer of slow) answer()
    expect(yield* next).toBe("203.0.113.1")
    expect(asked).toEqual(["slow0", "fast"])
  })
})
