/**
 * The HTML tree against `parse5`, the parser of jsdom and cheerio: CPU time for pages of the manual of PostgreSQL, in turns and warm.
 *
 * The manual is a package of Debian. Without `apt-get` or npm there are no figures.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { parseTree } from "../src/Html/Tree.ts"
import { atLeast, type Bench, type Figure } from "./Measure/Figures.ts"
import { folderFor, install, remove } from "./Measure/Programs.ts"
import { compare } from "./Parts.ts"
import { download } from "./Search/Manuals.ts"

const parse5 = "parse5@8.1.1"
const [pages, rounds] = [300, 15]

const figures = async (folder: string): Promise<ReadonlyArray<Figure>> => {
  if (!download(folder, ["postgresql-doc-15"])) return []
  install(folder, [parse5])
  const { parse } = (await import(pathToFileURL(join(folder, "node_modules/parse5/dist/index.js")).href)) as {
    readonly parse: (html: string) => unknown
  }
  const root = join(folder, "usr/share/doc/postgresql-doc-15/html")
  const names = readdirSync(root).filter((name) => name.endsWith(".html"))
  const files = names.slice(0, pages).map((name) => readFileSync(join(root, name), "utf8"))
  const bytes = files.reduce((sum, file) => sum + Buffer.byteLength(file), 0)
  const every = (work: (html: string) => unknown) => () => {
    for (const file of files) work(file)
    return files.length
  }
  const compared = compare("HTML tree", parse5, files.length, every(parseTree), every(parse), 3, rounds)
  const [ours] = compared
  return [...compared, atLeast("HTML tree, for one second of CPU", bytes / 1000 / (ours?.value ?? 1), "MB", 70)]
}

export const bench: Bench = {
  name: "tree",
  run: () => {
    const folder = folderFor()
    return figures(folder).finally(() => remove(folder))
  }
}
