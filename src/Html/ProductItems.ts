/** Reads products from JSON-LD, microdata and RDFa (schema.org). */
import { squeeze, textOf } from "./Element.ts"
import { isObject } from "./Metadata.ts"
import { type Item, isOfType, type PageItems, textOfValue, valuesAt } from "./PageItems.ts"
import type { PageUrls } from "./PageUrls.ts"
import {
  type ProductDraft,
  type ProductPrice,
  priceOf,
  type Rating,
  readAvailability,
  readCount,
  readDecimal,
  readGtin,
  type VariantDraft
} from "./ProductParts.ts"
import { spend } from "./Select.ts"
import { parseTree } from "./Tree.ts"

const types = ["product", "productgroup", "individualproduct", "productmodel", "someproducts", "vehicle", "car"]

const isProduct = (item: Item): boolean => types.some((type) => isOfType(item, type))

/** Properties that are followed to find the product that a page is about. Other properties lead to other products. */
const towards = ["@graph", "mainEntity", "mainEntityOfPage", "about"]

const [maxProducts, maxVariants, maxOptions, maxImages, maxDepth] = [500, 1_000, 20, 100, 6]

/** Visits each object once, because many may refer to the same one. */
const productsIn = (value: unknown, seen = new Set<unknown>(), depth = 0): ReadonlyArray<Item> => {
  if (depth > maxDepth) return []
  if (Array.isArray(value)) return value.slice(0, maxProducts).flatMap((each) => productsIn(each, seen, depth))
  if (!isObject(value) || seen.has(value)) return []
  seen.add(value)
  if (isProduct(value)) return [value]
  return towards.flatMap((name) => productsIn(value[name], seen, depth + 1))
}

/** Plain text: markup removed, entities resolved. */
export const plainOf = (text: string): string => {
  const marked = /[<&]/.test(text)
    ? textOf(parseTree(text.replace(/<(?:br|\/p|\/li|\/div)\b[^<>]{0,200}>/gi, " $&")).root)
    : text
  return squeeze(/<\w/.test(marked) ? textOf(parseTree(marked).root) : marked)
}

const isAddress = (text: string): boolean => /^(?:https?:)?\/\//.test(text)

export interface Reading {
  readonly items: PageItems
  readonly urls: PageUrls
  /** Language of the page. */
  readonly language: string | undefined
  readonly warn: (text: string) => void
}

class Reader {
  readonly #reading: Reading

  constructor(reading: Reading) {
    this.#reading = reading
  }

