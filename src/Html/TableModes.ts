/** Insertion modes for tables and for `select` elements (HTML standard, 13.2.6.4.9 to 13.2.6.4.17). */
import { clearToMarker, pushMarker } from "./Formatting.ts"
import { type Content, idOf, namesIn } from "./Tags.ts"
import { makeTag, noAttributes, type StartTag } from "./Tokenizer.ts"
import type { Mode, TreeBuilder } from "./TreeBuilder.ts"

const ids = (names: string): ReadonlySet<number> => new Set(names.split(" ").map(idOf))

const [table, template, caption, colgroup, tr] = [
  idOf("table"),
  idOf("template"),
  idOf("caption"),
  idOf("colgroup"),
  idOf("tr")
]
const [td, th, select, option, optgroup] = [idOf("td"), idOf("th"), idOf("select"), idOf("option"), idOf("optgroup")]
const sectionIds = ["tbody", "tfoot", "thead"].map(idOf)

const [colgroupTag, tbodyTag, trTag] = [
  makeTag("colgroup", noAttributes),
  makeTag("tbody", noAttributes),
  makeTag("tr", noAttributes)
]

const tableContext = ids("table template")
const bodyContext = ids("tbody tfoot thead template")
const rowContext = ids("tr template")

const sections = namesIn("tbody tfoot thead")
const parts = namesIn("caption col colgroup tbody td tfoot th thead tr")
const unmatched = namesIn("body caption col colgroup html tbody td tfoot th thead tr")

const space = /^[\t\n\f\r ]*$/

const open = (tree: TreeBuilder, tag: StartTag, mode: Mode): Content => {
  tree.insert(tag)
  tree.mode = mode
  return "markup"
}

/** Opens an element whose start tag was omitted, then continues with the tag in it. */
const openMissing = (tree: TreeBuilder, missing: StartTag, mode: Mode, tag: StartTag): Content => {
  open(tree, missing, mode)
  return mode.open(tree, tag)
}

const foster = <A>(tree: TreeBuilder, work: () => A): A => {
  const { isFostering } = tree
  tree.isFostering = true
  const result = work()
  tree.isFostering = isFostering
  return result
}

const closeTable = (tree: TreeBuilder): boolean => {
  const at = tree.inTableScope(table)
  if (at === 0) return false
  tree.popTo(at)
  tree.resetMode()
  return true
}

const tableText = (tree: TreeBuilder, text: string): void => {
  if (tree.top.tag.rules.isTablePart || tree.ids[tree.depth] === template) {
    tree.tableMode = tree.mode
    tree.tableText = ""
    tree.mode = tree.modes.inTableText
    tree.mode.text(tree, text)
  } else foster(tree, () => tree.modes.inBody.text(tree, text))
}

export const inTable: Mode = {
  open: (tree, tag) => {
    const { modes } = tree
    const { attributes, name } = tag
    if (parts.has(name)) {
      tree.popUntil(tableContext)
      if (name === "caption") pushMarker(tree)
      if (name === "caption") return open(tree, tag, modes.inCaption)
      if (name === "colgroup") return open(tree, tag, modes.inColumnGroup)
      if (name === "col") return openMissing(tree, colgroupTag, modes.inColumnGroup, tag)
      if (sections.has(name)) return open(tree, tag, modes.inTableBody)
      return openMissing(tree, tbodyTag, modes.inTableBody, tag)
    }
    if (name === "table") return closeTable(tree) ? tree.mode.open(tree, tag) : "markup"
    if (name === "style" || name === "script" || name === "template") return modes.inHead.open(tree, tag)
    if (name === "input" && attributes.type?.toLowerCase() === "hidden") {
      tree.insertVoid(tag)
      return "markup"
    }
    if (name === "form") {
      if (tree.form !== undefined || tree.lastOf(template) > 0) return "markup"
      tree.form = tree.insert(tag)
      tree.pop()
      return "markup"
    }
    return foster(tree, () => modes.inBody.open(tree, tag))
  },
  close: (tree, name, rules) => {
    if (name === "table") closeTable(tree)
    else if (name === "template") tree.modes.inHead.close(tree, name, rules)
    else if (!unmatched.has(name)) foster(tree, () => tree.modes.inBody.close(tree, name, rules))
  },
  text: tableText
}

