import { describe, expect, it } from "@effect/vitest"
import { blocksOf, contentOf } from "../../src/Change/Blocks.ts"
import { type Comparison, compare, type Rules, type Snapshot } from "../../src/Change/Compare.ts"
import { sentence, wordDiff } from "../../src/Change/Describe.ts"
import { cpuMillis } from "../CpuTime.ts"
import { prose } from "../Health/Random.ts"
import { skipsLong } from "../Long.ts"

const minute = 60_000
const day = 86_400_000
const start = Date.UTC(2026, 4, 11, 9, 30)

const none: Rules = {
  ignore: () => false,
  always: () => false,
  teaches: ({ at: first }, at) => at - first <= 10 * minute
}

/** Visits of a page: a minute lies between the first two, and a day between the others. The state passes through JSON. */
const visits = (pages: ReadonlyArray<string>, rules: Rules = none): ReadonlyArray<Comparison> => {
  const made: Array<Comparison> = []
  let before: Snapshot | undefined
  for (const [index, page] of pages.entries()) {
    const at = index < 2 ? start + index * minute : start + (index - 1) * day
    const comparison = compare(before, blocksOf(page), at, rules)
    made.push(comparison)
    before = JSON.parse(JSON.stringify(comparison.next))
  }
  return made
}

const resultsOf = (pages: ReadonlyArray<string>, rules?: Rules) => visits(pages, rules).map(({ result }) => result)

const told = (before: string, after: string) => {
  const { differences, result } = visits([before, before, after])[2] ?? {}
  return { result, sentence: differences && sentence(differences), diff: differences && wordDiff(differences) }
}

const page = (more: string) => `# Boats\n\nA lock lifts a boat from one level of a canal to another.\n\n${more}\n`

