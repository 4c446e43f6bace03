/**
 * A test set with graded relevance, made of the manuals in published packages as TREC CAR makes its own of an encyclopedia: every
 * section is a document (its text without its heading, under the title of its manual), every heading with those above it
 * a query. Its own section is what was looked for (2), sections within that one are related (1), all others are not.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

/** Exactly these: the figures of two runs can be compared. */
export const packages = [
  "@effect/language-service@0.87.2",
  "@effect/platform@0.97.2",
  "ajv@8.17.1",
  "axios@1.15.2",
  "commander@14.0.3",
  "dependency-cruiser@17.4.3",
  "diff@9.0.0",
  "enhanced-resolve@5.22.1",
  "expect-type@1.4.0",
  "fast-check@3.23.2",
  "glob@10.5.0",
  "ip-address@10.7.6",
  "minipass@7.1.3",
  "msgpackr@1.12.1",
  "pdf-lib@1.17.1",
  "picomatch@4.0.7",
  "prompts@2.4.2",
  "re2js@2.10.0",
  "regexp-tree@0.1.27",
  "smart-buffer@4.2.0",
  "smol-toml@1.9.1",
  "socks@2.8.10",
  "source-map-js@1.2.3",
  "tapable@2.3.4",
  "undici@7.30.0",
  "xml-js@1.6.11",
  "yargs@17.7.3",
  "yauzl@2.10.0",
  "zod-to-json-schema@3.25.2"
]

export interface Entry {
  readonly id: string
  readonly title: string
  readonly text: string
}

export interface Topic {
  readonly query: string
  /** Grades by the document's id; what is not there is not relevant. */
  readonly grades: Readonly<Record<string, number>>
  /** Document that the query was taken from: left out of the results. */
  readonly askedBy?: string | undefined
}

interface Section extends Entry {
  readonly level: number
  readonly heading: string
  /** Headings above it, the manual's title first. */
  readonly above: ReadonlyArray<string>
}

const plain = (markdown: string): string =>
  markdown
    .replace(/<[^>]*>/g, " ")
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[`*_#|]+/g, " ")
    .replace(/\s+/g, " ")
    .trim()

const sectionsOf = (file: string, markdown: string): ReadonlyArray<Section> => {
  const sections: Array<Section> = []
  const path: Array<{ readonly level: number; readonly heading: string }> = []
  let [heading, level, lines, isCode]: [string, number, Array<string>, boolean] = ["", 0, [], false]
  const close = () => {
    const text = plain(lines.join("\n"))
    const above = path.map((one) => one.heading)
    const title = above[0] ?? heading
    if (heading !== "" && text.length >= 80) {
      sections.push({ id: `${file}#${sections.length}`, title, text, level, heading, above })
    }
    lines = []
  }
  for (const line of markdown.split("\n")) {
    if (/^\s*(```|~~~)/.test(line)) isCode = !isCode
    const found = isCode ? null : /^(#{1,5})\s+(.+)$/.exec(line)
    if (found === null) {
      lines.push(line)
      continue
    }
    close()
    if (heading !== "") path.push({ level, heading })
    level = (found[1] ?? "").length
    heading = plain(found[2] ?? "")
    while ((path.at(-1)?.level ?? 0) >= level) path.pop()
  }
  close()
  return sections
}

/** Said in every manual, about nothing. */
const hollow =
  /^(licen[sc]e|install(ation)?|usage|examples?|contribut(ing|ors)|table of contents|changelog|credits|api)$/i

const topicsOf = (sections: ReadonlyArray<Section>): ReadonlyArray<Topic> =>
  sections.flatMap((section, at) => {
    const { above, heading, id, level } = section
    if (level < 2 || hollow.test(heading) || !/\p{L}{3}/u.test(heading)) return []
    const below: Array<string> = []
    for (const next of sections.slice(at + 1)) {
      if (next.level <= level) break
      below.push(next.id)
    }
    const query = [...above.slice(0, 1), ...above.slice(1).slice(-1), heading].join(" ").slice(0, 300)
    return [{ query, grades: { ...Object.fromEntries(below.map((other) => [other, 1])), [id]: 2 } }]
  })

/** Reads the manuals of the packages in a `node_modules`; where they came from does not change the order. */
export const read = (folder: string) => {
  const all = packages.flatMap((name) => {
    const bare = name.slice(0, name.lastIndexOf("@"))
    const root = join(folder, bare)
    return readdirSync(root, { recursive: true, encoding: "utf8" })
      .filter((path) => /\.md$/i.test(path) && !/node_modules|change|license|history/i.test(path))
      .sort()
      .map((path) => sectionsOf(`${bare}/${path}`, readFileSync(join(root, path), "utf8")))
  })
  return {
    entries: all.flat().map(({ id, text, title }): Entry => ({ id, title, text })),
    topics: all.flatMap(topicsOf)
  }
}

const gain = (grades: ReadonlyArray<number>): number =>
  grades.slice(0, 10).reduce((sum, grade, at) => sum + (2 ** grade - 1) / Math.log2(at + 2), 0)

/** The mean of nDCG@10: 1 when every query has its relevant documents first, in order of their grades. */
export const ndcg = (topics: ReadonlyArray<Topic>, rankings: ReadonlyArray<ReadonlyArray<string>>): number =>
  topics.reduce((sum, { askedBy, grades }, at) => {
    const ideal = Object.values(grades).sort((one, other) => other - one)
    const found = (rankings[at] ?? []).filter((id) => id !== askedBy)
    return sum + gain(found.map((id) => grades[id] ?? 0)) / gain(ideal)
  }, 0) / topics.length
