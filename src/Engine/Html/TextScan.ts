/** The text of a page too large for a tree: one pass that keeps nothing but words. */
import { isBlock, unseen, voids } from "./Tags.ts"
import { type Attributes, type Tokens, tokenize } from "./Tokenizer.ts"
import { collapse } from "./Whitespace.ts"

class Words implements Tokens {
  readonly #lines: Array<string> = []
  #line = ""
  /** What is not shown lasts until the end of the outermost such element. */
  #hidden: string | undefined
  #depth = 0

  finish(): string {
    this.#endLine()
    return this.#lines.join("\n")
  }

  #endLine(): void {
    if (this.#line === "") return
    const text = collapse(this.#line).trim()
    if (text !== "") this.#lines.push(text)
    this.#line = ""
  }

  text(text: string): void {
    if (this.#hidden === undefined) this.#line += text
  }

  open(name: string, _: Attributes, selfClosing: boolean): void {
    if (name === "br" || isBlock.has(name)) this.#endLine()
    if (selfClosing) return
    if (name === "body") this.#hidden = undefined
    else if (this.#hidden === name) this.#depth += 1
    else if (this.#hidden === undefined && unseen.has(name) && !voids.has(name)) {
      this.#hidden = name
      this.#depth = 1
    }
  }

  close(name: string): void {
    if (isBlock.has(name)) this.#endLine()
    if (name !== this.#hidden) return
    this.#depth -= 1
    if (this.#depth === 0) this.#hidden = undefined
  }

  section(): void {}
}

/** One line for each block, as `toText` writes it. */
export const scanText = (html: string): string => {
  const words = new Words()
  tokenize(html, words)
  return words.finish()
}
