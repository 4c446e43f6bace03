/**
 * Judged searches over manuals in packages of Debian, derived from what the authors of the manuals wrote for readers:
 *
 * - `index`: an entry of an index (PostgreSQL, LibreOffice) asks for the pages that it refers to.
 * - `questions`: a question of a FAQ (Perl, Python) asks for its own answer, which is stored without the question.
 * - `related`: the first paragraph of a manual page (Linux) asks for the pages under SEE ALSO, which is left out.
 * - `passages`: a paragraph of 30 to 80 words of any of these manuals asks for the document that it was taken out of.
 *
 * Only this code is part of the repository: the manuals are downloaded by `apt-get`. Half of the queries, chosen by a hash, are for
 * development; the other half is for tests.
 */
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync } from "node:fs"
import { basename, join } from "node:path"
import { gunzipSync } from "node:zlib"
import type { Entry, Topic } from "./Collection.ts"
import { withPassages } from "./Passages.ts"

const packages = [
  "libreoffice-help-en-us",
  "manpages",
  "manpages-dev",
  "perl-doc",
  "postgresql-doc-15",
  "python3.11-doc"
]

/** Downloads and unpacks packages into the folder, unless it has some. False where there is no `apt-get`, or not these packages. */
export const download = (folder: string, names: ReadonlyArray<string> = packages): boolean => {
  if (existsSync(join(folder, "usr"))) return true
  mkdirSync(folder, { recursive: true })
  const runs = (program: string, ...words: ReadonlyArray<string>) =>
    spawnSync(program, words, { cwd: folder, stdio: "ignore" }).status === 0
  return (
    runs("apt-get", "download", ...names) &&
    readdirSync(folder)
      .filter((name) => name.endsWith(".deb"))
      .every((name) => runs("dpkg", "-x", name, "."))
  )
}

interface Manual {
  readonly entries: ReadonlyArray<Entry>
  /** Relevant documents by query. */
  readonly judged: ReadonlyMap<string, ReadonlySet<string>>
  /** Documents that queries were taken from, by query: they are no answers. */
  readonly asking?: ReadonlyMap<string, string>
}

export interface JudgedSet {
  readonly name: string
  readonly entries: ReadonlyArray<Entry>
  readonly topics: ReadonlyArray<Topic>
}

const references: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', nbsp: " ", mdash: "—" }

const decode = (text: string): string =>
  text.replace(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, (whole, decimal, hex, name) =>
    decimal !== undefined
      ? String.fromCodePoint(Number(decimal))
      : hex !== undefined
        ? String.fromCodePoint(Number.parseInt(hex, 16))
        : (references[name] ?? whole)
  )

/** Text of HTML, one line for each block. */
const plain = (html: string): string =>
  decode(
    html
      .replace(/<(script|style|nav|header|aside|footer)\b[\s\S]*?<\/\1>/gi, "\n")
      .replace(/\s+/g, " ")
      .replace(/<\/?(?:p|div|h\d|li|ul|ol|dl|dt|dd|pre|tr|table|section|br)\b[^>]*>/gi, "\n")
      .replace(/<[^>]*>/g, "")
  )
    .split("\n")
    .map((line) => line.replace(/\s+/g, " ").trim())
    .filter((line) => line !== "")
    .join("\n")

const isTest = (query: string): boolean => ((createHash("sha1").update(query).digest()[0] ?? 0) & 1) === 1

/** The same sample in every run. */
const sampled = (topics: ReadonlyArray<Topic>, count: number): ReadonlyArray<Topic> =>
  topics
    .map((topic) => ({ topic, key: createHash("sha256").update(topic.query).digest("hex") }))
    .sort((one, other) => (one.key < other.key ? -1 : 1))
    .slice(0, count)
    .map(({ topic }) => topic)

/** Two words at least. One alone is the name of a function or a setting, which every engine finds. */
const isPhrase = (query: string): boolean =>
  query.split(" ").filter((word) => /^[a-z]{3,}/i.test(word)).length >= 2 && !query.endsWith("configuration parameter")

const topicsOf = ({ asking, judged }: Manual, known: ReadonlySet<string>): ReadonlyArray<Topic> =>
  [...judged].flatMap(([query, ids]) => {
    const relevant = [...ids].filter((id) => known.has(id))
    const grades = Object.fromEntries(relevant.map((id) => [id, 1]))
    return relevant.length === 0 ? [] : [{ query, grades, askedBy: asking?.get(query) }]
  })

const record = (judged: Map<string, Set<string>>, query: string, id: string): void => {
  const ids = judged.get(query) ?? new Set()
  judged.set(query, ids.add(id))
}

