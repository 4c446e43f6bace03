/**
 * Two hundred pairs of pages, half of them with a change that matters, after two fetches that teach what differs at every visit.
 *
 * The rules were made with other seeds than these. `SLUICE_PAIRS=a,b,c` compares a hundred pairs of each of those seeds.
 */
import { describe, expect, it } from "@effect/vitest"
import { blocksOf } from "../../src/Change/Blocks.ts"
import { type Comparison, compare, type Rules, type Snapshot } from "../../src/Change/Compare.ts"
import { sentence, wordDiff } from "../../src/Change/Describe.ts"
import { extract } from "../../src/Html/Extract.ts"
import { whole } from "../Health/Random.ts"
import { skipsLong } from "../Long.ts"
import { repetitions } from "../Repetitions.ts"
import { type ChangeKind, changeKinds, noiseOf, pageAt } from "./Pages.ts"

const seeds = process.env.SLUICE_PAIRS?.split(",") ?? ["curlew", "dunlin"].slice(0, repetitions(2, 1))

const rules: Rules = { ignore: () => false, always: () => false, teaches: ({ at: first }, at) => at - first <= 600_000 }
const start = Date.UTC(2026, 4, 11, 9, 30)
const day = 86_400_000

const markdownOf = (html: string): string =>
  extract(html, {
    wanted: new Set(["markdown"]),
    url: "https://site.example/page",
    onlyMainContent: true,
    removeBase64Images: true,
    blockAds: true
  }).markdown ?? ""

const comparedPair = (seed: string, index: number, change: ChangeKind | undefined): Comparison => {
  const own = `${seed} ${index}`
  const noise = noiseOf(own, index)
  const visit = (before: Snapshot | undefined, number: number, at: number, deed?: ChangeKind) =>
    compare(before, blocksOf(markdownOf(pageAt(own, { number, at, noise, change: deed }))), at, rules)
  const first = visit(undefined, 1, start)
  const second = visit(first.next, 2, start + 60_000)
  return visit(second.next, 3, start + whole(1, 40, own, "days") * day + whole(0, 86_000, own) * 1000, change)
}

const describePair = (seed: string, index: number, { differences, ignored }: Comparison): string =>
  `${seed} ${index} [${noiseOf(`${seed} ${index}`, index).join(", ")}]: ${sentence(differences)}\n${wordDiff(differences)}\n(${ignored.join(" | ")})`

describe("pairs of pages", () => {
  it.skipIf(skipsLong)("with noise alone are the same, and with a change that matters are not", () => {
    const alarms: Array<string> = []
    const missed: Array<string> = []
    for (const seed of seeds) {
      for (let index = 0; index < 50; index++) {
        const quiet = comparedPair(seed, index, undefined)
        if (quiet.result !== "same") alarms.push(describePair(seed, index, quiet))
        const kind = changeKinds[index % changeKinds.length]
        const changed = comparedPair(seed, index, kind)
        if (changed.result !== "changed") missed.push(`${kind} in ${describePair(seed, index, changed)}`)
      }
    }
    const shown = `${alarms.length} false, ${missed.length} missed of ${50 * seeds.length} each\n${[...alarms, ...missed].join("\n\n")}`
    if (process.env.SLUICE_PAIRS !== undefined) console.log(shown)
    expect(alarms.length, shown).toBeLessThanOrEqual(seeds.length)
    expect(missed.length, shown).toBeLessThanOrEqual(seeds.length)
  })
})