describe("compare", () => {
  it("tells an edit in one sentence and as a word diff", () => {
    expect(told(page("## Price\n\nA ticket costs $10 a day."), page("## Price\n\nA ticket costs $12 a day."))).toEqual({
      result: "changed",
      sentence: "“10” became “12” in a paragraph under “Price”.",
      diff: "# Price\nA ticket costs $[-10-]{+12+} a day."
    })
    expect(told(page("- Ada\n- Bea"), page("- Ada\n- Bea\n- Cid"))).toMatchObject({
      sentence: "A list item was added under “Boats”: “Cid”.",
      diff: "# Boats\n{+Cid+}"
    })
    expect(told(page("[Get it](/a/1.2.zip)"), page("[Get it](/a/1.3.zip)"))).toMatchObject({
      sentence: "The link of “Get it” changed under “Boats”.",
      diff: "# Boats\nGet it (link: [-/a/1.2.zip-]{+/a/1.3.zip+})"
    })
    expect(told(page("Open on Mondays.\n\nClosed in May."), page("Open on Sundays."))).toMatchObject({
      sentence: "1 block changed and 1 block was removed under “Boats”, among them “Open on Sundays.”.",
      diff: "# Boats\nOpen on [-Mondays-]{+Sundays+}.\n[-Closed in May.-]"
    })
  })

  it("does not count order, markup, typography, stamps or the parts of links that are made for a visit", () => {
    const before = page(
      "- One\n- Two\n- Three\n\nIt's **open**, 'daily'.\n\nUpdated on 3 May 2026 at 10:00. 3 minutes ago\n\n[Map](/map?sid=1)\n\n812 views\n\nTags: red, green, blue"
    )
    const after = page(
      "* Three\n* One\n* Two\n\nIt’s open, ‘daily’.\n\nUpdated on 4 May 2026 at 11:10. an hour ago\n\n[Map](/map?sid=2)\n\n1.2k views\n\nTags: blue, red, green"
    )
    expect(resultsOf([before, before, after])).toEqual(["first", "learned", "same"])
  })

  it("counts a date, a number and a swap of words", () => {
    for (const [before, after] of [
      ["The meeting is on 12 June 2031.", "The meeting is on 13 June 2031."],
      ["Room 12 is free.", "Room 14 is free."],
      ["| Ada | 12 |", "| Ada | 13 |"],
      ["Ada beats Bea in the end.", "Bea beats Ada in the end."],
      ["It is allowed to swim.", "It is not allowed to swim."]
    ] as const) {
      expect(resultsOf([page(before), page(before), page(after)]), before).toEqual(["first", "learned", "changed"])
    }
  })

  it("learns a value from two fetches, and counts the others in its block", () => {
    const value = (rate: number, fee: number) => page(`The rate is ${rate} today and the fee is ${fee} euros.`)
    expect(resultsOf([value(1.2, 5), value(1.3, 5), value(1.4, 5), value(1.7, 6)])).toEqual([
      "first",
      "learned",
      "same",
      "changed"
    ])
  })

  it("learns a place where words come and go, and counts what is added elsewhere", () => {
    const quote = (text: string, more = "") => page(`> ${text}\n\nBoats wait for the gate to open.${more}`)
    expect(
      resultsOf([
        quote("What a fine day it was at the lock."),
        quote("My children loved every minute."),
        quote("Never seen such gates before."),
        quote("We shall come again.", "\n\nThe lock is closed in May.")
      ])
    ).toEqual(["first", "learned", "same", "changed"])
  })

  it("does not learn from a second visit that comes late", () => {
    const late = compare(compare(undefined, blocksOf("One."), start, none).next, blocksOf("Two."), start + day, none)
    expect(late.result).toBe("changed")
  })

  it("learns a value that changes at every visit, and says so", () => {
    const pages = [1, 1, 2, 3, 4, 5, 6, 7].map((number) => page(`Number ${number * 11} is alive.`))
    const all = visits(pages)
    expect(all.map(({ result }) => result)).toEqual([
      "first",
      "learned",
      "changed",
      "changed",
      "changed",
      "changed",
      "same",
      "same"
    ])
    expect(all[5]?.newlyLearned).toEqual(["number … is alive"])
  })

  it("counts what a rule names, and leaves out what another names", () => {
    const pages = [1, 2, 3].map((number) => page(`The rate is ${number}.\n\nSeen by ${number} cats.`))
    const rules = {
      ...none,
      always: (text: string) => text.includes("rate"),
      ignore: (text: string) => text.includes("cats")
    }
    const [, , third] = visits(pages, rules)
    expect(third?.differences.edited.map(({ fresh }) => fresh.block.text)).toEqual(["The rate is 3."])
    expect(third?.ignored).toEqual([])
  })

  it("compares values that are no text by their paths", () => {
    const before = compare(undefined, contentOf({ plan: { price: 10 }, tags: ["a", "b"] }).blocks, start, none).next
    const { differences } = compare(
      before,
      contentOf({ plan: { price: 12 }, tags: ["b", "a"] }).blocks,
      start + day,
      none
    )
    expect(wordDiff(differences)).toBe("plan.price: [-10-]{+12+}")
  })

  it.skipIf(skipsLong)("keeps a bounded state, however long the page is and however often it changes", () => {
    let before: Snapshot | undefined
    let most = 0
    for (let visit = 0; visit < 3; visit++) {
      const text = Array.from({ length: 3000 }, (_, at) => `${prose(1, "en", visit, at)} ${visit * 7919 + at}`).join(
        "\n\n"
      )
      before = compare(before, blocksOf(text), start + visit * minute, none).next
      most = Math.max(most, JSON.stringify(before).length)
    }
    expect(most).toBeLessThan(600_000)
  })

  it.skipIf(skipsLong)("reads hostile text in linear time", () => {
    const hostile = [
      "[".repeat(75_000),
      "|-".repeat(40_000),
      "a ".repeat(45_000),
      "1.".repeat(45_000),
      "*_".repeat(45_000),
      "- ".repeat(45_000)
    ]
    const took = cpuMillis(() => {
      for (const text of hostile) resultsOf([text, `${text}x`, text])
    })
    expect(took).toBeLessThan(20_000)
  })

  it("counts numbers, states and names in links, headings and lists", () => {
    for (const [before, after] of [
      ["[Download 2.3](/download)", "[Download 2.4](/download)"],
      ["[$49/month](/buy)", "[$59/month](/buy)"],
      ["[Sold out](/p)", "[Buy now](/p)"],
      ["[Sign up now](/join)", "[Sign up closed](/join)"],
      ["### Pro - most popular\n\n$49 a month", "### Pro - most popular\n\n$59 a month"],
      ["## Advertising\n\nAds cost 5 euros per click", "## Advertising\n\nAds cost 9 euros per click"],
      ["We use cookies to keep you logged in.", "We use cookies to sell your data."],
      ["[Plan for 49 euros](https://x.example/ads/plan)", "[Plan for 59 euros](https://x.example/ads/plan)"],
      ["It includes 10,000 visits per month.", "It includes 20,000 visits per month."],
      ["| Export | ✓ |", "| Export | ✗ |"],
      ["It was -5 °C at night.", "It was 5 °C at night."],
      ["- [ ] Paid", "- [x] Paid"],
      ["[Get](/get?v=1)", "[Get](/get?v=2)"],
      ["[Get](/#/one)", "[Get](/#/two)"],
      ["Home: Ada, Away: Bea, Result: 2", "Home: Bea, Away: Ada, Result: 2"],
      ["## Basic\n\n$10\n\n## Pro\n\n$20", "## Basic\n\n$20\n\n## Pro\n\n$10"],
      [`${prose(200, "en", "long")} It costs 5 euros.`, `${prose(200, "en", "long")} It costs 6 euros.`],
      ["```\na `` b\n```\n\nOne is 1.", "```\na `` b\n```\n\nOne is 2."],
      ["````\n```\nfee: 1\n````\n\nEnd.", "````\n```\nfee: 2\n````\n\nEnd."]
    ] as const) {
      expect(resultsOf([page(before), page(before), page(after)]), before).toEqual(["first", "learned", "changed"])
    }
    const news = (more: string) => `# Latest news\n\n- [One](/1)\n- [Two](/2)\n- [Three](/3)${more}\n\nBy the town.`
    expect(resultsOf([news(""), news(""), news("\n- [Four](/4)")]).at(-1)).toBe("changed")
  })

  it("does not count testimonials that are shown in turn, or a call to sign up in other words, but one that goes", () => {
    const more = "Rope is sold by the metre.\n\nSails are sewn here.\n\nOars are made of ash.\n\n"
    const voice = (quote: string) => page(`${more}## What our customers say\n\n> ${quote}`)
    const call = (link: string) => page(`${more}${link}`)
    for (const [before, after, expected] of [
      [voice("My boat is dry.\n\nAda"), voice("They know knots.\n\nBea"), "same"],
      [call("[Try it without a card](/join?sid=1)"), call("[Start your free month](/join?sid=2)"), "same"],
      [call("[Try it without a card](/join)"), call(""), "changed"],
      [call("[Try it without a card](/join)"), call("[Sign up is closed](/join)"), "changed"]
    ] as const) {
      expect(told(before, after).result, after).toBe(expected)
    }
  })

  it("does not count how many people are looking, ids with a dot, or quotations that are shown in turn wherever they stand", () => {
    const visit = (people: number, id: string, quote: string) =>
      page(`${people} people are looking at this page\n\nReference #${id}\n\nOars are made of ash.\n\n> ${quote}`)
    const quotes = ["“My boat is dry at last.” – Ada Berg", "“They know every knot.” – Bea Ito"]
    const moved = page(
      `> “A rope for a lifetime.” – Cid Haas\n\n9 people are looking at this page\n\nReference #7487.758\n\nOars are made of ash.`
    )
    expect(
      resultsOf([visit(3, "68d23a.124", quotes[0] ?? ""), visit(4, "a0b4a0.872", quotes[1] ?? ""), moved])[2]
    ).toBe("same")
    const seats = (count: number) => page(`${count} people fit into the boat.`)
    expect(told(seats(4), seats(6)).result).toBe("changed")
  })

  it("does not count levels of headings, or a paragraph that becomes a list item", () => {
    const before = page("## Price\n\nTen euros.")
    expect(resultsOf([before, before, page("### Price\n\n- Ten euros.")]).at(-1)).toBe("same")
  })

  const shop = (price: number) =>
    page(`${["Ropes", "Sails", "Oars", "Lamps"].map((name) => `${name} for boats cost ${price} euros.`).join("\n\n")}`)
  const outage = "# Sorry\n\nWe will be back soon."

  it("learns nothing from an error page, and reports a page that was replaced when it is found again", () => {
    expect(resultsOf([shop(5), outage, shop(5), shop(6)])).toEqual(["first", "doubtful", "same", "changed"])
    expect(resultsOf([shop(5), shop(5), "", shop(5), "", shop(5), shop(6)])).toEqual([
      "first",
      "learned",
      "doubtful",
      "same",
      "doubtful",
      "same",
      "changed"
    ])
    expect(resultsOf([shop(5), shop(5), outage, outage, outage])).toEqual([
      "first",
      "learned",
      "doubtful",
      "changed",
      "same"
    ])
  })

  it("counts what `always` names at the visit that teaches, and compares it exactly", () => {
    const rules = { ...none, always: (text: string) => text.includes("views") }
    const views = (count: number) => page(`${count} views`)
    expect(resultsOf([views(812), views(813), views(813), views(814)], rules)).toEqual([
      "first",
      "changed",
      "same",
      "changed"
    ])
  })

  it("lists removed blocks at their places, and each heading once", () => {
    const before = page("## New\n\nOne is here.\n\nTwo is there.\n\n## End\n\nThe last words.")
    const { diff } = told(before, page("## New\n\nTwo is there.\n\n## End\n\nThe final words."))
    expect(diff).toBe("# New\n[-One is here.-]\n# End\nThe [-last-]{+final+} words.")
    const added = told(page("The end."), page("## More\n\nIt goes on.\n\nThe end."))
    expect(added.diff?.match(/More/g)).toHaveLength(1)
  })

  it("compares long and deep values with bounded time and memory", () => {
    let deep: unknown = 1
    for (let level = 0; level < 20_000; level++) deep = [deep]
    expect(contentOf(deep).blocks).toEqual([])
    const wide = contentOf(Array.from({ length: 5000 }, (_, at) => `${at} ${"x".repeat(4000)}`)).blocks
    expect(wide.reduce((size, { text }) => size + text.length, 0)).toBeLessThanOrEqual(200_000)
    const marks = (seed: string) =>
      Array.from({ length: 1990 }, (_, at) => "+<>=~|%#&@/$"[(at * seed.length + (at >> 3)) % 12]).join(" ")
    const texts = [`${marks("a")}\n\n${marks("bb")}`, `${marks("ccc")}\n\n${marks("ddddd")}`]
    const took = cpuMillis(() => {
      resultsOf([texts[0] ?? "", texts[0] ?? "", texts[1] ?? ""])
      resultsOf(["[](‹".repeat(50_000)])
    })
    expect(took).toBeLessThan(10_000)
  })
})
