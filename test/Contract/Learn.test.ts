/** Examples of a learned contract: it is shared, so they say nothing of a person. */
import { describe, expect, it } from "@effect/vitest"
import * as Learn from "../../src/Contract/Learn.ts"

describe("a learned contract", () => {
  it("has examples of values that say nothing of a person, and no others", () => {
    const learner = Learn.make(false)
    learner.add({
      id: 7,
      stock: "few",
      seen: "2026-01-31",
      at: "2026-01-31T10:00:00Z",
      price: 4.5,
      author: "Doe",
      customerEmail: "none",
      contact_phone: 12,
      who: "Jane Doe",
      reach: "jane@example.com",
      call: "+44 20 7946 0958",
      number: 442079460958,
      login: "few",
      handle: "few",
      nick: "few",
      profile_url: "few",
      dob: "1990-01-31",
      client_ip: "few",
      clientIp: "few",
      link: "https://example.com/jane",
      search: "https://example.com?q=jane",
      site: "https://example.com",
      from: "10.1.1.7",
      gateway: "1.1.1.1",
      via: "2001:db8::7",
      mac: "00:1b:44:11:3a:b7",
      took: "01:30:00",
      code: "sk_live_0123456789abcdefghij",
      text: "x".repeat(41)
    })
    const { columns } = learner.contract()
    expect(Object.fromEntries(Object.entries(columns).map(([name, { examples }]) => [name, examples]))).toEqual({
      id: [7],
      stock: ["few"],
      seen: ["2026-01-31"],
      at: ["2026-01-31T10:00:00Z"],
      price: [4.5],
      site: ["https://example.com"],
      took: ["01:30:00"]
    })
  })

  it("takes a column whose values all differ as the key, and names one that has too many to compare", () => {
    const learnt = (values: ReadonlyArray<number>) => {
      const learner = Learn.make(false, 3)
      for (const id of values) learner.add({ id })
      return { key: learner.contract().key, uncompared: learner.uncompared() }
    }
    expect(learnt([1, 2, 3])).toEqual({ key: ["id"], uncompared: [] })
    expect(learnt([1, 2, 2])).toEqual({ key: undefined, uncompared: [] })
    expect(learnt([1, 2, 3, 4, 5])).toEqual({ key: undefined, uncompared: ["id"] })
  })
})
