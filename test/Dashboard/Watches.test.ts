/** Watches and their changes, as people see them in a browser. */

import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { historyOf, visitKey } from "../../src/Step/ChangeHistory.ts"
import { isMissing } from "../Engine/Render/Installed.ts"
import { describe, expect, layer as sharing } from "../It.ts"
import * as Ledgers from "../Ledger/Ledgers.ts"
import { skipsLong } from "../Long.ts"
import { layer, look, run, Screen } from "./Screen.ts"

const hostile = `<img src="https://elsewhere.example/x" onerror="alert(1)">\u202e`
const long = "x".repeat(400)

/** A watch with these changes, and one that has none yet. */
const watches = Effect.gen(function* () {
  const { ledger } = yield* Screen
  const now = Date.now()
  for (const [id, pipeline] of [
    ["20260201T000000-aaaa", "prices"],
    ["20260202T000000-bbbb", "terms"]
  ] as const) {
    const spec = Ledgers.run(id, { pipeline, stateKey: pipeline, startedAt: now - 60_000 })
    yield* Effect.scoped(Effect.flatMap(ledger.open(spec), (journal) => journal.complete([])))
    const entry = (at: number, key: string, value: object) => ({
      step: historyOf("dedupe"),
      key,
      value: { ...value },
      firstSeen: at,
      lastSeen: at
    })
    const changes = [
      {
        change: "changed",
        key: "javascript:alert(2)",
        summary: hostile,
        diff: `# ${hostile}\na [-${hostile}-]{+${long}+} b`
      },
      { change: "gone", key: `https://shop.example/${long}` }
    ].map((change, index) => {
      const at = now - 120_000 + index
      return entry(at, `${new Date(at).toISOString()} ${change.key}`, { ...change, at, run: id })
    })
    yield* ledger.states.import(
      pipeline,
      Stream.fromIterable([entry(now, visitKey, { run: id }), ...(pipeline === "prices" ? changes : [])])
    )
  }
})

describe.skipIf(isMissing)("Watches in the dashboard", () => {
  sharing(layer, { excludeTestServices: true })("in a browser", (it) => {
    it.scoped.skipIf(skipsLong)(
      "are listed with their latest changes, lead to the diffs, and show texts of pages as text",
      function* () {
        yield* watches
        const { page, problems } = yield* look()
        yield* run(() => page.getByRole("link", { name: "Watches" }).click())
        const row = page.getByRole("row", { name: /^prices/ })
        yield* run(() => row.getByText("Gone").waitFor())
        expect(yield* run(() => row.getByRole("cell", { name: "2", exact: true }).count())).toBe(1)
        expect(yield* run(() => page.getByRole("row", { name: /^terms/ }).textContent())).toContain("none yet")
        yield* run(() => row.getByRole("link", { name: "prices" }).click())
        yield* run(() => page.locator("pre.words del").getByText("elsewhere.example").waitFor())
        expect(yield* run(() => page.locator("pre.words ins").textContent())).toBe(long)
        expect(yield* run(() => page.locator("ol.changes li").count())).toBe(2)
        expect(yield* run(() => page.locator("img, [href^=javascript]").count())).toBe(0)
        expect(problems).toEqual([])
      }
    )

    it.scoped.skipIf(skipsLong)("fit phones, tablets and screens, in light and dark", function* () {
      for (const colorScheme of ["light", "dark"] as const) {
        const { page, problems } = yield* look({ colorScheme })
        for (const width of colorScheme === "light" ? [360, 768, 1440] : [360]) {
          yield* run(() => page.setViewportSize({ width, height: 800 }))
          for (const path of ["watches", "pipelines/prices/changes"]) {
            yield* run(() => page.goto(`${page.url().split("#")[0]}#/${path}`))
            yield* run(() => page.getByText("prices").first().waitFor())
            yield* run(() => page.locator(".loading").waitFor({ state: "detached" }))
            const wide = yield* run(() => page.evaluate<number>("document.documentElement.scrollWidth"))
            expect(wide, `${path}, ${colorScheme}`).toBe(width)
          }
        }
        expect(problems).toEqual([])
      }
    })
  })
})
