/** Page data without a language model: options of the format `fields`, and the results of all data formats. */
import * as Schema from "effect/Schema"
import { characters, field, maybe, open, optional } from "./Field.ts"

/** Formats for data that a page states or shows. They cost the same as Markdown. */
export const dataFormats = ["structured", "product", "article", "breadcrumbs", "tables", "lists", "fields"] as const
export type DataFormat = (typeof dataFormats)[number]

/** Types of field values. */
export const fieldTypes = [
  "text",
  "markdown",
  "html",
  "number",
  "integer",
  "price",
  "currency",
  "date",
  "datetime",
  "boolean",
  "exists",
  "url",
  "json"
] as const
export type FieldType = (typeof fieldTypes)[number]

const Selector = Schema.String.annotations({ description: "a CSS selector" })

/** Options for how numbers, prices and dates in a page are read. */
export const reading = {
  locale: optional(
    Schema.String,
    "Language of numbers, prices and dates, like de-DE; by default the language of the page."
  ),
  order: optional(
    Schema.Literal("DMY", "MDY", "YMD"),
    "Order of day, month and year in numeric dates; by default the order that the language uses."
  ),
  timezone: optional(Schema.String, "Time zone of times that name none, like Europe/Berlin; UTC by default.")
}

const ownSources = {
  css: optional(Selector, "The first element that this CSS selector matches, below the row's element."),
  label: optional(
    Schema.Union(Schema.String, Schema.Array(Schema.String)),
    "The value beside this label, or the first of several: th and td, dt and dd, or text like `Weight: 2 kg`."
  ),
  data: optional(
    Schema.String,
    "A value in the page's structured data (JSON-LD, microdata, RDFa), by type and path, like Product.offers.price."
  ),
  meta: optional(
    Schema.String,
    "The content of a meta element, like description or og:image; also title and canonical."
  ),
  column: optional(
    Schema.String,
    "The cell in this column of the table, by its header or number, or the column of a list; by default the field's own name."
  ),
  regex: optional(
    Schema.String,
    "A regular expression that finds the value in the text of the row: the value is its first group, or the whole match if it has no group."
  ),
  attr: optional(Schema.String, "An attribute of the element, in place of its text; addresses become absolute."),
  own: optional(Schema.Boolean, "Only the element's own text, without the text of its child elements."),
  all: optional(Schema.Boolean, "Every match, as an array."),
  match: optional(
    Schema.String,
    "A regular expression that picks a part of the text: the value is its first group, or the whole match if it has no group. /…/i ignores case."
  ),
  as: optional(
    Schema.Literal(...fieldTypes),
    "Type of the value; text by default. If the text does not fit the type, the row fails."
  ),
  default: optional(Schema.Unknown, "Value to use if nothing matches, or if the text does not fit the type."),
  ...reading
}

const inner = Schema.Struct(ownSources).annotations({ description: "an object with the source of the field" })
const Inner = Schema.Union(Selector, Schema.Array(Schema.Union(Selector, inner)), inner).annotations({
  description: "a CSS selector, an object with a source, or a list of them"
})

/** Keys that say where the value of a field comes from. */
export const sources = {
  ...ownSources,
  fields: optional(
    Schema.Record({ key: Schema.String, value: Inner }),
    "The value is an object of these fields, which are relative to the element."
  )
}

/** Makes the schema of a field whose source has these keys. */
export const fieldOf = <Fields extends Schema.Struct.Fields>(keys: Fields) => {
  const Source = Schema.Struct(keys).annotations({ description: "an object with the source of the field" })
  return Schema.Union(Selector, Schema.Array(Schema.Union(Selector, Source)), Source).annotations({
    description: "a CSS selector, an object with a source, or a list of them, whose first value is used"
  })
}

const Rows = Schema.Union(
  Selector,
  Schema.Struct({
    table: Schema.propertySignature(
      Schema.Union(Schema.Literal(true), Schema.Int.pipe(Schema.positive()), Selector).annotations({
        description: "a CSS selector, the number of a table from 1, or true for the largest"
      })
    ).annotations({ description: "One row for each row of a table." })
  }),
  Schema.Struct({
    data: Schema.propertySignature(Schema.String.annotations({ description: "a type like Product" })).annotations({
      description: "One row for each item of this type in the page's structured data."
    })
  }),
  Schema.Struct({
    list: Schema.propertySignature(Schema.Literal(true)).annotations({
      description:
        "One row for each record of the page's main list, which Sluice finds because its elements repeat; the columns are those that `sluice extract` shows."
    })
  })
).annotations({ description: "a CSS selector, { table: … }, { data: … } or { list: true }" })

