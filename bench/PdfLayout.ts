/**
 * Layout of printed PDFs against their known truth: tables, headings, columns, notes, captions, running lines.
 *
 *   npm run bench pdf-layout
 *
 * Chromium prints the documents of `PdfLayout/Documents.ts` without tags, so that only positions and fonts tell the
 * structure. `SLUICE_BENCH_PDFS=FOLDER` keeps the PDFs and the Markdown, and reads the PDFs that are already there.
 */
import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { chromium } from "playwright-core"
import { convert } from "../src/Engine/Parse/Convert.ts"
import { chromiumSandbox, chromium as found } from "./Measure/Browsers.ts"
import { atLeast, type Bench, type Figure, noted } from "./Measure/Figures.ts"
import { folderFor, remove } from "./Measure/Programs.ts"
import { samples } from "./PdfLayout/Documents.ts"
import { type Scores, scoresOf } from "./PdfLayout/Score.ts"

const options = {
  formats: ["markdown"],
  onlyMainContent: false,
  onlyCleanContent: false,
  includeTags: [],
  excludeTags: [],
  removeBase64Images: true,
  blockAds: true,
  budgetMillis: 60_000
}

const printMissing = async (folder: string): Promise<void> => {
  const missing = samples.filter(({ name }) => !existsSync(join(folder, `${name}.pdf`)))
  if (missing.length === 0) return
  const browser = await chromium.launch({ executablePath: found(), chromiumSandbox })
  const page = await browser.newPage()
  for (const { html, name } of missing) {
    await page.setContent(html)
    await page.pdf({ path: join(folder, `${name}.pdf`), preferCSSPageSize: true, printBackground: true, tagged: false })
  }
  await browser.close()
}

const mean = (values: ReadonlyArray<number | undefined>): number | undefined => {
  const known = values.filter((value) => value !== undefined)
  return known.length === 0 ? undefined : known.reduce((sum, value) => sum + value, 0) / known.length
}

const goals: Readonly<Record<keyof Scores, number>> = {
  tables: 0.95,
  headings: 0.96,
  order: 0.97,
  notes: 1,
  running: 1
}
const kinds = Object.keys(goals) as ReadonlyArray<keyof Scores>

/** The kind of score that a group of documents is about. */
const subjectOf = (group: string): keyof Scores =>
  group.startsWith("table")
    ? "tables"
    : group.startsWith("headings")
      ? "headings"
      : group === "footnotes" || group === "captions"
        ? "notes"
        : group === "running lines"
          ? "running"
          : "order"

export const bench: Bench = {
  name: "pdf-layout",
  run: async () => {
    const kept = process.env.SLUICE_BENCH_PDFS
    const folder = kept ?? folderFor()
    mkdirSync(folder, { recursive: true })
    await printMissing(folder)
    const scored: Array<{ readonly group: string; readonly scores: Scores }> = []
    for (const { group, name, truth } of samples) {
      const path = join(folder, `${name}.pdf`)
      const { document } = await convert({ path, name, promised: "pdf", limitMillis: 60_000, options })
      const markdown = document.markdown ?? ""
      if (kept !== undefined) writeFileSync(join(folder, `${name}.md`), markdown)
      scored.push({ group, scores: scoresOf(markdown, truth) })
    }
    if (kept === undefined) remove(folder)
    const groups = [...new Set(scored.map(({ group }) => group))]
    return [
      ...kinds.flatMap((kind): ReadonlyArray<Figure> => {
        const value = mean(scored.map(({ scores }) => scores[kind]))
        return value === undefined ? [] : [atLeast(`all: ${kind}`, value, "", goals[kind])]
      }),
      ...groups.flatMap((group) => {
        const kind = subjectOf(group)
        const value = mean(scored.filter((one) => one.group === group).map(({ scores }) => scores[kind]))
        return value === undefined ? [] : [noted(`${group}: ${kind}`, value, "")]
      })
    ]
  }
}
