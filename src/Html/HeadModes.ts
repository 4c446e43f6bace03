/** Insertion modes around the body (HTML standard, 13.2.6.4.1 to 13.2.6.4.6 and from 13.2.6.4.18 on): document, head, templates, frames. */
import { clearToMarker, pushMarker } from "./Formatting.ts"
import { type Content, namesIn, tagOf } from "./Tags.ts"
import { makeTag, noAttributes, type StartTag } from "./Tokenizer.ts"
import type { Mode, TreeBuilder } from "./TreeBuilder.ts"

const [headId, templateId, framesetId] = [tagOf("head").id, tagOf("template").id, tagOf("frameset").id]
const [htmlTag, headTag, bodyTag] = [
  makeTag("html", noAttributes),
  makeTag("head", noAttributes),
  makeTag("body", noAttributes)
]

/** End tags that start the next part of a page; before the body, all others are ignored. */
const leading = namesIn("head body html br")
const inHeadOnly = namesIn("base basefont bgsound link meta title noscript noframes style script template")

const isSpace = (code: number): boolean => code === 0x20 || (code >= 0x09 && code <= 0x0d && code !== 0x0b)

const spaceOf = (text: string): number => {
  let at = 0
  while (at < text.length && isSpace(text.charCodeAt(at))) at++
  return at
}

type Leave = (tree: TreeBuilder) => void

/** Creates a mode for a part of the page that most tokens end: the next mode then handles the token. */
const passing = (
  leave: Leave,
  keepsSpace: boolean,
  starts: Readonly<Record<string, (tree: TreeBuilder, tag: StartTag) => Content>>,
  ends: ReadonlySet<string>
): Mode => ({
  open: (tree, tag) => {
    const rule = Object.hasOwn(starts, tag.name) ? starts[tag.name] : undefined
    if (rule !== undefined) return rule(tree, tag)
    leave(tree)
    return tree.mode.open(tree, tag)
  },
  close: (tree, name, rules) => {
    if (!ends.has(name)) return
    leave(tree)
    tree.mode.close(tree, name, rules)
  },
  text: (tree, text) => {
    const at = spaceOf(text)
    if (keepsSpace && at > 0) tree.addText(text.slice(0, at))
    if (at === text.length) return
    leave(tree)
    tree.mode.text(tree, text.slice(at))
  },
  leave
})

const mergeHtml = (tree: TreeBuilder, tag: StartTag): Content => tree.modes.inBody.open(tree, tag)

const leaveInitial: Leave = (tree) => {
  tree.hasQuirks = true
  tree.mode = tree.modes.beforeHtml
}

export const initial: Mode = {
  ...passing(leaveInitial, false, {}, leading),
  close: (tree, name, rules) => {
    leaveInitial(tree)
    tree.mode.close(tree, name, rules)
  }
}

const openHtml = (tree: TreeBuilder, tag: StartTag): Content => {
  tree.html = tree.insert(tag)
  tree.mode = tree.modes.beforeHead
  return "markup"
}

export const beforeHtml: Mode = passing((tree) => void openHtml(tree, htmlTag), false, { html: openHtml }, leading)

const openHead = (tree: TreeBuilder, tag: StartTag): Content => {
  tree.head = tree.insert(tag)
  tree.mode = tree.modes.inHead
  return "markup"
}

export const beforeHead: Mode = passing(
  (tree) => void openHead(tree, headTag),
  false,
  { html: mergeHtml, head: openHead },
  leading
)

const insert = (tree: TreeBuilder, tag: StartTag): Content => {
  if (tag.rules.isVoid) tree.insertVoid(tag)
  else tree.insert(tag)
  return tag.rules.content
}

const openTemplate = (tree: TreeBuilder, tag: StartTag): Content => {
  // Content of a declarative shadow root is visible.
  if (/^(?:open|closed)$/i.test(tag.attributes.shadowrootmode ?? "")) tree.insert(tag).layout = "inline"
  else tree.insert(tag)
  pushMarker(tree)
  tree.mayHaveFrames = false
  tree.mode = tree.modes.inTemplate
  tree.templateModes.push(tree.modes.inTemplate)
  return "markup"
}

const closeTemplate = (tree: TreeBuilder): void => {
  const at = tree.lastOf(templateId)
  if (at === 0) return
  tree.popTo(at)
  clearToMarker(tree)
  tree.templateModes.pop()
  tree.resetMode()
}

const leaveHead: Leave = (tree) => {
  tree.pop()
  tree.mode = tree.modes.afterHead
}

const headMode = passing(
  leaveHead,
  true,
  {
    html: mergeHtml,
    head: () => "markup",
    ...Object.fromEntries([...inHeadOnly].map((name) => [name, insert])),
    template: openTemplate
  },
  leading
)

export const inHead: Mode = {
  ...headMode,
  close: (tree, name, rules) => {
    if (name === "template") closeTemplate(tree)
    else if (name === "head") leaveHead(tree)
    else headMode.close(tree, name, rules)
  }
}

