/**
 * The main product of a page, from its structured data, in the shape of the API's format `product`.
 *
 * - Sources by rank: JSON-LD, microdata and RDFa, embedded state, `dataLayer`, Open Graph. A lower source adds what higher ones lack.
 * - Fields of two products never mix: another source counts only if its code, URL or title is that of the product.
 * - If a page describes several products, and none of them by title or URL is its own, it has no product, and gets a warning.
 */
import * as Either from "effect/Either"
import { descendantsOf, type Element, rankOf, squeeze, textOf } from "./Element.ts"
import { readEmbeddedState } from "./EmbeddedState.ts"
import { readMetadata } from "./Metadata.ts"
import type { Item, PageItems } from "./PageItems.ts"
import type { PageUrls } from "./PageUrls.ts"
import { filled, productsInItems } from "./ProductItems.ts"
import {
  type ProductDraft,
  type ProductPrice,
  priceOf,
  type Rating,
  readAvailability,
  readRating,
  type VariantDraft
} from "./ProductParts.ts"
import { productsInLayer, productsInState } from "./ProductState.ts"
import { bounded } from "./Select.ts"
import type { Tree } from "./Tree.ts"

export interface ProductVariant {
  readonly id?: string
  readonly sku?: string
  readonly title?: string
  /** Value of each option, such as a colour, by the option's name. */
  readonly values?: Readonly<Record<string, string>>
  readonly price?: ProductPrice
  readonly sale?: { readonly originalPrice: ProductPrice }
  /** If the page does not state the availability, a product with a price is in stock. */
  readonly availability: { readonly inStock: boolean; readonly text?: string }
  readonly images?: ReadonlyArray<{ readonly url: string; readonly alt?: string }>
}

export interface Product {
  readonly title: string
  readonly brand?: string
  readonly category?: string
  /** Absent only if the URL of the page is not known. */
  readonly url?: string
  readonly description?: string
  readonly gtin?: string
  readonly rating?: Rating
  readonly variants: ReadonlyArray<ProductVariant>
}

const fold = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()

/** Titles (normalized for comparison) and URLs of the page, by which its own product is recognised. */
interface Identity {
  readonly titles: ReadonlyArray<string>
  readonly addresses: ReadonlyArray<string>
}

