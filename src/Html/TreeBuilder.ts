/**
 * Builds the tree that browsers build (HTML standard, 13.2.6): manages the stack of open elements, and finds where elements and text go.
 *
 * - The rules of the insertion modes decide what opens and closes; they are in `Modes.ts` and its neighbours.
 * - Children of open elements are pending in one array, element after element; each element gets its own array when it closes. Rules that
 *   move elements call `settle` first, which gives all open elements their children, each child once.
 * - Searches of the stack take constant time: it records where each name was opened last, and where scopes begin. Depth, number of elements
 *   and nesting of embedded pages are bounded, so any page takes linear time.
 * - Comments and document types are not nodes; the content of a `<template>` and the page in an `<iframe srcdoc>` are children.
 */
import { addChild, Element, noChildren } from "./Element.ts"
import { type Content, type Listed, type Tag, tagCount, tagOf } from "./Tags.ts"
import { makeTag, noAttributes, type StartTag } from "./Tokenizer.ts"

/** Rules of an insertion mode. */
export interface Mode {
  readonly open: (tree: TreeBuilder, tag: StartTag) => Content
  readonly close: (tree: TreeBuilder, name: string, rules: Tag) => void
  readonly text: (tree: TreeBuilder, text: string) => void
  /** Switches to the next mode, for a token without a rule and at the end of the page. */
  readonly leave?: (tree: TreeBuilder) => void
}

export type ModeName =
  | "initial"
  | "beforeHtml"
  | "beforeHead"
  | "inHead"
  | "afterHead"
  | "inBody"
  | "inTable"
  | "inTableText"
  | "inCaption"
  | "inColumnGroup"
  | "inTableBody"
  | "inRow"
  | "inCell"
  | "inSelect"
  | "inSelectInTable"
  | "inTemplate"
  | "afterBody"
  | "inFrameset"
  | "afterFrameset"
  | "afterAfterBody"
  | "afterAfterFrameset"

export type Modes = Readonly<Record<ModeName, Mode>>

/** Maximum depth: a deeper element replaces the last open one, so no text is lost. Browsers have a similar limit. */
const maxDepth = 512

/** Maximum elements; further ones are ignored. A page as long as a book has a tenth of this. */
const maxElements = 300_000

/** Bit in `StartTag.marks` of tags that are in `tags` already. */
const listed = 1 << 30

const [htmlId, bodyId, tableId, templateId] = [
  tagOf("html").id,
  tagOf("body").id,
  tagOf("table").id,
  tagOf("template").id
]
const foreignName = (name: string): string => `/${name.toLowerCase()}`

/**
 * State of the stack of open elements by position. Shared by all builders: each tree is built without a pause, and new arrays would take
 * time.
 *
 * `starts`: where the element's pending children begin. `before`: previous position of an element of the same name. `specials`, `barriers`,
 * `scopes`: for elements that end a search, the previous positions of such elements. `htmls`: for SVG and MathML, the position of the HTML
 * around them.
 */
const [starts, before, specials, barriers, scopes, htmls, ids] = Array.from(
  { length: 7 },
  () => new Int32Array(2 * maxDepth)
) as [Int32Array, Int32Array, Int32Array, Int32Array, Int32Array, Int32Array, Int32Array]
/** Position of the last open element of each name; 0 if there is none. */
const last: Array<number> = new Array(tagCount).fill(0)

export class TreeBuilder {
  readonly root = new Element(makeTag("#root", noAttributes), undefined)
  html: Element | undefined
  head: Element | undefined
  body: Element | undefined
  readonly tags: Array<{ readonly tag: StartTag }> = []
  readonly titles: Array<Element> = []
  readonly metas: Array<Element> = []
  readonly bases: Array<Element> = []
  readonly relations: Array<Element> = []
  readonly anchors: Array<Element> = []
  readonly images: Array<Element> = []
  readonly dated: Array<Element> = []
  cut = false