/** Fields shared by the format `fields` and the step `extract`. */
export const rowFields = {
  rows: optional(Rows, "Parts of the page that become rows; without `rows`, each page is one row."),
  required: optional(Schema.Array(Schema.String), "Required fields: a row without a value for one of them fails."),
  onEmpty: optional(
    Schema.Literal("reject", "skip"),
    "What happens to a page without any row: reject (the default) or skip."
  ),
  ...reading
}

const maxFields = 1_000

/** Options of the format `fields`. */
export const FieldsFormat = Schema.Struct({
  ...rowFields,
  fields: optional(
    Schema.Record({ key: Schema.String, value: fieldOf(sources) }).pipe(
      Schema.filter((fields) => Object.keys(fields).length <= maxFields || `expected at most ${maxFields} fields`)
    ),
    "Fields of a row: each name with the source of its value. Without `fields`, rows have the columns of the table or list, or the properties of the structured data."
  ),
  html: optional(
    Schema.Literal("failed"),
    "failed: the answer includes `rawHtml` if a row fails, or if a page without rows is rejected."
  ),
  id: optional(characters(100), "Returned with the rows, to match them to the request."),
  fingerprints: optional(
    Schema.Boolean,
    "Describes, for each field, the element that gave its first value. Done for the first 20 pages, then for one page in 64."
  ),
  now: optional(
    Schema.String,
    "Time (ISO 8601) that relative dates like `yesterday` refer to; by default the time at which the page is read."
  )
}).pipe(
  Schema.filter(({ fields, rows }) =>
    fields === undefined && (rows === undefined || typeof rows === "string")
      ? "needs fields, or rows: { table: true }"
      : true
  )
)
export type FieldsFormat = typeof FieldsFormat.Type

/** Describes the element that gave a field's value: enough to recognize it on another page, in at most 2 kB. */
export const Fingerprint = Schema.Struct({
  tag: field(Schema.String, "Name of the element."),
  attributes: field(
    Schema.Record({ key: Schema.String, value: Schema.String }),
    "Attributes that identify the element, and its class."
  ),
  path: field(Schema.String, "The elements around this element, like `main > article.card > p`."),
  before: field(Schema.String, "Text before the element, such as its label."),
  sample: field(Schema.String, "Beginning of the element's text.")
}).annotations({ identifier: "Fingerprint", description: "An element that gave a value of a field.", ...open })
export type Fingerprint = typeof Fingerprint.Type

/** Rows of a page, from the format `fields`. */
export const FieldRows = Schema.Struct({
  rows: field(
    Schema.Array(Schema.Record({ key: Schema.String, value: Schema.Unknown })),
    "The rows, each with all of its fields; a field without a value is null."
  ),
  missing: maybe(
    Schema.Array(
      Schema.Struct({
        field: field(Schema.String, "Name of the field, like `price` or `offer.price`."),
        reason: field(Schema.String, "Why the field has no value, or only its default."),
        isUnreadable: maybe(Schema.Boolean, "True if a text was found that does not fit the type."),
        rows: field(Schema.Array(Schema.Number), "Numbers of these rows, from 1.")
      }).annotations(open)
    ),
    "Fields without a value, or with their default in place of one, by field and reason."
  ),
  fingerprints: maybe(
    Schema.Record({ key: Schema.String, value: Fingerprint }),
    "The element that gave the first value of each field, if the request asks for them."
  ),
  error: maybe(Schema.String, "Why the page cannot be read; there are no rows then."),
  id: maybe(Schema.String, "The `id` of the request.")
}).annotations({ identifier: "FieldRows", description: "Rows of a page: format `fields`.", ...open })
export type FieldRows = typeof FieldRows.Type

const strings = Schema.Array(Schema.String)
const items = Schema.Array(Schema.Unknown)

const Price = Schema.Struct({
  amount: field(Schema.Number, "Amount."),
  currency: maybe(Schema.String, "ISO 4217 currency code, if the page states one."),
  formatted: maybe(Schema.String, "Price as the page shows it.")
}).annotations({ identifier: "ProductPrice", description: "A price.", ...open })

