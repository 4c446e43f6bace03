/** Memory of a job's known links: bounded by their number and by their length. */
import { describe, expect, it } from "vitest"
import { KnownLinks } from "../../../src/Engine/Jobs/KnownLinks.ts"

const link = (n: number, length = 40) => `https://example.org/${n}`.padEnd(length, "x")

describe("the known links of a job", () => {
  it("are remembered until there are too many, also if they are few at first", () => {
    let max = 100
    const links = new KnownLinks(() => max, [link(0)])
    for (let n = 1; n < 100; n++) links.add(link(n))
    expect(links.has(link(0))).toBe(true)
    links.add(link(100))
    expect([links.has(link(0)), links.has(link(100))]).toEqual([false, true])
    max = 1
    links.add(link(101))
    expect([links.has(link(100)), links.has(link(101))]).toEqual([false, true])
  })

  it("are forgotten when they are long, before there are too many", () => {
    const links = new KnownLinks(() => 100)
    for (let n = 0; n < 12; n++) links.add(link(n, 1_000))
    expect(links.has(link(0, 1_000))).toBe(true)
    links.add(link(12, 1_000))
    expect([links.has(link(0, 1_000)), links.has(link(12, 1_000))]).toEqual([false, true])
  })

  it("are kept in a lasting set that is full, which takes no more", () => {
    const links = new KnownLinks(() => 2, [link(0), link(1), link(2)], true)
    expect([0, 1, 2].map((n) => links.has(link(n)))).toEqual([true, true, false])
  })

  it("count once, however often they are found", () => {
    const links = new KnownLinks(() => 100)
    links.add(link(0))
    for (let n = 0; n < 50; n++) links.add(link(1, 1_000))
    expect(links.has(link(0))).toBe(true)
  })
})
