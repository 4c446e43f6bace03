/**
 * Quality of the main content against pages with reference text: mean F1 of words, by type of page, and of five folds of
 * hosts, none of which is trained on: they tell how much the pages at hand decide.
 *
 *   SLUICE_BENCH_PAGES=FOLDER npm run bench main-content
 *
 * The folder has the layout of the Web Content Extraction Benchmark (WCXB, M. Foley, CC-BY-4.0), which is not part of
 * this repository: `html/ID.html.gz` and `ground-truth/ID.json`. Without it there are no figures.
 */
import { createHash } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import path from "node:path"
import { gunzipSync } from "node:zlib"
import * as Schema from "effect/Schema"
import { extract } from "../src/Html/Extract.ts"
import { atLeast, atMost, type Bench, type Figure, median } from "./Measure/Figures.ts"

const Truth = Schema.parseJson(
  Schema.Struct({
    url: Schema.optional(Schema.String),
    ground_truth: Schema.Struct({ main_content: Schema.optionalWith(Schema.String, { default: () => "" }) }),
    _internal: Schema.optional(
      Schema.Struct({ page_type: Schema.optional(Schema.Struct({ primary: Schema.optional(Schema.String) })) })
    )
  })
)

const link = String.raw`\[((?:\\.|[^\]\\])*)\]\((?:\\.|[^()\\]|\([^()]*\))*\)`
const [imageMark, linkMark] = [new RegExp(`!${link}`, "g"), new RegExp(link, "g")]

/** Markdown without its marks: reference texts have none. */
const plain = (markdown: string): string =>
  markdown
    .replace(/^```.*$/gm, "")
    .replace(imageMark, "")
    .replace(linkMark, "$1")
    .replace(/^\s*(?:#{1,6}\s+|>\s?|[-*]\s+|\d+\.\s+)/gm, "")
    .replace(/\\(.)/g, "$1")
    .replace(/[*_`|]/g, " ")

const wordsOf = (text: string): ReadonlyArray<string> => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []

/** Of two bags of words; 1 if both have none. */
interface Score {
  readonly f1: number
  readonly precision: number
  readonly recall: number
}

const scoreOf = (found: ReadonlyArray<string>, wanted: ReadonlyArray<string>): Score => {
  if (found.length + wanted.length === 0) return { f1: 1, precision: 1, recall: 1 }
  const left = new Map<string, number>()
  for (const word of wanted) left.set(word, (left.get(word) ?? 0) + 1)
  let common = 0
  for (const word of found) {
    const times = left.get(word) ?? 0
    if (times > 0) common++
    left.set(word, times - 1)
  }
  return {
    f1: (2 * common) / (found.length + wanted.length),
    precision: common / Math.max(1, found.length),
    recall: common / Math.max(1, wanted.length)
  }
}

const folds = 5

/** Pages of one host are in one fold. */
const foldOf = (url: string | undefined, name: string): number => {
  const host = url !== undefined && URL.canParse(url) ? new URL(url).hostname.replace(/^www\./, "") : name
  return createHash("sha1").update(host).digest().readUInt32BE() % folds
}

const pageOf = (folder: string, name: string) => {
  const truth = Schema.decodeSync(Truth)(readFileSync(path.join(folder, "ground-truth", name), "utf8"))
  const html = gunzipSync(readFileSync(path.join(folder, "html", name.replace(/\.json$/, ".html.gz")))).toString("utf8")
  const type = truth._internal?.page_type?.primary ?? "article"
  const wanted = wordsOf(truth.ground_truth.main_content)
  const before = process.cpuUsage()
  const { markdown = "" } = extract(html, {
    wanted: new Set(["markdown"]),
    url: truth.url === "" ? undefined : truth.url,
    onlyMainContent: true,
    removeBase64Images: true,
    blockAds: true
  })
  const { system, user } = process.cpuUsage(before)
  const found = wordsOf(plain(markdown))
  return {
    type: type === "category" ? "collection" : type,
    fold: foldOf(truth.url, name),
    ...scoreOf(found, wanted),
    isEmpty: found.length < 15 && wanted.length >= 50,
    millis: (system + user) / 1_000
  }
}

const mean = (values: ReadonlyArray<number>): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)

/** Goals for the types that have one, and for all pages. */
const goals: Readonly<Record<string, number>> = { all: 0.87, forum: 0.82, product: 0.68 }

const figures = async (): Promise<ReadonlyArray<Figure>> => {
  const folder = process.env.SLUICE_BENCH_PAGES
  if (folder === undefined) {
    console.error(
      "main-content: set SLUICE_BENCH_PAGES to a folder of pages with reference text; see bench/MainContent.ts."
    )
    return []
  }
  const pages = readdirSync(path.join(folder, "ground-truth")).map((name) => pageOf(folder, name))
  const types = ["all", ...[...new Set(pages.map(({ type }) => type))].sort()]
  const scores = types.map((type) => {
    const some = pages.filter((page) => type === "all" || page.type === type)
    return atLeast(`F1 of ${type} (${some.length} pages)`, mean(some.map(({ f1 }) => f1)), "", goals[type] ?? 0)
  })
  const articles = pages.filter(({ type }) => type === "article")
  const byFold = Array.from({ length: folds }, (_, fold) => {
    const some = pages.filter((page) => page.fold === fold)
    return atLeast(`F1 of fold ${fold + 1} of the hosts (${some.length} pages)`, mean(some.map(({ f1 }) => f1)), "", 0)
  })
  return [
    ...scores,
    atLeast("precision of article", mean(articles.map(({ precision }) => precision)), "", 0.94),
    atLeast("recall of article", mean(articles.map(({ recall }) => recall)), "", 0.98),
    ...byFold,
    atMost("pages with text that come out empty", pages.filter(({ isEmpty }) => isEmpty).length, "pages", 0),
    atMost("CPU of a page, median", median(pages.map(({ millis }) => millis)), "ms", 3)
  ]
}

export const bench: Bench = {
  name: "main-content",
  run: figures
}
