/** Hand-written parts of the engine against the libraries that would replace them: CPU time, in turns and warm, on the same input. */
import { randomBytes } from "node:crypto"
import * as Xlsx from "@e965/xlsx"
import { Parser } from "htmlparser2"
import RobotsParser from "robots-parser"
import { FairScheduler, makeHosts, type StartedPage } from "../src/Engine/Fetch/FairScheduler.ts"
import { readRobots } from "../src/Engine/Fetch/Robots.ts"
import { streamOf } from "../src/Engine/Parse/Compound.ts"
import { readWorkbook } from "../src/Engine/Parse/Sheet.ts"
import { entriesOf, readPart } from "../src/Engine/Parse/Zip.ts"
import { defaultShares, make as makeMemory } from "../src/Engine/Teams/PageMemory.ts"
import { type StartTag, tokenize } from "../src/Html/Tokenizer.ts"
import { atLeast, atMost, type Bench, type Figure, median, noted } from "./Measure/Figures.ts"

/** The package is CommonJS, but its types declare a default export. */
const robotsParser = RobotsParser as unknown as typeof RobotsParser.default

const rounds = 5

/** CPU milliseconds of one run; fails when it does not return `expected`. */
const cpuOf = (run: () => number, expected: number): number => {
  const before = process.cpuUsage()
  const count = run()
  if (count !== expected) throw new Error(`${count} were read instead of ${expected}`)
  const { system, user } = process.cpuUsage(before)
  return (system + user) / 1000
}

export const compare = (
  part: string,
  library: string,
  expected: number,
  ours: () => number,
  theirs: () => number,
  least: number,
  times = rounds
) => {
  const turns = Array.from({ length: times + 1 }, () => ({
    ours: cpuOf(ours, expected),
    theirs: cpuOf(theirs, expected)
  }))
  // The first round warms both up.
  const warm = turns.slice(1)
  return [
    noted(`CPU of our ${part}`, median(warm.map((turn) => turn.ours)), "ms"),
    noted(`CPU of ${library}`, median(warm.map((turn) => turn.theirs)), "ms"),
    atLeast(
      `CPU of ${library} against our ${part}`,
      median(warm.map((turn) => turn.theirs / turn.ours)),
      "times",
      least
    )
  ]
}

const item = (number: number): string =>
  `<article class="card card--wide" id="item-${number}" data-price="${number}.50"><h2><a href="/items/${number}?ref=list&amp;page=2">Item ${number} &ndash; blue</a></h2>` +
  `<img src="/images/${number}.jpg" alt="A picture of item ${number}" loading="lazy"><p>Some words about this item, which <em>float</em> &amp; sink with the tide.</p></article>\n`

const items = 5_000
const page = `<!doctype html><html><head><title>Items</title><script>if (1 < 2) start("</div>")</script></head><body>${Array.from({ length: items }, (_, number) => item(number)).join("")}</body></html>`

const tokenizer = (): ReadonlyArray<Figure> => {
  const expected = items * 6 + 5
  const ours = () => {
    let tags = 0
    const ignore = () => undefined
    const open = ({ rules }: StartTag) => {
      tags++
      return rules.content
    }
    tokenize(page, {
      text: ignore,
      open,
      close: ignore,
      raw: ignore,
      comment: ignore,
      doctype: ignore,
      isForeign: () => false
    })
    return tags
  }
  const theirs = () => {
    let tags = 0
    const parser = new Parser({ onopentag: () => void tags++, ontext: () => undefined })
    parser.end(page)
    return tags
  }
  return compare("HTML tokenizer", "htmlparser2", expected, ours, theirs, 1.2)
}