const Variant = Schema.Struct({
  id: maybe(Schema.String, "Id of the variant in the shop."),
  sku: maybe(Schema.String, "Article number (SKU)."),
  title: maybe(Schema.String, "Title."),
  values: maybe(Schema.Record({ key: Schema.String, value: Schema.String }), "Value of each option, such as a colour."),
  price: maybe(Price, "Price."),
  sale: maybe(
    Schema.Struct({ originalPrice: field(Price, "Price before the reduction.") }).annotations(open),
    "Present if the price is reduced."
  ),
  availability: field(
    Schema.Struct({
      inStock: field(
        Schema.Boolean,
        "True if the product can be bought, or if the page states a price and no availability."
      ),
      text: maybe(Schema.String, "Availability as the page states it.")
    }).annotations(open),
    "Availability of the variant."
  ),
  images: maybe(
    Schema.Array(
      Schema.Struct({
        url: field(Schema.String, "Address."),
        alt: maybe(Schema.String, "Alternative text.")
      }).annotations(open)
    ),
    "Images."
  )
}).annotations({ identifier: "ProductVariant", description: "A variant of a product.", ...open })

/** Fields of a document that hold page data. */
export const dataFields = {
  structured: maybe(
    Schema.Struct({
      jsonld: maybe(items, "Objects of JSON-LD, in the order of the page."),
      microdata: maybe(items, "Items of microdata."),
      rdfa: maybe(items, "Items of RDFa."),
      opengraph: maybe(items, "Properties of Open Graph, in one object."),
      microformats: maybe(items, "Items of microformats.")
    }).annotations({ identifier: "Structured", description: "Structured data of a page, by syntax.", ...open }),
    "Structured data of the page, by syntax: format `structured`."
  ),
  product: maybe(
    Schema.Struct({
      title: field(Schema.String, "Title."),
      brand: maybe(Schema.String, "Brand."),
      category: maybe(Schema.String, "Category; may be a path like `Kitchen > Kettles`."),
      url: maybe(Schema.String, "Canonical address."),
      description: maybe(Schema.String, "Description."),
      gtin: maybe(Schema.String, "GTIN with a valid check digit."),
      rating: maybe(
        Schema.Struct({
          value: field(Schema.Number, "Average of the ratings."),
          best: maybe(Schema.Number, "Highest possible rating."),
          count: maybe(Schema.Number, "Number of ratings.")
        }).annotations(open),
        "Rating by buyers."
      ),
      variants: field(Schema.Array(Variant), "Variants of the product, at least one.")
    }).annotations({ identifier: "Product", description: "The product that a page is about.", ...open }),
    "The product that the page is about: format `product`. Absent, with a warning, if the page does not show which product it is about."
  ),
  article: maybe(
    Schema.Struct({
      title: maybe(Schema.String, "Title."),
      author: maybe(Schema.String, "Authors."),
      published: maybe(Schema.String, "Date or time of publication (ISO 8601)."),
      modified: maybe(Schema.String, "Date or time of the last change (ISO 8601)."),
      section: maybe(Schema.String, "Section of the site."),
      text: maybe(Schema.String, "Text of the main content, where the page has an author or a date.")
    }).annotations({ identifier: "Article", description: "Facts about an article.", ...open }),
    "Facts about the article on the page: format `article`."
  ),
  breadcrumbs: maybe(
    Schema.Array(
      Schema.Struct({
        name: field(Schema.String, "Text of the step."),
        url: maybe(Schema.String, "Address that the step links to.")
      }).annotations({ identifier: "Breadcrumb", description: "A step on the path to the page.", ...open })
    ),
    "Path of the page in its site: format `breadcrumbs`."
  ),
  tables: maybe(
    Schema.Array(
      Schema.Struct({
        caption: maybe(Schema.String, "Caption."),
        header: field(strings, "Names of the columns; empty if the table has none."),
        rows: field(
          Schema.Array(strings),
          "Texts of the cells, by row; a cell that spans several rows or columns is repeated in each."
        )
      }).annotations({ identifier: "TableData", description: "A table of a page or file.", ...open })
    ),
    "Tables in the order of the page: format `tables`."
  ),
  lists: maybe(
    Schema.Array(
      Schema.Struct({
        count: field(Schema.Number, "Number of records."),
        fields: field(strings, "Names of the columns, `title` and `url` first."),
        rows: field(Schema.Array(Schema.Record({ key: Schema.String, value: Schema.Unknown })), "The records."),
        selector: maybe(Schema.String, "CSS selector that matches exactly the records.")
      }).annotations({ identifier: "RecordList", description: "Records that repeat in a page.", ...open })
    ),
    "Lists of records that repeat in the page, the main list first: format `lists`."
  ),
  fields: maybe(FieldRows, "Rows extracted according to the request: format `fields`.")
}
