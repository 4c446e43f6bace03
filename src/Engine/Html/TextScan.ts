/** The text of a page too large for a tree: one pass that keeps nothing but words (spec 2.2). */
import { Tokenizer, type TokenizerCallbacks } from "htmlparser2"
import { isBlock, unseen, voids } from "./Tags.ts"
import { collapse } from "./Whitespace.ts"

/** No name that matters here is longer. */
const longestName = 10

class Scanner implements TokenizerCallbacks {
  readonly #source: string
  readonly #lines: Array<string> = []
  #line = ""
  #name = ""
  /** What is not shown lasts until the end of the outermost such element. */
  #hidden: string | undefined
  #depth = 0

  constructor(source: string) {
    this.#source = source
  }

  get text(): string {
    return this.#lines.join("\n")
  }

  ontext(start: number, end: number): void {
    if (this.#hidden === undefined) this.#line += this.#source.slice(start, end)
  }

  ontextentity(codepoint: number): void {
    if (this.#hidden === undefined) this.#line += String.fromCodePoint(codepoint)
  }

  #endLine(): void {
    if (this.#line === "") return
    const text = collapse(this.#line).trim()
    if (text !== "") this.#lines.push(text)
    this.#line = ""
  }

  #nameAt(start: number, end: number): string {
    return end - start > longestName ? "" : this.#source.slice(start, end).toLowerCase()
  }

  onopentagname(start: number, end: number): void {
    this.#name = this.#nameAt(start, end)
    if (this.#name === "br" || isBlock.has(this.#name)) this.#endLine()
  }

  onopentagend(): void {
    const name = this.#name
    if (name === "body") this.#hidden = undefined
    else if (this.#hidden === name) this.#depth += 1
    else if (this.#hidden === undefined && unseen.has(name) && !voids.has(name)) {
      this.#hidden = name
      this.#depth = 1
    }
  }

  onclosetag(start: number, end: number): void {
    const name = this.#nameAt(start, end)
    if (isBlock.has(name)) this.#endLine()
    if (name !== this.#hidden) return
    this.#depth -= 1
    if (this.#depth === 0) this.#hidden = undefined
  }

  onend(): void {
    this.#endLine()
  }

  onselfclosingtag(): void {}
  onattribname(): void {}
  onattribdata(): void {}
  onattribentity(): void {}
  onattribend(): void {}
  oncdata(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}
}

/** One line for each block, as `toText` writes it. */
export const scanText = (html: string): string => {
  const scanner = new Scanner(html)
  const tokenizer = new Tokenizer({ decodeEntities: true }, scanner)
  tokenizer.write(html)
  tokenizer.end()
  return scanner.text
}
