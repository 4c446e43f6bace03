/** Parses HTML to the tree that browsers build with scripting on, in one pass and in linear time for any input. */
import type { Element } from "./Element.ts"
import { type StartTag, tokenize } from "./Tokenizer.ts"
import { TreeParser } from "./TreeParser.ts"

/** The tree, with indexes of frequently used elements in document order. */
export interface Tree {
  readonly root: Element
  /** All start tags, so that most searches for rare elements can be skipped. Equal short tags share one object. */
  readonly tags: Array<{ readonly tag: StartTag }>
  readonly html: Element | undefined
  /** Undefined for a page with a frameset. */
  readonly body: Element | undefined
  readonly titles: ReadonlyArray<Element>
  readonly metas: ReadonlyArray<Element>
  readonly bases: ReadonlyArray<Element>
  /** All `<link>` elements. */
  readonly relations: ReadonlyArray<Element>
  /** All `<a>` and `<area>` elements. */
  readonly anchors: ReadonlyArray<Element>
  readonly images: ReadonlyArray<Element>
  /** All `<time>` and `<script>` elements, which may contain dates. */
  readonly dated: ReadonlyArray<Element>
  /** True if the page has more elements than the limit: the last ones are missing. */
  readonly cut: boolean
}

/** Parses a page. Never fails: any text can be parsed as HTML. */
export const parseTree = (html: string): Tree => {
  const parser = new TreeParser()
  tokenize(html, parser)
  parser.finish()
  return parser
}
