/**
 * Counts the fields that `repair` finds again after the redesign of a site. `SLUICE_REDESIGNS=1` prints a table by kind of redesign,
 * `SLUICE_REDESIGNS=cases` also prints what is missed.
 */
import { setImmediate } from "node:timers/promises"
import { describe, expect, it } from "@effect/vitest"
import * as Either from "effect/Either"
import type { Element } from "../../src/Html/Element.ts"
import { sourceOf } from "../../src/Html/FieldRows.ts"
import { openPage, type Page, parsePage, readField } from "../../src/Html/Fields.ts"
import { readText } from "../../src/Html/FieldText.ts"
import { parseQuery } from "../../src/Html/Select.ts"
import { type Extraction, type Report, repair } from "../../src/Step/Extract/Repair.ts"
import { skipsLong } from "../Long.ts"
import { repetitions } from "../Repetitions.ts"
import type { Item, Site } from "./RedesignBox.ts"
import { daysOf, isChangedBy, type SitePage } from "./RedesignDays.ts"
import { jobs } from "./RedesignJobs.ts"
import { registers } from "./RedesignRegisters.ts"
import { shops } from "./RedesignShops.ts"
import { type Redesign, redesigns, relaunch } from "./Redesigns.ts"
import { texts } from "./RedesignTexts.ts"

const sites: ReadonlyArray<Site> = [...shops, ...texts, ...jobs, ...registers]

const seeds = process.env.SLUICE_REDESIGN_SEEDS?.split(",") ?? ["linden", "rowan"].slice(0, repetitions(2, 1))
const now = Date.UTC(2026, 10, 20)

interface OpenPage {
  readonly page: Page
  readonly items: ReadonlyArray<Item>
  readonly rows: ReadonlyArray<string>
}
type Sources = Extraction["fields"][string]

interface Case {
  readonly kind: string
  readonly site: string
  readonly field: string
  readonly isRight: boolean
  readonly isProved: boolean
  readonly isBroken: boolean
  /** The proposal, and the first wrong value that it gives. */
  readonly told: string
  readonly html: string
}

const open = ({ html, items, rows, url }: SitePage): OpenPage => ({
  page: openPage(parsePage(html, url), {}, now),
  items,
  rows
})

const elementsOf = ({ page }: OpenPage, rows: string | undefined): ReadonlyArray<Element> =>
  rows === undefined
    ? [page.tree.root]
    : Either.match(parseQuery(rows), { onLeft: () => [], onRight: (query) => query.all(page.tree.root, 1000) })

/** The selector finds the rows with all that is in them, and nothing else. */
const findsRows = (pages: ReadonlyArray<OpenPage>, rows: string): boolean =>
  pages.every((open) => {
    const found = elementsOf(open, rows)
    return (
      found.length === open.rows.length && found.every((row, at) => readText(row).replace(/\s+/g, "") === open.rows[at])
    )
  })

const isTrue = (given: unknown, wanted: unknown): boolean =>
  typeof wanted === "number" ? Math.abs(Number(given ?? Number.NaN) - wanted) < 0.005 : given === wanted

/** The first value that is not the true one; undefined if all are. */
const wrongIn = (pages: ReadonlyArray<OpenPage>, rows: string | undefined, name: string, sources: Sources) => {
  const list = Array.isArray(sources) ? sources : [sources]
  const compiled = Either.all(list.map((each) => sourceOf(name, each)))
  if (Either.isLeft(compiled)) return compiled.left
  for (const open of pages) {
    const found = elementsOf(open, rows)
    for (const [at, item] of open.items.entries()) {
      const element = found[at]
      const given = element === undefined ? undefined : readField(open.page, element, compiled.right)
      if (!isTrue(given, item[name])) return `${JSON.stringify(given)} for ${JSON.stringify(item[name])}`
    }
  }
  return undefined
}