/** Ends text directly in a table: unless it is only white space, it is inserted before the table. */
const endText = (tree: TreeBuilder): void => {
  const { tableText: text } = tree
  tree.mode = tree.tableMode
  tree.tableText = ""
  if (space.test(text)) tree.keepText(text)
  else foster(tree, () => tree.modes.inBody.text(tree, text))
}

export const inTableText: Mode = {
  open: (tree, tag) => {
    endText(tree)
    return tree.mode.open(tree, tag)
  },
  close: (tree, name, rules) => {
    endText(tree)
    tree.mode.close(tree, name, rules)
  },
  text: (tree, text) => {
    tree.tableText += tree.hasNull ? text.replaceAll("\0", "") : text
  },
  leave: endText
}

const closeCaption = (tree: TreeBuilder): boolean => {
  const at = tree.inTableScope(caption)
  if (at === 0) return false
  tree.popTo(at)
  clearToMarker(tree)
  tree.mode = tree.modes.inTable
  return true
}

export const inCaption: Mode = {
  open: (tree, tag) => {
    if (!parts.has(tag.name)) return tree.modes.inBody.open(tree, tag)
    return closeCaption(tree) ? tree.mode.open(tree, tag) : "markup"
  },
  close: (tree, name, rules) => {
    if (name === "caption") closeCaption(tree)
    else if (name === "table") {
      if (closeCaption(tree)) tree.mode.close(tree, name, rules)
    } else if (!unmatched.has(name)) tree.modes.inBody.close(tree, name, rules)
  },
  text: (tree, text) => tree.modes.inBody.text(tree, text)
}

const closeColumns = (tree: TreeBuilder): boolean => {
  if (tree.ids[tree.depth] !== colgroup) return false
  tree.pop()
  tree.mode = tree.modes.inTable
  return true
}

export const inColumnGroup: Mode = {
  open: (tree, tag) => {
    const { name } = tag
    if (name === "html") return tree.modes.inBody.open(tree, tag)
    if (name === "template") return tree.modes.inHead.open(tree, tag)
    if (name === "col") {
      tree.insertVoid(tag)
      return "markup"
    }
    return closeColumns(tree) ? tree.mode.open(tree, tag) : "markup"
  },
  close: (tree, name, rules) => {
    if (name === "template") tree.modes.inHead.close(tree, name, rules)
    else if (name === "colgroup") closeColumns(tree)
    else if (name !== "col" && closeColumns(tree)) tree.mode.close(tree, name, rules)
  },
  text: (tree, text) => {
    const rest = text.search(/[^\t\n\f\r ]/)
    tree.addText(rest === -1 ? text : text.slice(0, rest))
    if (rest === -1) return
    if (closeColumns(tree)) tree.mode.text(tree, text.slice(rest))
    else tree.addText(text.slice(rest).replace(/[^\t\n\f\r ]+/g, ""))
  }
}

/** Closes the open section of a table, if there is one. */
const closeSection = (tree: TreeBuilder): boolean => {
  if (!sectionIds.some((id) => tree.inTableScope(id) > 0)) return false
  tree.popUntil(bodyContext)
  tree.pop()
  tree.mode = tree.modes.inTable
  return true
}

export const inTableBody: Mode = {
  open: (tree, tag) => {
    const { name } = tag
    if (name === "tr") {
      tree.popUntil(bodyContext)
      return open(tree, tag, tree.modes.inRow)
    }
    if (name === "td" || name === "th") {
      tree.popUntil(bodyContext)
      return openMissing(tree, trTag, tree.modes.inRow, tag)
    }
    if (!parts.has(name)) return inTable.open(tree, tag)
    return closeSection(tree) ? tree.mode.open(tree, tag) : "markup"
  },
  close: (tree, name, rules) => {
    if (sections.has(name)) {
      if (tree.inTableScope(rules.id) > 0) closeSection(tree)
    } else if (name === "table") {
      if (closeSection(tree)) tree.mode.close(tree, name, rules)
    } else if (!unmatched.has(name)) inTable.close(tree, name, rules)
  },
  text: tableText
}

const closeRow = (tree: TreeBuilder): boolean => {
  if (tree.inTableScope(tr) === 0) return false
  tree.popUntil(rowContext)
  tree.pop()
  tree.mode = tree.modes.inTableBody
  return true
}

