/** The standard's own parser tests (html5lib-tests, MIT, see `LICENSE`), read into cases. */
import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

const folder = (name: string): string => fileURLToPath(new URL(`./${name}/`, import.meta.url))

export interface TreeCase {
  /** File and number, such as `tests1.dat:7`. */
  readonly name: string
  readonly data: string
  /** Lines of the expected tree. */
  readonly document: string
  readonly isFragment: boolean
  readonly scripting: "on" | "off" | "any"
}

/** Cases are sections of lines that begin with `#`, as the file's README says. */
const readTrees = (file: string): ReadonlyArray<TreeCase> =>
  `\n${readFileSync(`${folder("tree-construction")}${file}`, "utf8")}`
    .split("\n#data\n")
    .slice(1)
    .map((text, at) => {
      const section = (name: string): string => {
        const start = text.indexOf(`\n#${name}\n`)
        return start === -1 ? "" : text.slice(start + name.length + 3)
      }
      return {
        name: `${file}:${at + 1}`,
        data: text.startsWith("#errors\n") ? "" : text.slice(0, text.indexOf("\n#errors\n")),
        document: section("document").replace(/\n+$/, ""),
        isFragment: text.includes("\n#document-fragment\n"),
        scripting: text.includes("\n#script-on\n") ? "on" : text.includes("\n#script-off\n") ? "off" : "any"
      }
    })

export const treeCases = (): ReadonlyArray<TreeCase> => readdirSync(folder("tree-construction")).flatMap(readTrees)

export interface TokenCase {
  readonly name: string
  readonly input: string
  readonly output: ReadonlyArray<ReadonlyArray<unknown>>
  /** The state in which the tokenizer begins. */
  readonly state: string
  readonly lastStartTag: string
}

interface Written {
  readonly description: string
  readonly input: string
  readonly output: ReadonlyArray<ReadonlyArray<unknown>>
  readonly initialStates?: ReadonlyArray<string>
  readonly lastStartTag?: string
  readonly doubleEscaped?: boolean
}

const unescape = (text: string): string =>
  text.replace(/\\u([0-9a-fA-F]{4})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))

const readTokens = (file: string): ReadonlyArray<TokenCase> => {
  const { tests = [] } = JSON.parse(readFileSync(`${folder("tokenizer")}${file}`, "utf8")) as {
    readonly tests?: ReadonlyArray<Written>
  }
  return tests.flatMap((test) =>
    (test.initialStates ?? ["Data state"]).map((state) => ({
      name: `${file}: ${test.description}`,
      input: test.doubleEscaped ? unescape(test.input) : test.input,
      output: test.doubleEscaped
        ? (JSON.parse(JSON.stringify(test.output).replace(/\\\\u([0-9a-fA-F]{4})/g, "\\u$1")) as Written["output"])
        : test.output,
      state,
      lastStartTag: test.lastStartTag ?? ""
    }))
  )
}

export const tokenCases = (): ReadonlyArray<TokenCase> => readdirSync(folder("tokenizer")).flatMap(readTokens)