/** One allowed and one refused path in turn, over a file with many rules. */
const robots = (): ReadonlyArray<Figure> => {
  const rules = 2_000
  const text = `User-agent: *\n${Array.from({ length: rules }, (_, rule) => `Disallow: /private-${rule}/*/edit$`).join("\n")}\n`
  const paths = Array.from({ length: 500 }, (_, at) => `/${at % 2 === 0 ? "private" : "public"}-${at}/a/b/edit`)
  const ours = () => {
    const file = readRobots(text)
    return paths.filter((path) => file.isAllowed(path, "Sluice/1.0")).length
  }
  const theirs = () => {
    const file = robotsParser("https://site.example/robots.txt", text)
    return paths.filter((path) => file.isAllowed(`https://site.example${path}`, "Sluice/1.0") === true).length
  }
  return compare("robots.txt reader", "robots-parser", paths.length / 2, ours, theirs, 1.5)
}

const workbook = (): ReadonlyArray<Figure> => {
  const rows = 20_000
  const sheet = Xlsx.utils.aoa_to_sheet(
    Array.from({ length: rows }, (_, row) => [
      `Harbour & quay ${row}`,
      row,
      row / 7,
      row % 2 === 0,
      `low water ${row % 100}`
    ])
  )
  const book = Xlsx.utils.book_new()
  Xlsx.utils.book_append_sheet(book, sheet, "Tides")
  const bytes = Buffer.from(Xlsx.write(book, { type: "buffer", bookType: "xlsx" }))
  const ours = () => {
    const grid = readWorkbook(bytes, "xlsx").blocks.find(({ kind }) => kind === "grid")
    return grid?.kind === "grid" ? grid.rows.length : 0
  }
  const theirs = () => {
    const read = Xlsx.read(bytes, { dense: true, cellHTML: false, cellFormula: false })
    return Xlsx.utils.sheet_to_json(read.Sheets.Tides ?? {}, { header: 1, raw: false, defval: "" }).length
  }
  return compare("reader of plain sheets", "@e965/xlsx", rows, ours, theirs, 2)
}

/** One small part out of a large container: OLE2 as of Word and Excel before 2007, and ZIP. */
const containers = (): ReadonlyArray<Figure> => {
  const { CFB } = Xlsx
  const size = 5_000
  const small = Buffer.alloc(size, "x")
  const file = (large: Buffer, name: string, options: object): Buffer => {
    const container = CFB.utils.cfb_new()
    CFB.utils.cfb_add(container, "/large", large)
    CFB.utils.cfb_add(container, name, small)
    return Buffer.from(CFB.write(container, { type: "buffer", ...options }))
  }
  const byLibrary = (bytes: Buffer, name: string) => () =>
    CFB.find(CFB.read(bytes, { type: "buffer" }), name).content.length
  const compound = file(randomBytes(10_000_000), "/SummaryInformation", {})
  const zip = file(Buffer.alloc(16_000_000, "low water "), "/docProps/core.xml", { fileType: "zip", compression: true })
  return [
    ...compare(
      "reader of OLE2 streams",
      "CFB.read of @e965/xlsx, for OLE2",
      size,
      () => streamOf(compound, "SummaryInformation")?.length ?? 0,
      byLibrary(compound, "SummaryInformation"),
      10
    ),
    ...compare(
      "reader of ZIP parts",
      "CFB.read of @e965/xlsx, for ZIP",
      size,
      () => readPart(zip, entriesOf(zip), "docProps/core.xml")?.length ?? 0,
      byLibrary(zip, "/docProps/core.xml"),
      10
    )
  ]
}

/** What each page of a crawl passes before it is fetched: its turn at the host, a worker, memory for its body. Four teams of three jobs. */
const admission = (): ReadonlyArray<Figure> => {
  const jobs = Array.from({ length: 12 }, (_, job) => ({ id: `job ${job}`, team: `team ${job % 4}` }))
  const pages = 20_000
  const lease = 50
  const run = () => {
    const scheduler = new FairScheduler(8, makeHosts(), { workers: 16, teams: 4 })
    const memory = makeMemory(defaultShares(256 * 1024 * 1024))
    for (const { id, team } of jobs) scheduler.join(id, { team, maxConcurrency: 100, delay: 0 })
    const fetched: Array<{ readonly page: StartedPage; readonly close: () => void }> = []
    let [added, released] = [0, 0]
    const add = () => {
      for (const { id: jobId } of jobs) {
        if (added === pages || scheduler.waiting(jobId) > 0) continue
        const tasks = Array.from({ length: Math.min(lease, pages - added) }, (_, at) => ({
          id: added + at,
          jobId,
          url: `http://host-${at}.example/page/${added + at}`,
          depth: 0,
          queued_at: 1
        }))
        scheduler.add(tasks)
        added += tasks.length
      }
    }
    for (;;) {
      add()
      const next = scheduler.take(released)
      if (!("until" in next)) {
        const { close } = memory.enter({ team: next.team, host: next.url }, undefined)
        fetched.push({ page: next, close })
        continue
      }
      const first = fetched.shift()
      if (first === undefined) return released
      first.close()
      scheduler.release(first.page, released++)
    }
  }
  const turns = Array.from({ length: rounds + 1 }, () => cpuOf(run, pages)).slice(1)
  return [atMost("CPU of admitting a page of a crawl", (median(turns) * 1000) / pages, "µs", 50)]
}

export const bench: Bench = {
  name: "parts",
  run: () => Promise.resolve([...tokenizer(), ...robots(), ...workbook(), ...containers(), ...admission()])
}
