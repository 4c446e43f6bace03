import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { parseAllDocuments } from "yaml"
import { check } from "../../src/Pipeline/Check.ts"
import { parseText } from "../../src/Pipeline/Source.ts"
import { commandsIn, objection } from "./Commands.ts"
import { at, type Block, pages, reasons, root } from "./Pages.ts"

const blocks = pages.flatMap(({ blocks }) => blocks)
/** A page without its blocks. */
const prose = (text: string): string => text.replace(/^```[\s\S]*?^```/gm, "")

const inLanguage = (...languages: ReadonlyArray<string>) =>
  blocks.filter(({ language }) => languages.includes(language))

const isDefinition = ({ language, text }: Block) => language === "yaml" && /^steps:/m.test(text)

/** A file of the project that a page shows as it is, or in part. */
const original = ({ title }: Block): string | undefined =>
  title !== undefined && existsSync(`${root}${title}`) ? readFileSync(`${root}${title}`, "utf8") : undefined

/** A page's other blocks that have to do with a file: a command or a module that names it, or the folder it is in. */
const isUsed = (block: Block): boolean => {
  const name = block.title ?? ""
  const verb = name.endsWith(".test.yaml") ? ["sluice test"] : []
  const names = [name, name.replace(/^.*\//, ""), dirname(name).split("/")[0] ?? name, ...verb]
  return blocks.some(
    (other) =>
      other.page === block.page &&
      other !== block &&
      !other.isOutput &&
      names.some((each) => each !== "." && other.text.includes(each))
  )
}

/** True if a test uses the block; a block that no test uses is an unchecked claim. */
const isLookedAt = (block: Block): boolean => {
  const { isOutput, language, needs, title } = block
  if (isOutput || needs !== undefined || original(block) !== undefined) return true
  if (language === "sh" || language === "json" || isDefinition(block)) return true
  // Word for word a file of docs/examples, which a test of its own runs.
  if (language === "ts" && title === undefined) return block.page === "docs/embedding.md"
  // Read by the fields beside it: Selectors.test.ts.
  if (language === "html" && title === "kettles.html") return true
  if (language === "js") return block.page === "docs/schedule.md"
  // Examples of steps, which a test checks where they are declared.
  if (language === "yaml" && title === undefined) return block.page === "docs/reference.md"
  return title !== undefined && isUsed(block)
}

describe("the blocks of the documentation", () => {
  it("are run, or say with a known word what they need", () => {
    expect(blocks.length).toBeGreaterThan(60)
    for (const block of blocks) {
      expect(block.strange, at(block)).toEqual([])
      expect(isLookedAt(block), `${at(block)}: nothing is done with this block; say title=, output or needs=`).toBe(
        true
      )
      if (block.needs !== undefined) expect(reasons, at(block)).toContain(block.needs)
      const whole = original(block)
      if (whole !== undefined) expect(whole.includes(block.text), `${at(block)}: not as in the file`).toBe(true)
    }
  })

  it.effect("hold definitions without a mistake", () =>
    // Those with extensions are run as sessions, beside the module that they name.
    Effect.forEach(
      blocks.filter((block) => isDefinition(block) && !/^extensions:/m.test(block.text)),
      (block) =>
        Effect.gen(function* () {
          const secrets = () => Redacted.make("https://hooks.example.com/T0")
          const source = yield* parseText(at(block), root, block.text)
          const { nodes } = yield* check(source, { inputs: {}, env: {}, secrets, complete: false })
          expect(nodes.length).toBeGreaterThan(0)
        })
    ).pipe(Effect.provide(NodeContext.layer))
  )

  it("hold YAML and JSON that can be read", () => {
    for (const block of inLanguage("yaml")) {
      for (const { errors } of parseAllDocuments(block.text)) expect(errors.map(String), at(block)).toEqual([])
    }
    for (const block of inLanguage("json").filter(({ isOutput }) => !isOutput)) {
      expect(() => JSON.parse(block.text), at(block)).not.toThrow()
    }
  })

  it("hold commands with verbs and flags that there are, in prose too", () => {
    const spoken = pages.flatMap(({ name, text }) =>
      [...prose(text).matchAll(/`((?:npx )?sluice [a-z][^`]*)`/g)].map(([, said = ""]) => [
        name,
        // Brackets are around what may be left out; a bar is between words of which one is said.
        said.replace(/[[\]]/g, "").replace(/\\\|.*/, "")
      ])
    )
    const shown = blocks.filter(({ isOutput }) => !isOutput).map((block) => [at(block), block.text])
    const wrongIn = (texts: ReadonlyArray<ReadonlyArray<string>>) =>
      texts.flatMap(([place = "", text = ""]) =>
        commandsIn(text).flatMap((words) => {
          const reason = objection(words)
          return reason === undefined ? [] : [`${place}: ${reason}`]
        })
      )
    expect(wrongIn(shown)).toEqual([])
    // Prose about a verb may leave out its arguments, or say ACTION.
    expect(
      wrongIn(spoken).filter((each) => !/ is missing| needs a value|"[A-Z]+" is not one of|got "(…|[A-Z]+)"/.test(each))
    ).toEqual([])
  })
})

describe("the pages of the documentation", () => {
  it("lead to pages, headings and files that are there", () => {
    const anchors = (text: string) =>
      [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = ""]) =>
        title
          .toLowerCase()
          .replace(/[^\w\- ]+/g, "")
          .trim()
          .replace(/ /g, "-")
      )
    for (const { name, text } of pages) {
      for (const [, target = ""] of prose(text).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)) {
        const [path = "", anchor] = target.split("#")
        const file = path === "" ? name : join(dirname(name), path)
        expect(existsSync(`${root}${file}`), `${name}: ${target}`).toBe(true)
        if (anchor !== undefined)
          expect(anchors(readFileSync(`${root}${file}`, "utf8")), `${name}: ${target}`).toContain(anchor)
      }
    }
  })

  it("are all in the index and in the sidebar of the site", () => {
    const index = readFileSync(`${root}docs/README.md`, "utf8")
    const site = readFileSync(`${root}docs/.vitepress/config.mts`, "utf8")
    for (const { name } of pages.filter((page) => page.name !== "README.md" && page.name !== "docs/README.md")) {
      expect(index).toContain(`(${name.replace("docs/", "")})`)
      expect(site).toContain(`, "${name.replace("docs/", "").replace(/\.md$/, "")}")`)
    }
  })

  it("name tests that are there", () => {
    for (const { name, text } of pages) {
      for (const [file] of text.matchAll(/\btest\/[\w/.-]+\.ts\b/g))
        expect(existsSync(`${root}${file}`), `${name}: ${file}`).toBe(true)
    }
    expect(readFileSync(`${root}docs/delivery.md`, "utf8").match(/\btest\/\S+\.ts/g)?.length ?? 0).toBeGreaterThan(20)
  })

  it("have lines that fit on a screen", () => {
    const written = pages.filter(({ name }) =>
      /^docs\/(README|tutorial|delivery|glossary|coming-[\w-]+|how-to\/[\w-]+)\.md$/.test(name)
    )
    expect(written.length).toBeGreaterThan(9)
    for (const { name, text } of written) {
      // Rows of a table cannot be broken.
      for (const line of prose(text)
        .split("\n")
        .filter((each) => !each.startsWith("|")))
        expect(line.length, `${name}: ${line}`).toBeLessThanOrEqual(120)
    }
  })
})
