/** Cost of reading a file: CPU time, warm, against the usual converters where they are installed. */
import { spawnSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { convert } from "../src/Engine/Parse/Convert.ts"
import { kindOfExtension } from "../src/Engine/Parse/Sniff.ts"
import { atLeast, atMost, type Bench, median, noted } from "./Measure/Figures.ts"
import { folderFor, remove } from "./Measure/Programs.ts"
import { endToEnd } from "./Parse/EndToEnd.ts"
import * as Samples from "./Parse/Samples.ts"

const rounds = 12

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

/** Processor milliseconds of reading one file, after the first times. */
const ours = async (path: string, onlyMainContent = false, times = rounds, warm = 10): Promise<number> => {
  const promised = kindOfExtension[path.slice(path.lastIndexOf("."))]
  const job = { path, name: path, promised, limitMillis: 60_000, options: { ...options, onlyMainContent } }
  const spent: Array<number> = []
  for (let round = 0; round < times + warm; round += 1) {
    const before = process.cpuUsage()
    await convert(job)
    const { system, user } = process.cpuUsage(before)
    if (round >= warm) spent.push((user + system) / 1000)
  }
  return median(spent)
}

/** Processor milliseconds of a command and what it starts; undefined when it is not installed or fails. */
const theirs = (command: string): number | undefined => {
  const measure = (): number | undefined => {
    // `times` of a shell ends with what its children spent: user and system, in minutes and seconds.
    const { status, stdout } = spawnSync("bash", ["-c", `${command} >/dev/null 2>&1 || exit 1; times`], {
      encoding: "utf8",
      timeout: 120_000
    })
    const spent = stdout
      ?.trim()
      .split("\n")
      .at(-1)
      ?.matchAll(/(\d+)m([\d.]+)s/g)
    return status !== 0 || spent === undefined
      ? undefined
      : [...spent].reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60_000 + Number(seconds) * 1000, 0)
  }
  const spent = Array.from({ length: 3 }, measure).flatMap((value) => (value === undefined ? [] : [value]))
  return spent.length === 0 ? undefined : median(spent)
}

const faster = (metric: string, peer: number | undefined, own: number, least: number) =>
  peer === undefined ? [] : [atLeast(metric, peer / own, "×", least)]

export const bench: Bench = {
  name: "parse",
  run: async () => {
    const folder = folderFor()
    const place = (name: string, bytes: Buffer): string => {
      const path = join(folder, name)
      writeFileSync(path, bytes)
      return path
    }
    const page = Samples.html()
    const files = {
      docx: place("a.docx", await Samples.docx()),
      odt: place("a.odt", Samples.odt()),
      rtf: place("a.rtf", Samples.rtf()),
      pdf: place("a.pdf", await Samples.pdf()),
      html: place("a.html", page),
      xls: place("a.xls", Samples.workbook("biff8", 5000)),
      xlsx: place("a.xlsx", Samples.workbook("xlsx", 100_000))
    }
    const megabytes = page.length / 1_000_000
    const pandoc = (from: "docx" | "odt" | "rtf") => theirs(`pandoc -f ${from} -t gfm ${files[from]}`)
    const office = (file: string) => theirs(`soffice --headless --convert-to html --outdir ${folder} ${file}`)
    // Nothing here writes .doc: where the office is installed, it does.
    const doc = join(folder, "a.doc")
    const hasDoc = theirs(`soffice --headless --convert-to doc --outdir ${folder} ${files.docx}`) !== undefined
    const whole = await endToEnd(
      [files.docx, files.odt, files.rtf, files.html, place("b.xls", Samples.workbook("biff8", 200))],
      [files.xlsx, files.pdf]
    )
    const pdftotext = theirs(`pdftotext ${files.pdf} -`)
    const pdf = await ours(files.pdf)
    // Before the workbooks: what they leave for the collector would be counted here.
    const html = { all: await ours(files.html), main: await ours(files.html, true) }
    const measured = [
      ...faster("docx: pandoc / sluice", pandoc("docx"), await ours(files.docx), 10),
      ...faster("odt: pandoc / sluice", pandoc("odt"), await ours(files.odt), 10),
      ...faster("rtf: pandoc / sluice", pandoc("rtf"), await ours(files.rtf), 10),
      ...(hasDoc ? faster("doc: LibreOffice / sluice", office(doc), await ours(doc), 10) : []),
      ...faster("xls: LibreOffice / sluice", office(files.xls), await ours(files.xls), 10),
      ...(pdftotext === undefined ? [] : [atMost("pdf: sluice / pdftotext", pdf / pdftotext, "×", 1.5)]),
      atMost("pdf of text and tables, a page", pdf / 40, "ms", 10),
      atMost("html, all of it, a megabyte", html.all / megabytes, "ms", 20),
      atMost("html, main content, a megabyte", html.main / megabytes, "ms", 150),
      atMost("xlsx of 100,000 rows and 8 columns", await ours(files.xlsx, false, 3, 1), "ms", 2000),
      atMost("upload to answer, half of the files within", whole.p50, "ms", 10),
      atMost("upload to answer, 95 of 100 files within", whole.p95, "ms", 150),
      noted("the first file, for which a child is started", whole.first, "ms"),
      noted("memory at rest without a child", whole.alone, "MB"),
      noted("memory at rest with a child", whole.idle, "MB"),
      atMost("memory of the server and two children at work", whole.peak, "MB", 1200)
    ]
    remove(folder)
    return measured
  }
}