/** Inserts head elements that come after the head into the head. */
const reopenHead = (tree: TreeBuilder, tag: StartTag): Content => {
  if (tree.head === undefined) return "markup"
  tree.push(tree.head)
  const content = tree.modes.inHead.open(tree, tag)
  if (content === "markup" && tag.rules.isVoid) tree.pop()
  else tree.removeFromStack(tree.lastOf(headId))
  return content
}

const openBody = (tree: TreeBuilder, tag: StartTag): Content => {
  tree.body = tree.insert(tag)
  tree.mode = tree.modes.inBody
  return "markup"
}

const bodyMode = passing(
  (tree) => void openBody(tree, bodyTag),
  true,
  {
    html: mergeHtml,
    body: (tree, tag) => {
      tree.mayHaveFrames = false
      return openBody(tree, tag)
    },
    frameset: (tree, tag) => {
      tree.insert(tag)
      tree.mode = tree.modes.inFrameset
      return "markup"
    },
    head: () => "markup",
    ...Object.fromEntries([...inHeadOnly].filter((name) => name !== "noscript").map((name) => [name, reopenHead]))
  },
  namesIn("body html br")
)

export const afterHead: Mode = {
  ...bodyMode,
  close: (tree, name, rules) => {
    if (name === "template") closeTemplate(tree)
    else bodyMode.close(tree, name, rules)
  }
}

const toBody: Leave = (tree) => {
  tree.mode = tree.modes.inBody
}

const backToBody = (afterwards: (tree: TreeBuilder) => Mode | undefined): Mode => ({
  open: (tree, tag) => {
    if (tag.name !== "html") toBody(tree)
    return tree.modes.inBody.open(tree, tag)
  },
  close: (tree, name, rules) => {
    const mode = name === "html" ? afterwards(tree) : undefined
    if (mode !== undefined) tree.mode = mode
    else {
      toBody(tree)
      tree.mode.close(tree, name, rules)
    }
  },
  text: (tree, text) => {
    if (spaceOf(text) < text.length) toBody(tree)
    tree.modes.inBody.text(tree, text)
  }
})

export const afterBody: Mode = backToBody((tree) => tree.modes.afterAfterBody)
export const afterAfterBody: Mode = backToBody(() => undefined)

const onlySpace = (text: string): string => text.replace(/[^\t\n\f\r ]+/g, "")

const addSpace = (tree: TreeBuilder, text: string): void => tree.addText(onlySpace(text))

export const inFrameset: Mode = {
  open: (tree, tag) => {
    if (tag.name === "html") return mergeHtml(tree, tag)
    if (tag.name === "frameset") return insert(tree, tag)
    if (tag.name === "frame") tree.insertVoid(tag)
    if (tag.name === "noframes") return tree.modes.inHead.open(tree, tag)
    return "markup"
  },
  close: (tree, name) => {
    if (name !== "frameset" || tree.depth === 1) return
    tree.pop()
    if (tree.ids[tree.depth] !== framesetId) tree.mode = tree.modes.afterFrameset
  },
  text: addSpace
}

const openFrameless = (tree: TreeBuilder, tag: StartTag): Content => {
  if (tag.name === "html") return mergeHtml(tree, tag)
  return tag.name === "noframes" ? tree.modes.inHead.open(tree, tag) : "markup"
}

export const afterFrameset: Mode = {
  open: openFrameless,
  close: (tree, name) => {
    if (name === "html") tree.mode = tree.modes.afterAfterFrameset
  },
  text: addSpace
}

export const afterAfterFrameset: Mode = {
  open: openFrameless,
  close: () => undefined,
  text: (tree, text) => tree.modes.inBody.text(tree, onlySpace(text))
}

const changeTemplate = (tree: TreeBuilder, mode: Mode): void => {
  tree.templateModes[tree.templateModes.length - 1] = mode
  tree.mode = mode
}

export const inTemplate: Mode = {
  open: (tree, tag) => {
    const { name } = tag
    const { modes } = tree
    if (inHeadOnly.has(name) && name !== "noscript") return modes.inHead.open(tree, tag)
    if (name === "col") changeTemplate(tree, modes.inColumnGroup)
    else if (name === "tr") changeTemplate(tree, modes.inTableBody)
    else if (name === "td" || name === "th") changeTemplate(tree, modes.inRow)
    else if (name === "caption" || name === "colgroup" || name === "tbody" || name === "tfoot" || name === "thead")
      changeTemplate(tree, modes.inTable)
    else changeTemplate(tree, modes.inBody)
    return tree.mode.open(tree, tag)
  },
  close: (tree, name) => {
    if (name === "template") closeTemplate(tree)
  },
  text: (tree, text) => tree.modes.inBody.text(tree, text),
  leave: (tree) => closeTemplate(tree)
}
