/** Images of pages as the index keeps them: where they are, what they show in words, how large they are. */
import { locate } from "./Place.ts"
import { clean } from "./Words.ts"

/** An image of a page, as the page tells of it. */
export interface Image {
  /** Absolute. */
  readonly url: string
  /** Its text for those who do not see it, its title, what stands below it. */
  readonly caption: string
  /** Pixels, where the page says how many. */
  readonly width?: number | undefined
  readonly height?: number | undefined
}

export interface Kept {
  readonly url: string
  readonly caption: string
  /** The caption, and the words that the image's file is named by. */
  readonly words: string
  /** Of its file, `jpg` also for `jpeg`; empty when the address has none. */
  readonly extension: string
  readonly width: number | null
  readonly height: number | null
}

/** Of one page; a page of more is a gallery of which the first are enough. */
const most = 100
const [longestUrl, longestCaption] = [2000, 500]
/** Smaller ones count visitors, or keep others apart. */
const smallest = 3

/** `harbour-at-night-1024x768.jpg` says what it shows, and how large it is. */
const nameOf = (url: string): string => {
  const path = url.replace(/^[a-z]+:\/\/[^/?#]*|[?#].*$/gi, "")
  const last = path.slice(path.lastIndexOf("/") + 1)
  return last.replace(/\.[a-z0-9]{1,5}$/i, "").replace(/%[0-9a-f]{2}/gi, " ")
}

const sizeIn = (name: string) => {
  const found = /(?:^|[-_.])(\d{2,5})x(\d{2,5})(?=$|[-_.@])/i.exec(name)
  return found === null ? undefined : { width: Number(found[1]), height: Number(found[2]) }
}

/** One name for what has two. */
export const spellType = (extension: string): string => (extension === "jpeg" ? "jpg" : extension)

const isPixel = ({ height, width }: Image): boolean =>
  (width !== undefined && width < smallest) || (height !== undefined && height < smallest)

/** What is kept of a page's images, each once. */
export const kept = (images: ReadonlyArray<Image>): ReadonlyArray<Kept> => {
  const found = new Map<string, Kept>()
  for (const image of images) {
    if (found.size >= most) break
    if (isPixel(image) || image.url.length > longestUrl || !/^https?:/i.test(image.url)) continue
    const url = clean(image.url)
    if (found.has(url)) continue
    const caption = clean(image.caption.slice(0, longestCaption)).replace(/\s+/gu, " ").trim()
    const name = nameOf(url)
    const size = image.width === undefined && image.height === undefined ? sizeIn(name) : undefined
    const words = /\p{L}{3}/u.test(name) ? `${caption} ${name.replace(/[-_.+]+/g, " ")}` : caption
    found.set(url, {
      url,
      caption,
      words,
      extension: spellType(locate(url).extension),
      width: image.width ?? size?.width ?? null,
      height: image.height ?? size?.height ?? null
    })
  }
  return [...found.values()]
}