  readonly modes: Modes
  mode: Mode
  /** Insertion mode to return to after text in a table. */
  tableMode: Mode
  tableText = ""
  readonly templateModes: Array<Mode> = []
  /** Formatting elements that continue in the next block; see `Formatting.ts`. */
  formatting: Array<Element | undefined> = []
  /** Start tags of HTML, mapped to those with the spelling of SVG and MathML. */
  readonly foreignTags = new Map<StartTag, StartTag>()
  form: Element | undefined
  hasQuirks = false
  /** True if the page contains NUL characters. */
  hasNull = false
  /** True if a frameset may still replace the body. */
  mayHaveFrames = true
  /** True if content that a table cannot contain is inserted before it. */
  isFostering = false
  /** Position of the element whose content is embedded markup; 0 for the page. */
  base = 0
  /** Position of the last open element. */
  depth = 0
  top: Element = this.root
  readonly stack: Array<Element> = [this.root]
  /** Numbers of the names of the open elements, by position. */
  readonly ids = ids
  #elements = 0
  /** True in a page embedded by `srcdoc`, which has its own head. */
  inPage = false
  #text = ""
  #pending: Array<Element | string> = []
  #size = 0
  readonly #ids = new Map<string, number>()
  /** Positions of the innermost open elements that are a scope, a barrier or special. */
  scope = 0
  barrier = 0
  #special = 0

  constructor(modes: Modes) {
    this.modes = modes
    this.mode = modes.initial
    this.tableMode = modes.inTable
    last.length = tagCount
    last.fill(0)
    starts[0] = 0
  }

  /** Opens an element at the insertion point. */
  insert(tag: StartTag): Element {
    if (this.depth >= maxDepth && this.depth > this.base + 1) this.#makeRoom()
    const element = this.insertVoid(tag)
    this.push(element)
    return element
  }

  /** Adds an element that has no content. */
  insertVoid(tag: StartTag): Element {
    if (this.#text !== "") this.flush()
    const element = this.create(tag)
    if (this.isFostering && this.top.tag.rules.isTablePart) this.#foster(element)
    else this.#pending[this.#size++] = element
    return element
  }

  create(tag: StartTag): Element {
    this.#elements++
    const element = new Element(tag, this.top)
    if ((tag.marks & listed) === 0) {
      tag.marks |= listed
      this.tags.push(element)
    }
    if (tag.rules.list !== undefined) this.#register(element, tag.rules.list)
    return element
  }

  #register(element: Element, list: Listed): void {
    if (!this.inPage || list === "anchors" || list === "images") this[list].push(element)
  }

  /** Adds text at the insertion point. */
  addText(text: string): void {
    if (this.isFostering && this.top.tag.rules.isTablePart) this.#foster(text)
    else this.#text = this.#text === "" ? text : this.#text + text
  }

  /** Buffers text for the last open element. */
  keepText(text: string): void {
    this.#text += text
  }

  /** Adds the buffered text to the last open element. */
  flush(): void {
    if (this.#text === "") return
    this.#pending[this.#size++] = this.#text
    this.#text = ""
  }

  #makeRoom(): void {
    const { isScope, isTablePart } = this.top.tag.rules
    if (this.ids[this.depth] === templateId) this.templateModes.pop()
    this.pop()
    if (isScope || isTablePart) this.resetMode()
  }

  push(element: Element): void {
    if (this.#text !== "") this.flush()
    const at = ++this.depth
    const { rules } = element.tag
    const id = rules.id === 0 ? this.#newId(rules.isForeign ? foreignName(element.name) : element.name) : rules.id
    this.stack[at] = element
    this.ids[at] = id
    starts[at] = this.#size
    before[at] = last[id] as number
    last[id] = at
    if (rules.isStop) this.#pushStop(at, rules)
    this.top = element
  }

  #pushStop(at: number, { isBarrier, isForeign, isScope, isSpecial }: Tag): void {
    specials[at] = this.#special
    barriers[at] = this.barrier
    scopes[at] = this.scope
    if (isSpecial) this.#special = at
    if (isBarrier) this.barrier = at
    if (isScope) this.scope = at
    if (isForeign) htmls[at] = this.top.tag.rules.isForeign ? (htmls[at - 1] as number) : at - 1
  }