const postgres = (root: string): Manual => {
  const folder = join(root, "usr/share/doc/postgresql-doc-15/html")
  const entries = readdirSync(folder)
    .filter((name) => name.endsWith(".html") && name !== "bookindex.html" && name !== "index.html")
    .sort()
    .map((name): Entry => {
      const html = readFileSync(join(folder, name), "utf8")
      const title = /<title>([^<]*)/.exec(html)?.[1] ?? ""
      const body = html
        .replace(/<div class="navheader">[\s\S]*?<hr \/>/, "")
        .replace(/<div class="navfooter">[\s\S]*$/, "")
        .replace(/^[\s\S]*?<body[^>]*>/, "")
      return { id: `postgresql/${name}`, title: decode(title).replace(/^[\dA-Z.]+\s/, ""), text: plain(body) }
    })
  const judged = new Map<string, Set<string>>()
  const above: Array<string> = []
  let last = ""
  const index = readFileSync(join(folder, "bookindex.html"), "utf8")
  for (const [token, content = ""] of index.matchAll(/<dt[^>]*>([\s\S]*?)<\/dt>|<dd>|<\/dd>/g)) {
    if (token === "<dd>") above.push(last)
    else if (token === "</dd>") above.pop()
    else {
      last = plain(content.replace(/,?\s*<a [\s\S]*$/, "")).replace(/\n/g, " ")
      const query = [...above, last].join(" ")
      if (!isPhrase(query)) continue
      for (const [, page] of content.matchAll(/class="indexterm" href="([^"#]+)/g))
        record(judged, query, `postgresql/${page}`)
    }
  }
  return { entries, judged }
}

const office = (root: string): Manual => {
  const folder = join(root, "usr/share/libreoffice/help")
  const pages = readdirSync(join(folder, "en-US/text"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".html"))
    .sort()
  const entries = pages.map((name): Entry => {
    const html = readFileSync(join(folder, "en-US/text", name), "utf8")
    // Without its title, which is often the entry of the index.
    const body = html.replace(/^[\s\S]*?id="DisplayArea"[^>]*>/, "").replace(/<h1[\s\S]*?<\/h1>/, "")
    return { id: `libreoffice/${name}`, title: "", text: plain(body.replace(/<div id="DonationFrame"[\s\S]*$/, "")) }
  })
  const judged = new Map<string, Set<string>>()
  const bookmarks = readFileSync(join(folder, "en-US/bookmarks.js"), "utf8")
  for (const [, page = "", text = ""] of bookmarks.matchAll(
    /\{url:"en-US\/text\/([^"?]+)[^}]*? text:"((?:[^"\\]|\\.)*)"/g
  )) {
    const query = decode(text.replace(/\\(.)/g, "$1")).replace(/ -- /g, " ").replace(/\s+/g, " ")
    if (isPhrase(query)) record(judged, query, `libreoffice/${page}`)
  }
  return { entries, judged }
}

const perl = (root: string): Manual => {
  const folder = join(root, "usr/share/perl/5.36.0/pod")
  const entries: Array<Entry> = []
  const judged = new Map<string, Set<string>>()
  for (const name of readdirSync(folder)
    .filter((one) => /^perl(?!.*delta|faq\.|toc)\w+\.pod$/.test(one))
    .sort()) {
    const pod = readFileSync(join(folder, name), "utf8")
    const title = /=head1 NAME\s+(.+)/.exec(pod)?.[1] ?? name
    for (const [at, part] of pod.split(/^(?==head[12] )/m).entries()) {
      const heading = /^=head[12] (.+(?:\n.+)*)/.exec(part)?.[1] ?? ""
      const words = (text: string) =>
        text.replace(/X<[^>]*>/g, "").replace(/[A-Z]<+\s*((?:[^<>]|[A-Z]<[^<>]*>)*?)\s*>+/g, "$1")
      const isQuestion = name.startsWith("perlfaq") && part.startsWith("=head2")
      const text = words(isQuestion ? part.replace(/^=head2 .+(?:\n.+)*/, "") : part)
        .replace(/^=\w+ ?/gm, "")
        .trim()
      if (text.length < 80) continue
      const id = `perl/${name}#${at}`
      entries.push({ id, title: words(title), text })
      if (isQuestion) record(judged, words(heading).replace(/\s+/g, " "), id)
    }
  }
  return { entries, judged }
}

