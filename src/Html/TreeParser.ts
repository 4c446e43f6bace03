/** Receives the tokens of a page, and builds its tree by the rules of the insertion modes (HTML standard, 13.2.6). */
import { inBody } from "./BodyMode.ts"
import { hasQuirks, readDoctype } from "./Doctype.ts"
import { closeForeign, openForeign, takesForeign } from "./ForeignContent.ts"
import * as Head from "./HeadModes.ts"
import * as Table from "./TableModes.ts"
import type { Content, Tag } from "./Tags.ts"
import { type StartTag, type Tokens, tokenize } from "./Tokenizer.ts"
import { TreeBuilder } from "./TreeBuilder.ts"

/** Maximum nesting of pages in `srcdoc` and of markup in `<noscript>`. */
const maxEmbedded = 3

export class TreeParser extends TreeBuilder implements Tokens {
  #embedded = 0

  constructor() {
    super({ inBody, ...Head, ...Table })
  }

  text(text: string, hasNull: boolean): void {
    if (this.cut) return
    if (hasNull) this.hasNull = true
    if (!this.top.tag.rules.isForeign || this.top.tag.rules.holdsHtml !== undefined) this.mode.text(this, text)
    else {
      this.keepText(this.hasNull ? text.replaceAll("\0", "\ufffd") : text)
      if (this.mayHaveFrames && /[^\0\t\n\f\r ]/.test(text)) this.mayHaveFrames = false
    }
  }

  open(tag: StartTag): Content {
    if (this.isFull) this.cut = true
    if (this.cut) return tag.rules.content
    const { rules } = this.top.tag
    return rules.isForeign && takesForeign(rules, tag) ? openForeign(this, tag) : this.mode.open(this, tag)
  }

  close(name: string, rules: Tag): void {
    const { top } = this
    if (top.tag.rules === rules && rules.isPlain && top.name === name) {
      if (!this.cut) this.pop()
      return
    }
    if (this.isFull) this.cut = true
    if (this.cut || (this.top.tag.rules.isForeign && closeForeign(this, name))) return
    this.mode.close(this, name, rules)
  }

  raw(text: string): void {
    if (this.cut) return
    const { attributes, name } = this.top
    if (name === "plaintext") {
      this.mode.text(this, text)
      return
    }
    if (name === "noscript") this.#embed(text, false)
    else if (name === "iframe" && attributes.srcdoc !== undefined) this.#embed(attributes.srcdoc, true)
    else this.keepText(text)
    this.pop()
  }

  comment(): void {
    if (this.mode === this.modes.inTableText) this.mode.leave?.(this)
  }

  doctype(source: string, isOpen: boolean): void {
    this.comment()
    if (this.mode !== this.modes.initial) return
    this.hasQuirks = hasQuirks(readDoctype(source, isOpen))
    this.mode = this.modes.beforeHtml
  }

  isForeign(): boolean {
    return this.top.tag.rules.isForeign
  }

  /** Completes the tree. */
  finish(): void {
    this.comment()
    for (let count = this.templateModes.length; count > 0; count--) this.modes.inTemplate.leave?.(this)
    if (this.mode === this.modes.inTemplate) this.resetMode()
    while (this.mode.leave !== undefined) this.mode.leave(this)
    this.popTo(0)
  }

  /** Parses markup as the content of the last open element. Closes no elements outside of it. */
  #embed(html: string, isPage: boolean): void {
    if (this.#embedded >= maxEmbedded) {
      this.keepText(html)
      return
    }
    if (isPage) this.top.layout = "block"
    const { base, form, formatting, isFostering, mayHaveFrames, mode } = this
    const inPage = this.inPage
    const templates = this.templateModes.length
    this.base = this.depth
    const { scope } = this
    this.scope = this.depth
    this.form = undefined
    this.formatting = []
    this.isFostering = false
    this.mode = this.modes.inBody
    this.#embedded++
    this.inPage ||= isPage
    tokenize(html, this)
    this.comment()
    this.popTo(this.base + 1)
    this.flush()
    this.#embedded--
    this.inPage = inPage
    this.templateModes.length = templates
    this.scope = scope
    this.base = base
    this.form = form
    this.formatting = formatting
    this.isFostering = isFostering
    this.mayHaveFrames = mayHaveFrames
    this.mode = mode
  }
}