  #forget(at: number): void {
    last[this.ids[at] as number] = before[at] as number
    if ((this.stack[at] as Element).tag.rules.isStop) {
      this.#special = specials[at] as number
      this.barrier = barriers[at] as number
      this.scope = scopes[at] as number
    }
    this.top = this.stack[at - 1] ?? this.root
  }

  #newId(name: string): number {
    const known = this.#ids.get(name)
    if (known !== undefined) return known
    const id = last.length
    this.#ids.set(name, id)
    last.push(0)
    return id
  }

  pop(): void {
    if (this.#text !== "") this.flush()
    const at = this.depth--
    const start = starts[at] as number
    if (start < this.#size) this.#take(at, start)
    this.#forget(at)
  }

  /** Closes the element at the position, and everything in it. */
  popTo(at: number): void {
    while (this.depth >= at && this.depth > 0) this.pop()
    if (at > 0) return
    this.flush()
    this.#take(0, 0)
    this.#pending = []
  }

  /** Gives an open element its pending children. */
  #take(at: number, start: number): void {
    const element = this.stack[at] as Element
    if (element.children === noChildren) element.children = this.#pending.slice(start, this.#size)
    else for (let child = start; child < this.#size; child++) addChild(element, this.#pending[child] ?? "")
    this.#size = start
  }

  /** Gives all open elements their children, so that they can be moved. */
  settle(): void {
    this.flush()
    for (let at = this.depth; this.#size > 0; at--) {
      const start = starts[at] as number
      if (start < this.#size) this.#take(at, start)
      starts[at] = 0
    }
  }

  /** Replaces the stack from the position on by the elements. Requires that all children are settled. */
  replaceStack(at: number, elements: ReadonlyArray<Element>): void {
    while (this.depth >= at) this.#forget(this.depth--)
    for (const element of elements) this.push(element)
  }

  /** True if the limit of elements is reached: further ones are ignored. */
  get isFull(): boolean {
    return this.#elements >= maxElements
  }

  /** Removes an element from the stack; it stays in the tree. */
  removeFromStack(at: number): void {
    if (at === this.depth) this.pop()
    else {
      this.settle()
      this.replaceStack(at, this.stack.slice(at + 1, this.depth + 1))
    }
  }

  /** Inserts content that a table cannot contain before the table. */
  #foster(node: Element | string): void {
    const table = last[tableId] as number
    const template = last[templateId] as number
    this.settle()
    const element = table > Math.max(template, this.base) ? this.stack[table] : undefined
    const around = element?.parent ?? this.stack[template > this.base ? template : Math.max(1, this.base)] ?? this.root
    if (typeof node !== "string") node.parent = around
    if (element === undefined) addChild(around, node)
    else insertBefore(around, node, element)
  }

  /** Moves an element without a parent into another one, or before its table. */
  insertAt(parent: Element, node: Element): void {
    if (this.isFostering && parent.tag.rules.isTablePart) this.#foster(node)
    else {
      node.parent = parent
      addChild(parent, node)
    }
  }

  /** Position of the last open element of a name; 0 if there is none in this page. */
  lastOf(id: number): number {
    const at = last[id] as number
    return at > this.base ? at : 0
  }

  /** Position of an open element in the stack; 0 if it is not open. */
  positionOf(element: Element): number {
    const { rules } = element.tag
    let at = rules.id === 0 ? 0 : (last[rules.id] as number)
    while (at > 0 && this.stack[at] !== element) at = before[at] as number
    return at
  }

  /** Position of the element that an end tag closes; 0 if none is in scope. */
  inScope(id: number): number {
    const at = last[id] as number
    return at >= this.scope && at > this.base ? at : 0
  }

  /** Position of an element in the innermost table; 0 if there is none. */
  inTableScope(id: number): number {
    const at = last[id] as number
    return at > this.base && at >= (last[tableId] as number) && at >= (last[templateId] as number) ? at : 0
  }

  /** Closes an element without special rules, unless a special element is open inside it. */
  closeOrdinary(name: string, rules: Tag): void {
    const id = rules.id === 0 ? (this.#ids.get(name) ?? 0) : rules.id
    const at = id === 0 ? 0 : (last[id] as number)
    if (at > this.base && at >= this.#special) this.popTo(at)
  }

  /** Closes an SVG or MathML element; false if none is open, or if an HTML element is nearer. */
  closeForeign(name: string): boolean {
    const at = last[this.#ids.get(foreignName(name)) ?? 0] as number
    if (at === 0 || at <= (htmls[this.depth] as number)) return false
    this.popTo(at)
    return true
  }

  /** Closes elements until one with these names is the last open one; stops at the root of the page. */
  popUntil(ids: ReadonlySet<number>): void {
    while (this.depth > this.base + 1 && !ids.has(this.ids[this.depth] as number) && this.ids[this.depth] !== htmlId)
      this.pop()
  }

  /** Adds attributes to the `<html>` or `<body>` element, for which a page may have several start tags. */
  addAttributes(element: Element, { attributes }: StartTag): void {
    if (attributes === noAttributes) return
    const tag = makeTag(element.name, { ...attributes, ...element.attributes })
    element.tag = tag
    element.attributes = tag.attributes
    this.tags.push(element)
  }

  /** The `<body>` element, if it is open and belongs to this page. */
  get openBody(): Element | undefined {
    return this.base === 0 && this.depth > 1 && this.ids[2] === bodyId ? this.body : undefined
  }

  /** Closes the `<body>` element and removes it from the tree. */
  removeBody(): void {
    this.settle()
    const { body, html } = this
    if (html !== undefined) html.children = html.children.filter((child) => child !== body)
    this.body = undefined
    this.popTo(2)
  }

  /** Switches to the insertion mode that the open elements require. */
  resetMode(): void {
    for (let at = this.depth; at > this.base; at--) {
      const mode = modeOf(this, at)
      if (mode !== undefined) {
        this.mode = mode
        return
      }
    }
    this.mode = this.modes.inBody
  }
}

const modeNames: Readonly<Record<string, ModeName>> = {
  td: "inCell",
  th: "inCell",
  tr: "inRow",
  tbody: "inTableBody",
  thead: "inTableBody",
  tfoot: "inTableBody",
  caption: "inCaption",
  colgroup: "inColumnGroup",
  table: "inTable",
  head: "inHead",
  body: "inBody",
  frameset: "inFrameset"
}

const modeOf = (tree: TreeBuilder, at: number): Mode | undefined => {
  const { name, tag } = tree.stack[at] as Element
  if (tag.rules.isForeign) return undefined
  if (name === "select")
    return tree.lastOf(tableId) > tree.lastOf(templateId) && tree.lastOf(tableId) < at
      ? tree.modes.inSelectInTable
      : tree.modes.inSelect
  if (name === "template") return tree.templateModes.at(-1) ?? tree.modes.inBody
  if (name === "html") return tree.head === undefined ? tree.modes.beforeHead : tree.modes.afterHead
  const mode = modeNames[name]
  return mode === undefined ? undefined : tree.modes[mode]
}

const insertBefore = (parent: Element, node: Element | string, next: Element): void => {
  const { children } = parent
  const at = children.lastIndexOf(next)
  if (at === -1) addChild(parent, node)
  else if (typeof node === "string" && typeof children[at - 1] === "string") children[at - 1] += node
  else children.splice(at, 0, node)
}