const judge = (site: Site, redesign: Redesign, seed: string): ReadonlyArray<Case> => {
  const { fields, rows } = site.definition
  const days = daysOf(site, redesign, seed)
  const [shown, heldOut] = [days.shown.map(open), days.heldOut.map(open)]
  const all = [...shown, ...heldOut]
  const knownAt = new Map(days.before.map(({ items, url }) => [url, items]))
  const pages = shown.map(({ page }, at) => ({
    page,
    rows: (knownAt.get(days.shown[at]?.url ?? "") ?? []).map((item) =>
      Object.fromEntries(Object.keys(fields).map((name) => [name, item[name]]))
    )
  }))
  const report: Report = repair(pages, site.definition)
  const html = days.heldOut[0]?.html ?? ""
  const common = { kind: redesign.kind, site: site.name, html }

  const newRows = report.rows === "lost" ? undefined : report.rows
  const scope = newRows?.selector ?? rows
  const isFound = scope === undefined || findsRows(all, scope)
  const isLost = rows !== undefined && !findsRows(all, rows)
  const ofRows: ReadonlyArray<Case> =
    rows === undefined
      ? []
      : [
          {
            ...common,
            field: "(rows)",
            isBroken: isLost,
            isRight: isFound,
            isProved: newRows !== undefined,
            told: `${rows} -> ${scope}`
          }
        ]
  const ofFields = Object.entries(fields).map(([field, sources]): Case => {
    const told = report.fields.find(({ name }) => name === field)
    const given = told?.proposal?.sources
    const wrong = given === undefined ? "nothing proposed" : wrongIn(all, scope, field, given)
    const wrongNow = wrongIn(all, scope, field, sources)
    return {
      ...common,
      field,
      isBroken: !isFound || wrongNow !== undefined,
      isRight:
        isFound && (wrongNow === undefined || wrong === undefined) && (given === undefined || wrong === undefined),
      isProved: told?.proposal?.isProved === true,
      told: `${JSON.stringify(sources)} (${told?.isBroken ? "broken" : "fine"} ${JSON.stringify(told?.now)}: ${wrongNow ?? "right"}) -> ${JSON.stringify(given)}: ${wrong ?? "right"} ${isFound ? "" : "(rows wrong)"}`
    }
  })
  return [...ofRows, ...ofFields]
}

const counts = (cases: ReadonlyArray<Case>) => {
  const broken = cases.filter(({ isBroken }) => isBroken)
  return {
    fields: cases.length,
    broken: broken.length,
    right: broken.filter(({ isRight }) => isRight).length,
    proved: broken.filter(({ isProved }) => isProved).length,
    wrongButProved: cases.filter(({ isProved, isRight }) => isProved && !isRight).length
  }
}

describe("repair after redesigns", () => {
  it.each(sites)("reads every field of $name before", (site) => {
    const pages = daysOf(site, relaunch, "linden").before.map(open)
    for (const [name, sources] of Object.entries(site.definition.fields))
      expect([name, wrongIn(pages, site.definition.rows, name, sources)]).toEqual([name, undefined])
  })

  it.skipIf(skipsLong)("finds nine of ten broken fields again, and calls nothing wrong proved", async () => {
    const cases: Array<Case> = []
    const began = process.cpuUsage()
    for (const seed of seeds)
      for (const site of sites) {
        for (const redesign of [...redesigns, relaunch])
          if (isChangedBy(site, redesign)) cases.push(...judge(site, redesign, seed))
        await setImmediate()
      }
    const ofTwelve = cases.filter(({ kind }) => kind !== relaunch.kind)
    const { system, user } = process.cpuUsage(began)
    const missed = cases.filter(({ isBroken, isProved, isRight }) => !isRight && (isBroken || isProved))
    const line = ({ field, isProved, kind, site, told }: Case) =>
      `${kind} | ${site} | ${field}${isProved ? " | PROVED" : ""} | ${told}`
    if (process.env.SLUICE_REDESIGNS !== undefined) {
      console.table(
        Object.fromEntries([
          ...[...redesigns, relaunch].map(
            ({ kind }) => [kind, counts(cases.filter((each) => each.kind === kind))] as const
          ),
          ["the twelve", counts(ofTwelve)]
        ])
      )
      console.log(`${Math.round((user + system) / 1000)} ms of CPU`)
      if (process.env.SLUICE_REDESIGNS === "cases")
        for (const each of missed) console.log(`${line(each)}\n${process.env.SLUICE_REDESIGN_HTML ? each.html : ""}`)
    }
    // The goal is for one kind at a time; nothing wrong may be called proved after several either.
    const { broken, right } = counts(ofTwelve)
    expect(broken).toBeGreaterThan(175 * seeds.length)
    expect(missed.filter(({ isProved }) => isProved).map(line)).toEqual([])
    expect(right / broken, missed.map(line).join("\n")).toBeGreaterThanOrEqual(0.9)
  })

  it("prefers the price that is valid to a former one that is struck out", () => {
    const repaired = (cheaper: number, less: number) => {
      const pages = Array.from({ length: 12 }, (_, at) => {
        const before = 10 + at
        const price = at < cheaper ? before - less : before
        const html = `<h1>Item ${at}</h1><s class="was">${before}.00 €</s> <b class="now">${price}.00 €</b>`
        const page = openPage(parsePage(html, `https://shop.example/${at}`), {}, now)
        return { page, rows: [{ title: `Item ${at}`, price: before }] }
      })
      const { fields } = repair(pages, { fields: { title: "h1", price: { css: ".price", as: "price" } } })
      return fields.find(({ name }) => name === "price")?.proposal
    }
    const [few, all] = [repaired(3, 1), repaired(12, 5)]
    expect(few).toMatchObject({ isProved: true, comparison: { equal: 9, near: 3 } })
    expect(JSON.stringify(few?.sources)).toContain(".now")
    // The former price has all of the last good values.
    expect(all).toMatchObject({ isProved: false, comparison: { equal: 12 } })
  })
})