const python = (root: string): Manual => {
  const folder = join(root, "usr/share/doc/python3.11/html")
  const entries: Array<Entry> = []
  const judged = new Map<string, Set<string>>()
  for (const section of ["faq", "howto", "library", "reference", "tutorial"]) {
    for (const name of readdirSync(join(folder, section))
      .filter((one) => one.endsWith(".html"))
      .sort()) {
      const html = readFileSync(join(folder, section, name), "utf8")
      const title = plain(/<h1>([\s\S]*?)<a class="headerlink"/.exec(html)?.[1] ?? name)
      const body = html.replace(/^[\s\S]*?<h1>/, "<h1>").replace(/<div class="sphinxsidebar"[\s\S]*$/, "")
      for (const [at, part] of body.split(/(?=<h[123]>)/).entries()) {
        const heading = plain(
          (/^<h[123]>([\s\S]*?)<\/h\d>/.exec(part)?.[1] ?? "").replace(/<a class="headerlink[\s\S]*/, "")
        )
        const isQuestion = section === "faq" && heading.endsWith("?")
        const text = plain(isQuestion ? part.replace(/^<h[123]>[\s\S]*?<\/h\d>/, "") : part)
        if (text.length < 80) continue
        const id = `python/${section}/${name}#${at}`
        entries.push({ id, title, text })
        if (isQuestion) record(judged, heading, id)
      }
    }
  }
  return { entries, judged }
}

/** Text of a manual page in the macros `man`. */
const fromRoff = (roff: string): string =>
  roff
    .replace(/^[.']\\".*\n/gm, "")
    .replace(/^\.TS\n[\s\S]*?^\.TE\n/gm, "")
    .replace(/^\.(?:TH|nf|fi|ad|hy|in|ft|sp|ne|nr|RS|RE|UE|ME|EX|EE|PD|if|ie|el|de|\.)\b.*\n/gm, "")
    .replace(/^\.(?:PP|P|LP|TP|IP|HP|SH|SS)\b ?/gm, "\n")
    .replace(/^\.(?:[BI]R?|RB|RI|BI|IB|SM|SB|UR|MT) (.*)$/gm, (_, words: string) =>
      words.replace(/"([^"]*)"|\s+/g, (whole, quoted?: string) => quoted ?? (whole.trim() === "" ? "" : whole))
    )
    .replace(/^\.\w+.*\n/gm, "")
    .replace(/\\f(?:[BIRPC]|\([A-Z]{2}|\[\w*\])|\\[&/,|^]|\\s[-+]?\d/g, "")
    .replace(/\\\(..|\\\[[^\]]*\]/g, " ")
    .replace(/\\-/g, "-")
    .replace(/\\(.)/g, "$1")
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.replace(/\s+/g, " ").trim())
    .filter((paragraph) => paragraph !== "")
    .join("\n")

/** Characters of a query: the API takes 500. */
const maxQuery = 450

const pageName = (file: string): string => basename(file).replace(/\.(\d)\w*\.gz$/, "($1)")

const linux = (root: string): Manual => {
  const entries: Array<Entry> = []
  const judged = new Map<string, Set<string>>()
  const asking = new Map<string, string>()
  for (const section of ["1", "2", "3", "4", "5", "6", "7", "8"]) {
    const folder = join(root, `usr/share/man/man${section}`)
    for (const name of readdirSync(folder)
      .filter((one) => /\.\d\w*\.gz$/.test(one) && !one.startsWith("perl"))
      .sort()) {
      // Other names of a page are links to it.
      if (basename(realpathSync(join(folder, name))) !== name) continue
      const page = gunzipSync(readFileSync(join(folder, name))).toString("utf8")
      if (!/^\.SH NAME/m.test(page)) continue
      const id = pageName(name)
      const parts = page.split(/^(?=\.SH )/m)
      const body = parts.filter((part) => !/^\.SH "?SEE ALSO/.test(part) && part.startsWith(".SH"))
      entries.push({ id: `linux/${id}`, title: id, text: fromRoff(body.join("\n")) })
      const description = parts.find((part) => part.startsWith(".SH DESCRIPTION"))
      const related = parts.find((part) => /^\.SH "?SEE ALSO/.test(part)) ?? ""
      if (description === undefined) continue
      const query = fromRoff(description)
        .replace(/^DESCRIPTION\s*/, "")
        .replace(/["-]/g, " ")
        .replace(/\s+/g, " ")
        .slice(0, maxQuery)
        .replace(/\s\S*$/, "")
      if (query.length < 150) continue
      asking.set(query, `linux/${id}`)
      for (const [, other = "", where = ""] of related.matchAll(/^\.BR ([\w.-]+) \((\d)\w*\)/gm)) {
        const file = join(root, `usr/share/man/man${where}/${other}.${where}.gz`)
        const linked = existsSync(file) ? pageName(realpathSync(file)) : id
        if (linked !== id) record(judged, query, `linux/${linked}`)
      }
    }
  }
  return { entries, judged, asking }
}

/** Queries of a set, of both halves. */
const maxTopics = 800

/** The sets with the topics of one half. Each set has the documents of all its manuals together. */
export const read = (folder: string, half: "development" | "test"): ReadonlyArray<JudgedSet> => {
  const sets = [
    { name: "index", manuals: [postgres(folder), office(folder)] },
    { name: "questions", manuals: [perl(folder), python(folder)] },
    { name: "related", manuals: [linux(folder)] }
  ].map(({ manuals, name }): JudgedSet => {
    const entries = manuals.flatMap((manual) => manual.entries)
    const known = new Set(entries.map(({ id }) => id))
    return {
      name,
      entries,
      topics: manuals.flatMap((manual) => sampled(topicsOf(manual, known), maxTopics / manuals.length))
    }
  })
  const all = sets.flatMap(({ entries }) => entries)
  return [...sets, { name: "passages", ...withPassages(all, maxTopics) }].map(({ topics, ...set }) => ({
    ...set,
    topics: topics.filter(({ query }) => isTest(query) === (half === "test"))
  }))
}
