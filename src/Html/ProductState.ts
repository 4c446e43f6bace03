/** Finds products in the state of a page's application and in `dataLayer`. Covers the common names of a product's fields. */
import { addSome, isObject } from "./Metadata.ts"
import type { PageUrls } from "./PageUrls.ts"
import { filled, plainOf } from "./ProductItems.ts"
import {
  type ProductDraft,
  type ProductPrice,
  priceOf,
  type Rating,
  readAvailability,
  readGtin,
  type VariantDraft
} from "./ProductParts.ts"

type Fields = Readonly<Record<string, unknown>>

/** Maximum values searched, variants of a product, and images. */
const [maxSearched, maxVariants, maxImages] = [100_000, 1_000, 100]

const names = {
  title: ["title", "name", "productName", "displayName", "item_name"],
  brand: ["brand", "brandName", "vendor", "manufacturer", "item_brand"],
  category: ["category", "categoryName", "product_type", "productType", "type", "item_category"],
  address: ["url", "canonicalUrl", "productUrl", "link", "pdpUrl", "onlineStoreUrl"],
  description: ["description", "longDescription", "shortDescription", "body_html", "descriptionHtml"],
  gtin: ["gtin", "gtin13", "gtin12", "gtin14", "ean", "ean13", "barcode", "upc", "isbn"],
  sku: ["sku", "skuId", "articleNumber", "mpn", "item_id"],
  id: ["id", "productId", "variantId", "_id"],
  price: [
    "price",
    "currentPrice",
    "salePrice",
    "sellingPrice",
    "finalPrice",
    "offerPrice",
    "prices",
    "pricing",
    "priceInfo"
  ],
  original: [
    "compareAtPrice",
    "compare_at_price",
    "originalPrice",
    "listPrice",
    "regularPrice",
    "wasPrice",
    "msrp",
    "oldPrice"
  ],
  currency: ["currency", "currencyCode", "currencyIsoCode", "priceCurrency", "isoCode"],
  amount: ["amount", "value", "current", "currentPrice", "sale", "salePrice", "selling", "now", "centAmount"],
  stock: [
    "available",
    "inStock",
    "isInStock",
    "in_stock",
    "availableForSale",
    "isAvailable",
    "availability",
    "stockStatus"
  ],
  images: ["images", "media", "gallery", "pictures", "image", "featuredImage", "featured_image", "imageUrl"],
  variants: ["variants", "skus", "variations", "variantOptions", "productVariants"]
} as const

const valueOf = (fields: Fields, keys: ReadonlyArray<string>): unknown => {
  for (const key of keys) {
    const value = Object.hasOwn(fields, key) ? fields[key] : undefined
    if (value !== undefined && value !== null && value !== "") return value
  }
  return undefined
}

/** Searches only a few levels for text, because state may contain references to itself. */
const textOf = (value: unknown, depth = 0): string | undefined => {
  if (depth > 5) return undefined
  if (typeof value === "string") return value.trim() === "" ? undefined : value.trim()
  if (typeof value === "number") return String(value)
  if (isObject(value)) return textOf(value.name ?? value.title ?? value.label ?? value.value, depth + 1)
  return undefined
}

/** The items of a list, which may be a GraphQL connection (`nodes` or `edges`). */
const listOf = (value: unknown): ReadonlyArray<unknown> => {
  if (Array.isArray(value)) return value
  if (!isObject(value)) return []
  if (Array.isArray(value.nodes)) return value.nodes
  return Array.isArray(value.edges) ? value.edges.flatMap((edge) => (isObject(edge) ? [edge.node] : [])) : []
}

interface Scale {
  readonly divisor: number
  readonly currency: unknown
  readonly language: string | undefined
}

const priceFrom = (value: unknown, scale: Scale, depth = 0): ProductPrice | undefined => {
  if (!isObject(value)) {
    const price = priceOf(value, scale.currency, scale.language)
    const isPlain = typeof value === "number" || (typeof value === "string" && /^\d+$/.test(value))
    return price !== undefined && isPlain ? { ...price, amount: price.amount / scale.divisor } : price
  }
  if (depth > 3) return undefined
  const currency = valueOf(value, names.currency) ?? scale.currency
  const digits = typeof value.fractionDigits === "number" ? value.fractionDigits : 2
  const divisor = value.centAmount === undefined ? scale.divisor : 10 ** digits
  return priceFrom(valueOf(value, [...names.amount, ...names.price]), { ...scale, currency, divisor }, depth + 1)
}

/** Divisor and currency of an object's prices: product objects of Shopify state them in cents. */
const scaleOf = (fields: Fields, language: string | undefined): Scale => ({
  divisor: "price_min" in fields || "compare_at_price_min" in fields || "price_varies" in fields ? 100 : 1,
  currency: valueOf(fields, names.currency),
  language
})

const imagesOf = (fields: Fields, urls: PageUrls): VariantDraft["images"] => {
  const found = new Map<string, { url: string; alt?: string }>()
  for (const key of names.images) {
    const value = fields[key]
    const each =
      typeof value === "string" ? [value] : isObject(value) && listOf(value).length === 0 ? [value] : listOf(value)
    for (const image of each.slice(0, maxImages)) {
      const address = isObject(image) ? (image.url ?? image.src ?? image.originalSrc ?? image.href) : image
      const url = typeof address === "string" ? urls.resolve(address) : undefined
      const alt = isObject(image) ? textOf(image.alt ?? image.altText) : undefined
      if (url !== undefined && !found.has(url)) found.set(url, alt === undefined ? { url } : { url, alt })
    }
    if (found.size > 0) return [...found.values()]
  }
  return undefined
}

