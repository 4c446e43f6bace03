/** Insertion mode "in body" (HTML standard, 13.2.6.4.7): for each tag name one rule for the start tag and one for the end tag. */

import { insertForeign } from "./ForeignContent.ts"
import {
  clearToMarker,
  closeFormatting,
  forget,
  formattingOf,
  pushFormatting,
  pushMarker,
  reconstruct
} from "./Formatting.ts"
import { type Content, idOf, type Tag, tagCount } from "./Tags.ts"
import { makeTag, noAttributes, type StartTag } from "./Tokenizer.ts"
import type { Mode, TreeBuilder } from "./TreeBuilder.ts"

type Start = (tree: TreeBuilder, tag: StartTag) => Content
type End = (tree: TreeBuilder, name: string, rules: Tag) => void

const [button, template, option, ruby, rtc] = [
  idOf("button"),
  idOf("template"),
  idOf("option"),
  idOf("ruby"),
  idOf("rtc")
]
const [dd, dt, li, ol, ul] = [idOf("dd"), idOf("dt"), idOf("li"), idOf("ol"), idOf("ul")]
const [nobr, p] = [idOf("nobr"), idOf("p")]

const paragraph = makeTag("p", noAttributes)
const lineBreak = makeTag("br", noAttributes)

const closeParagraph = (tree: TreeBuilder): void => {
  const at = tree.inScope(p)
  if (at > 0 && at > tree.lastOf(button)) tree.popTo(at)
}

/** Closes open elements whose end tag may be omitted, up to an element whose name has the number `except`. */
const closeImplied = (tree: TreeBuilder, except = 0): void => {
  while (tree.top.tag.rules.isImplied && tree.ids[tree.depth] !== except) tree.pop()
}

const ordinary: Start = (tree, tag) => {
  reconstruct(tree)
  tree.insert(tag)
  return tag.rules.content
}

const insert: Start = (tree, tag) => {
  tree.insert(tag)
  return tag.rules.content
}

const isolated: Start = (tree, tag) => {
  tree.mayHaveFrames = false
  return insert(tree, tag)
}

const block: Start = (tree, tag) => {
  closeParagraph(tree)
  return insert(tree, tag)
}

const opaqueBlock: Start = (tree, tag) => {
  tree.mayHaveFrames = false
  return block(tree, tag)
}

const heading: Start = (tree, tag) => {
  closeParagraph(tree)
  if (tree.top.tag.rules.rank > 0) tree.pop()
  return insert(tree, tag)
}

const formatted: Start = (tree, tag) => {
  reconstruct(tree)
  pushFormatting(tree, tree.insert(tag))
  return "markup"
}

const voidBlock: Start = (tree, tag) => {
  closeParagraph(tree)
  tree.mayHaveFrames = false
  tree.insertVoid(tag)
  return "markup"
}

const voidPhrase: Start = (tree, tag) => {
  reconstruct(tree)
  tree.insertVoid(tag)
  if (tag.name !== "input" || tag.attributes.type?.toLowerCase() !== "hidden") tree.mayHaveFrames = false
  return "markup"
}

const voidOnly: Start = (tree, tag) => {
  tree.insertVoid(tag)
  return "markup"
}

const inHead: Start = (tree, tag) => tree.modes.inHead.open(tree, tag)
const ignored: Start = () => "markup"

const object: Start = (tree, tag) => {
  reconstruct(tree)
  tree.insert(tag)
  pushMarker(tree)
  tree.mayHaveFrames = false
  return "markup"
}

const html: Start = (tree, tag) => {
  if (tree.base === 0 && tree.lastOf(template) === 0 && tree.html !== undefined) tree.addAttributes(tree.html, tag)
  return "markup"
}

const body: Start = (tree, tag) => {
  const { openBody } = tree
  if (openBody === undefined || tree.lastOf(template) > 0) return "markup"
  tree.mayHaveFrames = false
  tree.addAttributes(openBody, tag)
  return "markup"
}

