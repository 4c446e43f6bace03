/**
 * Pages made of frames (`<frameset>`): replaces the frameset with the content of its frames, as a person sees it.
 *
 * URLs in the content are made absolute, because each frame has its own base URL. The URLs of the frames are added to the links of the
 * page. A warning names frames that fail to load, are not HTML, or exceed `maxFrames` or `maxDepth`.
 */
import { isFailure } from "../../Api/Errors.ts"
import { type Decoded, decodeText } from "../../Html/Charset.ts"
import { type Element, isElement, makeElement } from "../../Html/Element.ts"
import { PageUrls } from "../../Html/PageUrls.ts"
import { escapeText, toHtml } from "../../Html/Serialize.ts"
import { noAttributes } from "../../Html/Tokenizer.ts"
import { parseTree, type Tree } from "../../Html/Tree.ts"
import { kindOf } from "../Fetch/ContentKind.ts"
import type { Fetched } from "../PageCache/PageSource.ts"
import { forEach, type Held, orFailure, type Work } from "../Teams/Work.ts"

const maxFrames = 12
const maxDepth = 3

const frameset = /<frameset\b[\s\S]*(?:<\/frameset\s*>|$)/i

/** Bytes that are searched for a frameset. */
const maxSearched = 16 * 1024

const framesIn = (element: Element): ReadonlyArray<Element> =>
  element.children.filter(isElement).flatMap((child) => (child.name === "frame" ? [child] : framesIn(child)))

/** Decodes a page with a frameset; undefined for any other page. */
const decodedOf = ({ body, headers, statusCode, url }: Fetched): Decoded | undefined => {
  const head = Buffer.from(body.buffer, body.byteOffset, Math.min(body.byteLength, maxSearched)).toString("latin1")
  if (statusCode < 200 || statusCode >= 300 || !/<frameset\b/i.test(head)) return undefined
  const type = headers["content-type"]
  if (kindOf(type, new URL(url).pathname, body)._tag !== "Html") return undefined
  const decoded = decodeText(body, type)
  // A frameset after content is ignored.
  return frameset.test(decoded.text) && parseTree(decoded.text).body === undefined ? decoded : undefined
}

interface FramePage {
  readonly html: string
  readonly problems: ReadonlyArray<string>
}

/** Returns the content of a page as HTML with absolute URLs. */
const contentOf = (tree: Tree, url: string, charset: string): string => {
  const content = makeElement("div", noAttributes, undefined)
  content.children = (tree.body ?? tree.root).children
  return toHtml([content], new PageUrls(tree, url, true, charset))
}

/** Maximum frames fetched at once. */
const atOnce = 4

/** Inserts the content of frames into the page; returns any other page unchanged. `get` fetches a frame, and is called for only a few. */
export const withFrames = async (
  work: Work,
  page: Fetched,
  get: (work: Work, url: string) => Promise<Held<Fetched>>
): Promise<Fetched> => {
  const decoded = decodedOf(page)
  if (decoded === undefined) return page
  let left = maxFrames

  const assembled = async (work: Work, { charset, text }: Decoded, url: string, depth: number): Promise<FramePage> => {
    const tree = parseTree(text)
    const urls = new PageUrls(tree, url, true, charset)
    const addresses = [
      ...new Set(
        framesIn(tree.root).flatMap(({ attributes }) => {
          const address = urls.link(attributes.src ?? "")
          return address !== undefined && /^https?:/i.test(address) ? [address] : []
        })
      )
    ]
    const asked = addresses.slice(0, left)
    left -= asked.length
    const pages = await forEach(work, asked, atOnce, (inner, address) => read(inner, address, depth))
    const links = addresses.map((address) => `<a href="${escapeText(address)}">${escapeText(address)}</a>`)
    const unread = addresses
      .slice(asked.length)
      .map((address) => `${address} was not read, because the page has more than ${maxFrames} frames.`)
    return {
      html: `<nav>${links.join(" ")}</nav>${pages.map(({ html }) => html).join("\n")}`,
      problems: [...pages.flatMap(({ problems }) => problems), ...unread]
    }
  }

  const contentOfFrame = async (
    work: Work,
    { body, headers, statusCode, url }: Fetched,
    depth: number
  ): Promise<FramePage> => {
    const type = headers["content-type"]
    if (statusCode >= 400) return { html: "", problems: [`${url} answered ${statusCode}.`] }
    if (kindOf(type, new URL(url).pathname, body)._tag !== "Html") {
      return { html: "", problems: [`${url} is not an HTML page.`] }
    }
    const inner = decodedOf({ body, headers, statusCode, url })
    if (inner !== undefined) {
      return depth < maxDepth
        ? assembled(work, inner, url, depth + 1)
        : { html: "", problems: [`${url} is a frameset more than ${maxDepth} levels deep.`] }
    }
    const { charset, text } = decodeText(body, type)
    return { html: contentOf(parseTree(text), url, charset), problems: [] }
  }

  const read = async (work: Work, address: string, depth: number): Promise<FramePage> => {
    const frame = await orFailure(get(work, address))
    if (isFailure(frame)) return { html: "", problems: [frame.message] }
    try {
      return await contentOfFrame(work, frame.page, depth)
    } finally {
      frame.release()
    }
  }

  const { html, problems } = await assembled(work, decoded, page.url, 1)
  const { packed: _, ...rest } = page
  return {
    ...rest,
    headers: { ...page.headers, "content-type": "text/html; charset=utf-8" },
    body: Buffer.from(decoded.text.replace(frameset, () => `<body>${html}</body>`)),
    ...(problems.length === 0 ? {} : { shown: { warning: `Frames of the page were not read: ${problems.join(" ")}` } })
  }
}