export const inRow: Mode = {
  open: (tree, tag) => {
    const { name } = tag
    if (name === "td" || name === "th") {
      tree.popUntil(rowContext)
      tree.insert(tag)
      pushMarker(tree)
      tree.mode = tree.modes.inCell
      return "markup"
    }
    if (!parts.has(name)) return inTable.open(tree, tag)
    return closeRow(tree) ? tree.mode.open(tree, tag) : "markup"
  },
  close: (tree, name, rules) => {
    if (name === "tr") closeRow(tree)
    else if (name === "table" || (sections.has(name) && tree.inTableScope(rules.id) > 0)) {
      if (closeRow(tree)) tree.mode.close(tree, name, rules)
    } else if (!unmatched.has(name)) inTable.close(tree, name, rules)
  },
  text: tableText
}

const closeCell = (tree: TreeBuilder, at: number): void => {
  tree.popTo(at)
  clearToMarker(tree)
  tree.mode = tree.modes.inRow
}

const openCell = (tree: TreeBuilder): number => Math.max(tree.inTableScope(td), tree.inTableScope(th))

export const inCell: Mode = {
  open: (tree, tag) => {
    if (!parts.has(tag.name)) return tree.modes.inBody.open(tree, tag)
    const at = openCell(tree)
    if (at === 0) return "markup"
    closeCell(tree, at)
    return tree.mode.open(tree, tag)
  },
  close: (tree, name, rules) => {
    if (name === "td" || name === "th") {
      const at = tree.inTableScope(rules.id)
      if (at > 0) closeCell(tree, at)
    } else if (name === "table" || name === "tr" || sections.has(name)) {
      if (tree.inTableScope(rules.id) === 0) return
      const at = openCell(tree)
      if (at > 0) closeCell(tree, at)
      else tree.resetMode()
      if (tree.mode !== inCell) tree.mode.close(tree, name, rules)
    } else if (!unmatched.has(name)) tree.modes.inBody.close(tree, name, rules)
  },
  text: (tree, text) => tree.modes.inBody.text(tree, text)
}

const isOpen = (tree: TreeBuilder, id: number): boolean => tree.ids[tree.depth] === id

const closeSelect = (tree: TreeBuilder): boolean => {
  const at = tree.lastOf(select)
  if (at === 0 || at < tree.lastOf(template)) return false
  tree.popTo(at)
  tree.resetMode()
  return true
}

export const inSelect: Mode = {
  open: (tree, tag) => {
    const { name } = tag
    if (name === "html") return tree.modes.inBody.open(tree, tag)
    if (name === "script" || name === "template") return tree.modes.inHead.open(tree, tag)
    if (name === "option" || name === "optgroup" || name === "hr") {
      if (isOpen(tree, option)) tree.pop()
      if (name !== "option" && isOpen(tree, optgroup)) tree.pop()
      if (name === "hr") tree.insertVoid(tag)
      else tree.insert(tag)
    } else if (name === "select") closeSelect(tree)
    else if ((name === "input" || name === "keygen" || name === "textarea") && closeSelect(tree))
      return tree.mode.open(tree, tag)
    return "markup"
  },
  close: (tree, name, rules) => {
    if (name === "template") tree.modes.inHead.close(tree, name, rules)
    else if (name === "select") closeSelect(tree)
    else if (name === "option") {
      if (isOpen(tree, option)) tree.pop()
    } else if (name === "optgroup") {
      if (isOpen(tree, option) && tree.ids[tree.depth - 1] === optgroup) tree.pop()
      if (isOpen(tree, optgroup)) tree.pop()
    }
  },
  text: (tree, text) => tree.addText(tree.hasNull ? text.replaceAll("\0", "") : text)
}

const endsSelect = namesIn("caption table tbody tfoot thead tr td th")

export const inSelectInTable: Mode = {
  open: (tree, tag) => {
    if (!endsSelect.has(tag.name)) return inSelect.open(tree, tag)
    return closeSelect(tree) ? tree.mode.open(tree, tag) : "markup"
  },
  close: (tree, name, rules) => {
    if (!endsSelect.has(name)) inSelect.close(tree, name, rules)
    else if (tree.inTableScope(rules.id) > 0 && closeSelect(tree)) tree.mode.close(tree, name, rules)
  },
  text: inSelect.text
}