const frameset: Start = (tree, tag) => {
  if (tree.openBody === undefined || !tree.mayHaveFrames) return "markup"
  tree.removeBody()
  tree.insert(tag)
  tree.mode = tree.modes.inFrameset
  return "markup"
}

const formStart: Start = (tree, tag) => {
  const isFree = tree.lastOf(template) > 0
  if (!isFree && tree.form !== undefined) return "markup"
  closeParagraph(tree)
  const element = tree.insert(tag)
  if (!isFree) tree.form = element
  return "markup"
}

/** Start tag of a list item: closes the previous item of the same list. */
const item =
  (...ids: ReadonlyArray<number>): Start =>
  (tree, tag) => {
    tree.mayHaveFrames = false
    if (ids.includes(tree.ids[tree.barrier] as number) && tree.barrier > tree.base) tree.popTo(tree.barrier)
    return block(tree, tag)
  }

const buttonStart: Start = (tree, tag) => {
  const at = tree.inScope(button)
  if (at > 0) tree.popTo(at)
  tree.mayHaveFrames = false
  return ordinary(tree, tag)
}

const link: Start = (tree, tag) => {
  const open = formattingOf(tree, "a")
  if (open !== undefined) {
    closeFormatting(tree, "a", tag.rules)
    forget(tree, open)
    const at = tree.positionOf(open)
    if (at > 0) tree.removeFromStack(at)
  }
  return formatted(tree, tag)
}

const nobrStart: Start = (tree, tag) => {
  reconstruct(tree)
  if (tree.inScope(nobr) > 0) closeFormatting(tree, "nobr", tag.rules)
  return formatted(tree, tag)
}

const table: Start = (tree, tag) => {
  if (!tree.hasQuirks) closeParagraph(tree)
  tree.insert(tag)
  tree.mayHaveFrames = false
  tree.mode = tree.modes.inTable
  return "markup"
}

const image: Start = (tree, { attributes }) => voidPhrase(tree, makeTag("img", attributes))

const example: Start = (tree, tag) => {
  closeParagraph(tree)
  reconstruct(tree)
  return isolated(tree, tag)
}

const selectStart: Start = (tree, tag) => {
  reconstruct(tree)
  tree.insert(tag)
  tree.mayHaveFrames = false
  const { inCaption, inCell, inRow, inSelect, inSelectInTable, inTable, inTableBody } = tree.modes
  tree.mode = [inTable, inCaption, inTableBody, inRow, inCell].includes(tree.mode) ? inSelectInTable : inSelect
  return "markup"
}

const choice: Start = (tree, tag) => {
  if (tree.ids[tree.depth] === option) tree.pop()
  return ordinary(tree, tag)
}

const annotation =
  (except: number): Start =>
  (tree, tag) => {
    if (tree.inScope(ruby) > 0) closeImplied(tree, except)
    return insert(tree, tag)
  }

const foreign =
  (namespace: "svg" | "math"): Start =>
  (tree, tag) => {
    reconstruct(tree)
    return insertForeign(tree, tag, namespace)
  }

const starts: Array<Start> = new Array(tagCount).fill(ordinary)
const start = (rule: Start, names: string): void => {
  for (const name of names.split(" ")) starts[idOf(name)] = rule
}
start(inHead, "base basefont bgsound link meta noframes script style template title")
start(
  block,
  "address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer header hgroup main menu nav ol p " +
    "search section summary ul plaintext"
)
start(heading, "h1 h2 h3 h4 h5 h6")
start(opaqueBlock, "pre listing")
start(item(li), "li")
start(item(dd, dt), "dd dt")
start(formatted, "b big code em font i s small strike strong tt u")
start(object, "applet marquee object")
start(voidPhrase, "area br embed img input keygen wbr")
start(voidOnly, "param source track")
start(voidBlock, "hr")
start(isolated, "textarea iframe")
start(insert, "noembed noscript")
start(choice, "optgroup option")
start(annotation(0), "rb rtc")
start(annotation(rtc), "rp rt")
start(ignored, "caption col colgroup frame head tbody td tfoot th thead tr")
for (const [name, rule] of Object.entries({
  html,
  body,
  frameset,
  form: formStart,
  button: buttonStart,
  a: link,
  nobr: nobrStart,
  table,
  image,
  xmp: example,
  select: selectStart,
  math: foreign("math"),
  svg: foreign("svg")
}))
  start(rule, name)

