/** The pages of the documentation, and the fenced blocks in them. */
import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

export const root = fileURLToPath(new URL("../..", import.meta.url))

/** Why a block cannot run here: what it takes that not every machine has, or that no test may use. */
export const reasons = [
  "airflow",
  "browser",
  "clone",
  "dagster",
  "dbt",
  "dlt",
  "docker",
  "github",
  "kubernetes",
  "npm",
  "postgres",
  "service",
  "systemd"
] as const

export interface Block {
  readonly page: string
  /** Of its first line. */
  readonly line: number
  readonly language: string
  /** `title=` of the fence: the file that it is. */
  readonly title: string | undefined
  /** `needs=` of the fence. */
  readonly needs: string | undefined
  /** `exit=` of the fence: the exit code of the one command that fails. */
  readonly exit: number
  /** Output of the commands above it. */
  readonly isOutput: boolean
  /** `unordered` in the fence: the lines of this output may come in any order, such as the pages of a crawl. */
  readonly isUnordered: boolean
  /** Unknown words of the fence. */
  readonly strange: ReadonlyArray<string>
  readonly text: string
}

export interface Page {
  readonly name: string
  readonly text: string
  readonly blocks: ReadonlyArray<Block>
}

const blockOf = (page: string, line: number, info: string, text: string, before: Block | undefined): Block => {
  const [language = "", ...words] = info.trim().split(/\s+/)
  const said = (name: string) => words.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1)
  const isOutput = words.includes("output") || (language === "text" && before?.language === "sh")
  const isUnordered = words.includes("unordered")
  const strange = words.filter(
    (word) => word !== "output" && word !== "unordered" && !/^(title|needs|exit)=./.test(word)
  )
  const [title, needs, exit] = [said("title"), said("needs"), Number(said("exit") ?? 0)]
  return { page, line, language, title, needs, exit, isOutput, isUnordered, strange, text }
}

const blocksOf = (page: string, text: string): ReadonlyArray<Block> => {
  const blocks: Array<Block> = []
  for (const match of text.matchAll(/^```(.*)\n((?:(?!```).*\n)*)```$/gm)) {
    const line = text.slice(0, match.index).split("\n").length + 1
    blocks.push(blockOf(page, line, match[1] ?? "", match[2] ?? "", blocks[blocks.length - 1]))
  }
  return blocks
}

const names = [
  "README.md",
  ...["docs", "docs/how-to", "docs/recipes"].flatMap((folder) =>
    readdirSync(`${root}${folder}`)
      .sort()
      .filter((name) => name.endsWith(".md"))
      .map((name) => `${folder}/${name}`)
  )
]

/** README.md and all of `docs/`. */
export const pages: ReadonlyArray<Page> = names.map((name) => {
  const text = readFileSync(`${root}${name}`, "utf8")
  return { name, text, blocks: blocksOf(name, text) }
})

export const at = ({ line, page }: Block): string => `${page}:${line}`