const stockOf = (fields: Fields): Pick<VariantDraft, "inStock" | "availability"> => {
  const value = valueOf(fields, names.stock)
  if (typeof value === "boolean") return { inStock: value }
  return typeof value === "string" ? { inStock: readAvailability(value), availability: value } : {}
}

const optionsOf = (fields: Fields): Readonly<Record<string, string>> | undefined => {
  const values = [...listOf(fields.selectedOptions), ...listOf(fields.attributes)].flatMap((option) => {
    const [name, value] = isObject(option) ? [textOf(option.name), textOf(option.value)] : []
    return name === undefined || value === undefined ? [] : [[name, value] as const]
  })
  return values.length === 0 ? undefined : Object.fromEntries(values)
}

const variantOf = (fields: Fields, scale: Scale, urls: PageUrls): VariantDraft => {
  const price = priceFrom(valueOf(fields, names.price), scale)
  const original = priceFrom(valueOf(fields, names.original), scale)
  return {
    id: textOf(valueOf(fields, names.id)),
    sku: textOf(valueOf(fields, names.sku)),
    gtin: readGtin(textOf(valueOf(fields, names.gtin)) ?? ""),
    values: optionsOf(fields),
    price,
    originalPrice: original,
    ...stockOf(fields),
    images: imagesOf(fields, urls)
  }
}

const ratingOf = (fields: Fields): Rating | undefined => {
  const value = isObject(fields.rating)
    ? (fields.rating.value ?? fields.rating.average)
    : (fields.averageRating ?? fields.rating)
  const count = isObject(fields.rating) ? fields.rating.count : (fields.reviewCount ?? fields.ratingCount)
  if (typeof value !== "number" || value <= 0 || value > 10) return undefined
  return typeof count === "number" ? { value, count } : { value }
}

const draftOf = (fields: Fields, urls: PageUrls, language: string | undefined): ProductDraft | undefined => {
  const title = textOf(valueOf(fields, names.title))
  if (title === undefined) return undefined
  const scale = scaleOf(fields, language)
  const own = variantOf(fields, scale, urls)
  const variants = listOf(valueOf(fields, names.variants))
    .filter(isObject)
    .slice(0, maxVariants)
    .map((each) => {
      const currency = valueOf(each, names.currency) ?? own.price?.currency ?? scale.currency
      const variant = variantOf(each, { ...scale, currency }, urls)
      return { ...variant, title: textOf(valueOf(each, names.title)) }
    })
  const priced = variants.filter(({ price }) => price !== undefined)
  // Without a price of its own or of a variant, the object is not a product, or only a link to one.
  if (own.price === undefined && priced.length === 0) return undefined
  const address = textOf(valueOf(fields, names.address))
  const description = textOf(valueOf(fields, names.description))
  return {
    title: plainOf(title),
    brand: textOf(valueOf(fields, names.brand)),
    category: textOf(valueOf(fields, names.category)),
    url: address === undefined ? undefined : urls.resolve(address),
    description: description === undefined ? undefined : plainOf(description),
    gtin: own.gtin ?? (variants.length === 1 ? variants[0]?.gtin : undefined),
    rating: ratingOf(fields),
    variants: priced.length === 0 ? [own] : variants.length === 1 ? [filled(variants[0] ?? {}, own)] : variants
  }
}

/** Products in states whose title passes the test; does not search the parts of a product. */
export const productsInState = (
  states: ReadonlyArray<unknown>,
  urls: PageUrls,
  language: string | undefined,
  isTitle: (title: string) => boolean
): ReadonlyArray<ProductDraft> => {
  const found: Array<ProductDraft> = []
  const open: Array<unknown> = [...states]
  for (let at = 0; at < open.length && at < maxSearched; at++) {
    const value = open[at]
    if (Array.isArray(value)) addSome(open, value, maxSearched)
    else if (isObject(value)) {
      const title = textOf(valueOf(value, names.title))
      const draft =
        title !== undefined && isTitle(plainOf(title.slice(0, 500))) ? draftOf(value, urls, language) : undefined
      if (draft !== undefined) found.push(draft)
      else addSome(open, Object.values(value), maxSearched)
    }
  }
  return found
}

/** The viewed product, from the events that Google Analytics defines (`view_item`, or `detail` before version 4). */
export const productsInLayer = (
  events: ReadonlyArray<unknown>,
  urls: PageUrls,
  language: string | undefined
): ReadonlyArray<ProductDraft> =>
  events.filter(isObject).flatMap((event) => {
    const ecommerce = isObject(event.ecommerce) ? event.ecommerce : {}
    const detail = isObject(ecommerce.detail) ? ecommerce.detail : {}
    const items = event.event === "view_item" ? listOf(ecommerce.items) : listOf(detail.products)
    const currency = ecommerce.currency ?? ecommerce.currencyCode
    return items.filter(isObject).flatMap((item) => draftOf({ currency, ...item }, urls, language) ?? [])
  })
