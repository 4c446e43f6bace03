/**
 * Formatting elements that continue after the block in which they were left open (HTML standard, 13.2.4.3 and 13.2.6.4.7, "adoption
 * agency").
 *
 * `tree.formatting` lists them in the order of their start tags; an undefined entry marks where a cell, a caption or an object begins. It
 * has at most `maxFormatting` entries.
 */
import { addChild, type Element, noChildren } from "./Element.ts"
import type { Tag } from "./Tags.ts"
import type { StartTag } from "./Tokenizer.ts"
import type { TreeBuilder } from "./TreeBuilder.ts"

/** Maximum formatting elements remembered, and maximum of the same name compared with a new one. */
const [maxFormatting, maxCompared] = [256, 20]
/** Maximum remembered elements with the same name and attributes. */
const maxEqual = 3

const areEqual = (one: StartTag, other: StartTag): boolean => {
  if (one === other || one.attributes === other.attributes) return true
  const keys = Object.keys(one.attributes)
  return (
    keys.length === Object.keys(other.attributes).length &&
    keys.every((key) => one.attributes[key] === other.attributes[key])
  )
}

/** Remembers an element that was opened. */
export const pushFormatting = ({ formatting }: TreeBuilder, element: Element): void => {
  let [equal, compared] = [0, 0]
  for (let at = formatting.length - 1; at >= 0 && compared < maxCompared; at--) {
    const other = formatting[at]
    if (other === undefined) break
    if (other.name !== element.name) continue
    compared++
    if (areEqual(other.tag, element.tag) && ++equal === maxEqual) {
      formatting.splice(at, 1)
      break
    }
  }
  if (formatting.length >= maxFormatting) formatting.shift()
  formatting.push(element)
}

export const pushMarker = ({ formatting }: TreeBuilder): void => void formatting.push(undefined)

export const clearToMarker = ({ formatting }: TreeBuilder): void => {
  while (formatting.length > 0 && formatting.pop() !== undefined);
}

/** Reopens the formatting elements that the end of a block has closed. */
export const reconstruct = (tree: TreeBuilder): void => {
  const { formatting } = tree
  let at = formatting.length - 1
  const last = formatting[at]
  if (last === undefined || last === tree.top || tree.positionOf(last) > 0) return
  for (; at > 0; at--) {
    const before = formatting[at - 1]
    if (before === undefined || tree.positionOf(before) > 0) break
  }
  for (; at < formatting.length; at++) {
    const element = formatting[at]
    if (element !== undefined) formatting[at] = tree.insert(element.tag)
  }
}

/** The last remembered element of a name after the last marker. */
export const formattingOf = ({ formatting }: TreeBuilder, name: string): Element | undefined => {
  for (let at = formatting.length - 1; at >= 0; at--) {
    const element = formatting[at]
    if (element === undefined || element.name === name) return element
  }
  return undefined
}

export const forget = ({ formatting }: TreeBuilder, element: Element): void => {
  const at = formatting.lastIndexOf(element)
  if (at !== -1) formatting.splice(at, 1)
}

const maxRounds = 8

/** Closes a formatting element. Blocks in which it was left open get their own copy of it. */
export const closeFormatting = (tree: TreeBuilder, name: string, rules: Tag): void => {
  const { formatting, top } = tree
  if (top.tag.rules === rules) {
    if (formatting[formatting.length - 1] === top) {
      formatting.pop()
      tree.pop()
      return
    }
    if (!formatting.includes(top)) {
      tree.pop()
      return
    }
  }
  for (let round = 0; round < maxRounds; round++) {
    const element = formattingOf(tree, name)
    if (element === undefined) {
      tree.closeOrdinary(name, rules)
      return
    }
    const at = tree.positionOf(element)
    if (at === 0) {
      forget(tree, element)
      return
    }
    if (at < tree.scope) return
    let block = at + 1
    while (block <= tree.depth && tree.stack[block]?.tag.rules.isSpecial === false) block++
    if (block > tree.depth) {
      tree.popTo(at)
      forget(tree, element)
      return
    }
    adopt(tree, element, at, block)
  }
}

/** Maximum elements between a formatting element and a block that are copied into the block; any others are closed. */
const maxCopied = 3

const adopt = (tree: TreeBuilder, element: Element, at: number, blockAt: number): void => {
  const { formatting, stack } = tree
  tree.settle()
  const block = stack[blockAt] as Element
  const above = stack.slice(blockAt + 1, tree.depth + 1)
  const between: Array<Element> = []
  let bookmark = formatting.indexOf(element)
  let last = block
  for (let place = blockAt - 1, count = 1; place > at; place--, count++) {
    const node = stack[place] as Element
    const listed = formatting.indexOf(node)
    if (listed === -1) continue
    if (count > maxCopied) {
      formatting.splice(listed, 1)
      if (listed < bookmark) bookmark--
      continue
    }
    const copy = tree.create(node.tag)
    formatting[listed] = copy
    between.unshift(copy)
    if (last === block) bookmark = listed + 1
    move(last, copy)
    last = copy
  }
  remove(last)
  tree.insertAt(stack[at - 1] as Element, last)
  const copy = tree.create(element.tag)
  copy.children = block.children
  for (const child of copy.children) if (typeof child !== "string") child.parent = copy
  block.children = noChildren
  copy.parent = undefined
  move(copy, block)
  const old = formatting.indexOf(element)
  formatting.splice(bookmark, 0, copy)
  formatting.splice(old < bookmark ? old : old + 1, 1)
  tree.replaceStack(at, [...between, block, copy, ...above])
}

const remove = (node: Element): void => {
  const { parent } = node
  if (parent === undefined) return
  const at = parent.children.lastIndexOf(node)
  if (at !== -1) parent.children.splice(at, 1)
  node.parent = undefined
}

const move = (node: Element, parent: Element): void => {
  remove(node)
  node.parent = parent
  addChild(parent, node)
}
