/** Converts images of pages to the form that the index stores: URL, searchable words, size. */
import { locate } from "./Place.ts"
import { clean } from "./Words.ts"

/** Image of a page, with the attributes that the page declares. */
export interface Image {
  readonly url: string
  /** Alternative text, title and figure caption. */
  readonly caption: string
  /** Pixels, when the page declares them. */
  readonly width?: number | undefined
  readonly height?: number | undefined
}

export interface IndexedImage {
  readonly url: string
  readonly caption: string
  /** Caption and the words of the file name. */
  readonly words: string
  /** File extension, `jpg` also for `jpeg`; empty when the URL has none. */
  readonly extension: string
  readonly width: number | null
  readonly height: number | null
}

/** Maximum images indexed per page. */
const maxImages = 100
const [maxUrlLength, maxCaptionLength] = [2000, 500]
/** Minimum pixels. Smaller images are tracking pixels or spacers. */
const minPixels = 3

/** File name without its extension. A name such as `harbour-at-night-1024x768.jpg` describes the image and contains its size. */
const nameOf = (url: string): string => {
  const path = url.replace(/^[a-z]+:\/\/[^/?#]*|[?#].*$/gi, "")
  const last = path.slice(path.lastIndexOf("/") + 1)
  return last.replace(/\.[a-z0-9]{1,5}$/i, "").replace(/%[0-9a-f]{2}/gi, " ")
}

const sizeIn = (name: string) => {
  const found = /(?:^|[-_.])(\d{2,5})x(\d{2,5})(?=$|[-_.@])/i.exec(name)
  return found === null ? undefined : { width: Number(found[1]), height: Number(found[2]) }
}

/** Maps `jpeg` to `jpg`. */
export const normalizeExtension = (extension: string): string => (extension === "jpeg" ? "jpg" : extension)

const isPixel = ({ height, width }: Image): boolean =>
  (width !== undefined && width < minPixels) || (height !== undefined && height < minPixels)

/** Images to index, without duplicates, invalid URLs and tracking pixels. */
export const indexedImages = (images: ReadonlyArray<Image>): ReadonlyArray<IndexedImage> => {
  const found = new Map<string, IndexedImage>()
  for (const image of images) {
    if (found.size >= maxImages) break
    if (isPixel(image) || image.url.length > maxUrlLength || !/^https?:/i.test(image.url)) continue
    const url = clean(image.url)
    if (found.has(url)) continue
    const caption = clean(image.caption.slice(0, maxCaptionLength)).replace(/\s+/gu, " ").trim()
    const name = nameOf(url)
    const size = image.width === undefined && image.height === undefined ? sizeIn(name) : undefined
    const words = /\p{L}{3}/u.test(name) ? `${caption} ${name.replace(/[-_.+]+/g, " ")}` : caption
    found.set(url, {
      url,
      caption,
      words,
      extension: normalizeExtension(locate(url).extension),
      width: image.width ?? size?.width ?? null,
      height: image.height ?? size?.height ?? null
    })
  }
  return [...found.values()]
}