const closeOrdinary: End = (tree, name, rules) => tree.closeOrdinary(name, rules)

const closeBlock: End = (tree, _, rules) => {
  const at = tree.inScope(rules.id)
  if (at > 0) tree.popTo(at)
}

const closeBody: End = (tree) => {
  if (tree.base === 0 && tree.inScope(idOf("body")) > 0) tree.mode = tree.modes.afterBody
}

const closeHtml: End = (tree, name, rules) => {
  closeBody(tree, name, rules)
  if (tree.mode === tree.modes.afterBody) tree.mode.close(tree, name, rules)
}

const closeForm: End = (tree, name, rules) => {
  if (tree.lastOf(template) > 0) {
    closeBlock(tree, name, rules)
    return
  }
  const element = tree.form
  tree.form = undefined
  const at = element === undefined ? 0 : tree.positionOf(element)
  if (at === 0 || at < tree.scope) return
  closeImplied(tree)
  tree.removeFromStack(at)
}

const closeP: End = (tree) => {
  const at = tree.inScope(p)
  if (at === 0 || at < tree.lastOf(button)) tree.insert(paragraph)
  closeParagraph(tree)
}

const closeItem: End = (tree) => {
  const at = tree.inScope(li)
  if (at > 0 && at > tree.lastOf(ol) && at > tree.lastOf(ul)) tree.popTo(at)
}

const ranks = [1, 2, 3, 4, 5, 6].map((rank) => idOf(`h${rank}`))

const closeHeading: End = (tree) => {
  let at = 0
  for (const id of ranks) at = Math.max(at, tree.inScope(id))
  if (at > 0) tree.popTo(at)
}

const closeObject: End = (tree, _, rules) => {
  const at = tree.inScope(rules.id)
  if (at === 0) return
  tree.popTo(at)
  clearToMarker(tree)
}

const closeBreak: End = (tree) => void voidPhrase(tree, lineBreak)

const ends: Array<End> = new Array(tagCount).fill(closeOrdinary)
const end = (rule: End, names: string): void => {
  for (const name of names.split(" ")) ends[idOf(name)] = rule
}
end((tree, name, rules) => tree.modes.inHead.close(tree, name, rules), "template")
end(closeBody, "body")
end(closeHtml, "html")
end(
  closeBlock,
  "address article aside blockquote button center details dialog dir div dl fieldset figcaption figure footer header hgroup listing main " +
    "menu nav ol pre search section summary ul dd dt"
)
end(closeForm, "form")
end(closeP, "p")
end(closeItem, "li")
end(closeHeading, "h1 h2 h3 h4 h5 h6")
end(closeFormatting, "a b big code em font i nobr s small strike strong tt u")
end(closeObject, "applet marquee object")
end(closeBreak, "br")

const space = /^[\t\n\f\r ]*$/

const addText = (tree: TreeBuilder, given: string): void => {
  const text = tree.hasNull ? given.replaceAll("\0", "") : given
  if (text === "") return
  if (tree.formatting.length > 0) reconstruct(tree)
  tree.addText(text)
  if (tree.mayHaveFrames && !space.test(text)) tree.mayHaveFrames = false
}

export const inBody: Mode = {
  open: (tree, tag) => (starts[tag.rules.id] as Start)(tree, tag),
  close: (tree, name, rules) => (ends[rules.id] as End)(tree, name, rules),
  text: addText
}