  all(item: unknown, ...names: ReadonlyArray<string>): ReadonlyArray<unknown> {
    const values = names.flatMap((name) => valuesAt(item, [name], this.#reading.items))
    // Count each lookup towards the work limit of the page: many variants may refer to the same offers.
    spend(100 + 10 * values.length)
    return values
  }

  text(item: unknown, ...names: ReadonlyArray<string>): string | undefined {
    for (const value of this.all(item, ...names)) {
      const text = textOfValue(value)
      if (text !== undefined && squeeze(text) !== "" && !isAddress(text)) return squeeze(text)
    }
    return undefined
  }

  address(item: unknown, ...names: ReadonlyArray<string>): string | undefined {
    for (const value of this.all(item, ...names)) {
      const text = isObject(value) ? (value["@id"] ?? value.url) : value
      const url = typeof text === "string" ? this.#reading.urls.resolve(text) : undefined
      if (url !== undefined) return url
    }
    return undefined
  }

  gtin(item: unknown): string | undefined {
    for (const value of this.all(item, "gtin", "gtin13", "gtin14", "gtin12", "gtin8", "isbn", "ean", "upc")) {
      const code = readGtin(textOfValue(value) ?? "")
      if (code !== undefined) return code
    }
    return undefined
  }

  images(item: unknown): VariantDraft["images"] {
    const found = new Map<string, { url: string; alt?: string }>()
    for (const value of this.all(item, "image").slice(0, maxImages)) {
      const [address] = isObject(value) ? this.all(value, "contentUrl", "url", "@id") : [value]
      const url = typeof address === "string" ? this.#reading.urls.resolve(address) : undefined
      const alt = isObject(value) ? this.text(value, "caption", "description", "name") : undefined
      if (url !== undefined && !found.has(url)) found.set(url, alt === undefined ? { url } : { url, alt })
    }
    return found.size === 0 ? undefined : [...found.values()]
  }

  rating(item: unknown): Rating | undefined {
    for (const rating of this.all(item, "aggregateRating")) {
      const value = readDecimal(this.text(rating, "ratingValue") ?? "")
      if (value === undefined) continue
      const best = readDecimal(this.text(rating, "bestRating") ?? "")
      const count = readCount(this.text(rating, "reviewCount") ?? this.text(rating, "ratingCount") ?? "")
      // Shops state 0 out of 0 for a product without ratings.
      if (value === 0 && (count ?? 0) === 0) continue
      return { value, ...(best === undefined ? {} : { best }), ...(count === undefined ? {} : { count }) }
    }
    return undefined
  }

  /** The current price of an offer, and its original price. */
  prices(offer: unknown): Pick<VariantDraft, "price" | "originalPrice"> {
    const currency = this.text(offer, "priceCurrency")
    const read = (value: unknown, own: unknown) =>
      priceOf(typeof value === "number" ? value : textOfValue(value), own ?? currency, this.#reading.language)
    let price = read(this.all(offer, "price")[0], undefined)
    let original: ProductPrice | undefined
    for (const specification of this.all(offer, "priceSpecification")) {
      const each = read(this.all(specification, "price")[0], this.text(specification, "priceCurrency"))
      if (each === undefined) continue
      const type = String(this.all(specification, "priceType")[0] ?? "")
      if (/(?:List|Strikethrough|Regular|MSRP|SRP)(?:Price)?$/i.test(type)) original ??= each
      else price ??= each
    }
    return { price, originalPrice: original }
  }

  offer(offer: unknown): VariantDraft {
    const item = this.all(offer, "itemOffered").find(isObject)
    const availability = this.all(offer, "availability").map(textOfValue)[0]
    return {
      id: this.text(offer, "identifier"),
      sku: this.text(offer, "sku", "mpn") ?? this.text(item, "sku"),
      gtin: this.gtin(offer) ?? this.gtin(item),
      title: this.text(item, "name") ?? this.text(offer, "name"),
      ...this.prices(offer),
      inStock: availability === undefined ? undefined : readAvailability(availability),
      availability:
        availability === undefined ? undefined : squeeze(availability).replace(/^https?:\/\/schema\.org\//, ""),
      images: this.images(offer) ?? this.images(item)
    }
  }

  /** The offers of a product as variants: one variant, unless each offer names what it sells. */
  offers(product: Item): ReadonlyArray<VariantDraft> {
    const stated = this.all(product, "offers", "offer")
    const offers = stated
      .slice(0, maxVariants)
      .flatMap((offer) => (isObject(offer) ? [offer, ...this.all(offer, "offers")] : []))
      .filter((offer) => isObject(offer) && !isOfType(offer, "aggregateoffer"))
      .slice(0, maxVariants)
    const drafts = offers.map((offer) => this.offer(offer))
    const name = this.text(product, "name")
    const keys = new Set(drafts.map(({ gtin, sku, title }) => sku ?? gtin ?? (title === name ? undefined : title)))
    const sellers = new Set(offers.map((offer) => this.text(offer, "seller")))
    if (drafts.length > 1 && keys.size === drafts.length && !keys.has(undefined) && sellers.size < 2) return drafts
    const [first, ...others] = drafts
    if (first === undefined) return [this.aggregate(stated)]
    const isSame = others.every(({ price }) => price?.amount === first.price?.amount)
    const inStock = drafts.some((draft) => draft.inStock === true) ? true : first.inStock
    if (isSame) return [{ ...first, sku: others.length === 0 ? first.sku : undefined, inStock }]
    this.#reading.warn(`the product has ${drafts.length} offers with different prices, so its price is left out`)
    return [{ inStock, availability: first.availability }]
  }

  aggregate(offers: ReadonlyArray<unknown>): VariantDraft {
    const [offer] = offers.filter(isObject)
    if (offer === undefined) return {}
    const currency = this.text(offer, "priceCurrency")
    const read = (name: string) => priceOf(this.text(offer, name), currency, this.#reading.language)
    const [low, high] = [read("lowPrice"), read("highPrice")]
    const draft = this.offer(offer)
    if (draft.price !== undefined || low === undefined) return draft
    if (high === undefined || high.amount === low.amount) return { ...draft, price: low }
    this.#reading.warn(`the product costs ${low.amount} to ${high.amount}, so its price is left out`)
    return draft
  }

  /** Values of the options that distinguish the variants of a group. */
  values(variant: Item, group: Item): Readonly<Record<string, string>> | undefined {
    const stated = this.all(group, "variesBy").slice(0, maxOptions)
    const options = stated.map((each) => String(textOfValue(each) ?? "").replace(/^.*[/#]/, ""))
    const values: Record<string, string> = {}
    for (const name of new Set([...options, "color", "size", "material", "pattern"])) {
      const value = this.text(variant, name)
      if (value !== undefined && (options.includes(name) || value !== this.text(group, name))) values[name] = value
    }
    for (const property of this.all(variant, "additionalProperty")) {
      const [name, value] = [this.text(property, "name"), this.text(property, "value")]
      if (name !== undefined && value !== undefined && options.includes(name)) values[name] = value
    }
    return Object.keys(values).length === 0 ? undefined : values
  }

  variants(product: Item): ReadonlyArray<VariantDraft> {
    const variants = this.all(product, "hasVariant", "model").filter(isObject).filter(isProduct).slice(0, maxVariants)
    const own = (item: Item): VariantDraft => ({
      sku: this.text(item, "sku", "mpn"),
      gtin: this.gtin(item),
      images: this.images(item)
    })
    if (variants.length === 0) {
      const offers = this.offers(product)
      const shared = own(product)
      return offers.map((offer) =>
        offers.length === 1 ? filled(offer, shared) : { ...offer, images: offer.images ?? shared.images }
      )
    }
    return variants.map((variant) => {
      const [offer = {}] = this.offers(variant)
      const id = this.text(variant, "productID", "identifier")
      return {
        ...filled(filled(own(variant), offer), { images: this.images(product) }),
        id,
        title: this.text(variant, "name"),
        values: this.values(variant, product)
      }
    })
  }

  product(item: Item): ProductDraft | undefined {
    const title = this.text(item, "name", "title")
    if (title === undefined) return undefined
    const categories = this.all(item, "category").flatMap((value) => {
      const text = textOfValue(value)
      return text === undefined || isAddress(text) ? [] : [plainOf(text)]
    })
    const brand = this.text(item, "brand", "manufacturer")
    const description = this.text(item, "description")
    const variants = this.variants(item)
    return {
      title: plainOf(title),
      brand: brand === undefined ? undefined : plainOf(brand),
      category: categories[0],
      url: this.address(item, "url", "@id"),
      description: description === undefined ? undefined : plainOf(description),
      gtin: this.gtin(item) ?? (variants.length === 1 ? variants[0]?.gtin : undefined),
      rating: this.rating(item),
      variants
    }
  }
}

/** The first object, with undefined fields filled in from the second. */
export const filled = <A extends object>(first: A, second: A): A => {
  const own = Object.fromEntries(Object.entries(first).filter(([, value]) => value !== undefined))
  return { ...second, ...own } as A
}

/** The products that a syntax declares for the page itself. */
export const productsInItems = (roots: ReadonlyArray<unknown>, reading: Reading): ReadonlyArray<ProductDraft> => {
  const reader = new Reader(reading)
  return roots
    .flatMap((root) => productsIn(root))
    .slice(0, maxProducts)
    .flatMap((item) => reader.product(item) ?? [])
}