const pathOf = (url: string): string =>
  url
    .replace(/^https?:\/\/(?:www\.)?/i, "")
    .split(/[?#]/, 1)
    .join("")
    .replace(/\/$/, "")

const maxHeadings = 5

const identityOf = (tree: Tree, metadata: Readonly<Record<string, unknown>>, address: string | undefined): Identity => {
  const headings = descendantsOf(tree.root)
    .filter((element) => rankOf(element) === 1)
    .slice(0, maxHeadings)
    .map(textOf)
  const titles = [...headings, metadata["og:title"], metadata.title]
    .filter((title) => typeof title === "string")
    .map(fold)
  return {
    titles: titles.filter((title) => title !== ""),
    addresses: [metadata.canonical, metadata["og:url"], address].filter((url) => typeof url === "string").map(pathOf)
  }
}

/** True if a title of the page begins with the product's name: `Blue kettle | Shop`. */
const isTitleOf = ({ titles }: Identity, title: string): boolean => {
  const own = fold(title)
  return own !== "" && titles.some((each) => each === own || (own.length > 5 && each.startsWith(`${own} `)))
}

const isOwn = (draft: ProductDraft, identity: Identity): boolean =>
  isTitleOf(identity, draft.title) || (draft.url !== undefined && identity.addresses.includes(pathOf(draft.url)))

const skusOf = ({ variants }: ProductDraft): ReadonlyArray<string> => variants.flatMap(({ sku }) => sku ?? [])

const isSame = (a: ProductDraft, b: ProductDraft): boolean => {
  if (a.gtin !== undefined && b.gtin !== undefined) return a.gtin === b.gtin
  const [first, second] = [fold(a.title), fold(b.title)]
  if (first === second) return true
  const skus = new Set(skusOf(a))
  if (skusOf(b).some((sku) => skus.has(sku))) return true
  return a.url !== undefined && b.url !== undefined && pathOf(a.url) === pathOf(b.url)
}

const joinVariants = (a: ReadonlyArray<VariantDraft>, b: ReadonlyArray<VariantDraft>): ReadonlyArray<VariantDraft> => {
  const [first, second] = [a[0], b[0]]
  if (a.length === 1 && b.length === 1 && first !== undefined && second !== undefined) {
    // An original price together with another source's price would be a sale that no source states.
    const { originalPrice, ...rest } = second
    return [filled(first, first.price === undefined ? second : rest)]
  }
  if (a.every(({ price }) => price === undefined) && b.some(({ price }) => price !== undefined)) return b
  return a.map((variant) => {
    const same = variant.sku === undefined ? undefined : b.find(({ sku }) => sku === variant.sku)
    return same === undefined ? variant : filled(variant, { ...same, originalPrice: undefined })
  })
}

const join = (a: ProductDraft, b: ProductDraft): ProductDraft => ({
  ...filled(a, b),
  variants: joinVariants(a.variants, b.variants)
})

/** Maximum products of a source that are compared with each other. */
const maxDrafts = 100

/** The page's own product in a source; undefined if there is none, or if it cannot be told from several. */
const choose = (drafts: ReadonlyArray<ProductDraft>, identity: Identity): ProductDraft | undefined => {
  const distinct: Array<ProductDraft> = []
  for (const draft of drafts.slice(0, maxDrafts)) {
    const at = distinct.findIndex((each) => isSame(each, draft))
    const same = distinct[at]
    if (same === undefined) distinct.push(draft)
    else distinct[at] = join(same, draft)
  }
  if (distinct.length < 2) return distinct[0]
  const own = distinct.filter((draft) => isOwn(draft, identity))
  return own.length === 1 ? own[0] : undefined
}

/** Product of the Open Graph tags, if they state a price. */
const openGraphOf = (
  metadata: Readonly<Record<string, unknown>>,
  urls: PageUrls,
  language: string | undefined
): ReadonlyArray<ProductDraft> => {
  const read = (...names: ReadonlyArray<string>): string | undefined => {
    for (const name of names) {
      const value = metadata[name]
      if (typeof value === "string" && value.trim() !== "") return squeeze(value)
    }
    return undefined
  }
  const title = read("og:title")
  const currency = read("product:price:currency", "og:price:currency")
  const price = priceOf(read("product:price:amount", "og:price:amount"), currency, language)
  if (title === undefined || price === undefined) return []
  const original = priceOf(read("product:original_price:amount", "og:price:standard_amount"), currency, language)
  const availability = read("product:availability", "og:availability")
  const image = read("og:image")
  const url = image === undefined ? undefined : urls.resolve(image)
  return [
    {
      title,
      brand: read("product:brand", "og:brand"),
      category: read("product:category"),
      url: read("og:url"),
      description: read("og:description"),
      variants: [
        {
          sku: read("product:retailer_item_id"),
          price,
          originalPrice: original,
          inStock: availability === undefined ? undefined : readAvailability(availability),
          availability,
          images: url === undefined ? undefined : [{ url }]
        }
      ]
    }
  ]
}

const marksProduct = ({ attributes }: Element): boolean =>
  attributes.itemscope !== undefined && /[/#]Product$/i.test(attributes.itemtype?.trim() ?? "")

const namesRating = /(?:^|[\s_-])(?:rating|ratings|review-?stars|stars|reviews?-(?:summary|score|average))(?=$|[\s_-])/i

/** Maximum elements with the name of a rating that are read: they may be nested. */
const maxRatings = 50

/** Rating that is displayed, but not declared, within the only element that is declared as a product. */
const shownRating = (tree: Tree): Rating | undefined => {
  const marked = descendantsOf(tree.root).filter(marksProduct)
  const [scope] = marked
  if (scope === undefined || marked.length > 1) return undefined
  let tried = 0
  for (const element of descendantsOf(scope)) {
    const { class: classes = "", id = "", itemprop } = element.attributes
    if (itemprop === "review" || itemprop === "reviews") return undefined
    if (!namesRating.test(classes) && !namesRating.test(id)) continue
    if (++tried > maxRatings) return undefined
    const rating = readRating(element)
    if (rating !== undefined) return rating
  }
  return undefined
}

const variantFrom = ({ availability, id, images, inStock, originalPrice, price, sku, title, values }: VariantDraft) => {
  const isSale = price !== undefined && originalPrice !== undefined && originalPrice.amount > price.amount
  return {
    ...given({ id, sku, title, values, price }),
    ...(isSale ? { sale: { originalPrice } } : {}),
    availability: { inStock: inStock ?? price !== undefined, ...given({ text: availability }) },
    ...given({ images })
  }
}

/** The object without undefined values. */
const given = <A extends Readonly<Record<string, unknown>>>(values: A): { [K in keyof A]?: Exclude<A[K], undefined> } =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof A]?: Exclude<A[K], undefined>
  }

/** The main product of a page; undefined if there is none. Calls `warn` about anything left out. `items`: the items of the page. */
export const readProduct = (
  tree: Tree,
  urls: PageUrls,
  warn: (text: string) => void,
  items: PageItems
): Product | undefined => {
  const read = bounded(() => productOf(tree, urls, warn, items))
  if (Either.isRight(read)) return read.right
  warn("the page has too much structured data to find its product")
  return undefined
}

/** A product as a JSON-LD item, with the property names of schema.org. */
export const asItem = (product: Product): Item => {
  const { brand, category, description, gtin, rating, title: name, url, variants } = product
  const offers = variants.flatMap(({ availability, price, sku }) =>
    price === undefined
      ? []
      : [
          {
            "@type": "Offer",
            price: price.amount,
            ...given({ sku, priceCurrency: price.currency, availability: availability.text })
          }
        ]
  )
  const [first] = variants
  return {
    "@type": "Product",
    name,
    ...given({
      brand,
      category,
      description,
      gtin,
      url,
      sku: variants.length === 1 ? first?.sku : undefined,
      image: first?.images?.map((image) => image.url),
      aggregateRating: rating === undefined ? undefined : { ratingValue: rating.value, reviewCount: rating.count },
      offers: offers.length === 0 ? undefined : offers.length === 1 ? offers[0] : offers
    })
  }
}

const productOf = (tree: Tree, urls: PageUrls, warn: (text: string) => void, items: PageItems): Product | undefined => {
  const metadata = readMetadata(tree, (href) => urls.resolve(href))
  const language = tree.html?.attributes.lang
  const identity = identityOf(tree, metadata, urls.page)
  const sources: ReadonlyArray<() => ReadonlyArray<ProductDraft>> = [
    ...items.map((roots) => () => productsInItems(roots, { items, urls, language, warn })),
    () => productsInState(state().states, urls, language, (title) => isTitleOf(identity, title)),
    () => productsInLayer(state().dataLayer, urls, language),
    () => openGraphOf(metadata, urls, language)
  ]
  let embedded: ReturnType<typeof readEmbeddedState> | undefined
  const state = () => (embedded ??= readEmbeddedState(tree))
  let product: ProductDraft | undefined
  for (const read of sources) {
    const drafts = read()
    if (product === undefined) {
      product = choose(drafts, identity)
      if (product === undefined && drafts.length > 1) {
        warn(`the page describes ${drafts.length} products, and none of them matches its title or address`)
        return undefined
      }
    } else {
      const main: ProductDraft = product
      const same = choose(
        drafts.filter((draft) => isSame(main, draft)),
        identity
      )
      if (same !== undefined) product = join(main, same)
    }
  }
  if (product === undefined) return undefined
  const { brand, category, description, gtin, rating, title, variants } = product
  const canonical = typeof metadata.canonical === "string" ? metadata.canonical : undefined
  return {
    title,
    ...given({
      brand,
      category,
      url: canonical ?? urls.page ?? product.url,
      description,
      gtin,
      rating: rating ?? shownRating(tree)
    }),
    variants: variants.map(variantFrom)
  }
}
