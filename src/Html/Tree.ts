/** HTML as the tree that browsers build, with scripting on. Built in one pass and in linear time for any input. */
import type { Element } from "./Element.ts"
import { type StartTag, tokenize } from "./Tokenizer.ts"
import { TreeParser } from "./TreeParser.ts"

/** The tree, and indexes of frequently used elements in document order. */
export interface Tree {
  readonly root: Element
  /** All start tags, so that most passes for rare elements can be left out. Equal short tags are one. */
  readonly tags: Array<{ readonly tag: StartTag }>
  readonly html: Element | undefined
  /** Undefined in a page of frames. */
  readonly body: Element | undefined
  readonly titles: ReadonlyArray<Element>
  readonly metas: ReadonlyArray<Element>
  readonly bases: ReadonlyArray<Element>
  /** `<link>`. */
  readonly relations: ReadonlyArray<Element>
  /** `<a>` and `<area>`. */
  readonly anchors: ReadonlyArray<Element>
  readonly images: ReadonlyArray<Element>
  /** `<time>` and `<script>`, which may contain dates. */
  readonly dated: ReadonlyArray<Element>
  /** The page has too many elements; the last ones are missing. */
  readonly cut: boolean
}

/** Never fails: any text is HTML. */
export const parseTree = (html: string): Tree => {
  const parser = new TreeParser()
  tokenize(html, parser)
  parser.finish()
  return parser
}
