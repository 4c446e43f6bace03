/** Class names of the microformats before microformats2, mapped by the rules of the living specification. */

/** Property of microformats2 (such as `p-name` or `dt-start`) by the older class name. */
export type ClassicProperties = ReadonlyMap<string, string>

const plain = (names: string): Readonly<Record<string, string>> =>
  Object.fromEntries(names.split(" ").map((name) => [name, `p-${name}`]))

const address = plain("post-office-box extended-address street-address locality region postal-code country-name")
const place = plain("latitude longitude")

const propertiesByType: ReadonlyMap<string, ClassicProperties> = new Map(
  Object.entries({
    "h-adr": { ...address },
    "h-geo": { ...place },
    "h-item": { fn: "p-name", photo: "u-photo", url: "u-url" },
    "h-card": {
      ...plain(
        "honorific-prefix given-name additional-name family-name honorific-suffix nickname category org organization-name organization-unit role adr geo label note tel tz class sort-string mailer agent"
      ),
      ...place,
      fn: "p-name",
      title: "p-job-title",
      bday: "dt-bday",
      rev: "dt-rev",
      email: "u-email",
      key: "u-key",
      logo: "u-logo",
      photo: "u-photo",
      sound: "u-sound",
      uid: "u-uid",
      url: "u-url"
    },
    "h-feed": { ...plain("author category"), photo: "u-photo", url: "u-url" },
    "h-entry": {
      ...plain("author category geo"),
      ...place,
      "entry-title": "p-name",
      "entry-summary": "p-summary",
      "entry-content": "e-content",
      published: "dt-published",
      updated: "dt-updated"
    },
    "h-news": {
      ...plain("entry geo source-org dateline"),
      ...place,
      "item-license": "u-item-license",
      principles: "u-principles"
    },
    "h-event": {
      ...plain("category description location geo attendee contact organizer"),
      ...place,
      summary: "p-name",
      dtstart: "dt-start",
      dtend: "dt-end",
      duration: "dt-duration",
      url: "u-url"
    },
    "h-recipe": {
      ...plain("ingredient yield summary author nutrition category"),
      fn: "p-name",
      instructions: "e-instructions",
      duration: "dt-duration",
      published: "dt-published",
      photo: "u-photo"
    },
    "h-review": {
      ...plain("item rating best worst"),
      summary: "p-name",
      reviewer: "p-author",
      description: "e-content",
      dtreviewed: "dt-reviewed",
      url: "u-url"
    },
    "h-review-aggregate": {
      ...plain("item rating average best worst count votes category"),
      summary: "p-name",
      url: "u-url"
    },
    "h-product": {
      ...plain("brand category price review"),
      fn: "p-name",
      description: "p-description",
      identifier: "u-identifier",
      photo: "u-photo",
      url: "u-url"
    },
    "h-listing": {
      ...plain("lister location price item"),
      summary: "p-name",
      description: "e-content",
      dtlisted: "dt-listed",
      dtexpired: "dt-expired",
      url: "u-url"
    },
    "h-resume": plain("summary contact education experience skill affiliation publications")
  }).map(([type, properties]) => [type, new Map(Object.entries(properties))] as const)
)

const typesByRoot: ReadonlyMap<string, string> = new Map(
  Object.entries({
    adr: "h-adr",
    geo: "h-geo",
    hentry: "h-entry",
    hfeed: "h-feed",
    hlisting: "h-listing",
    hnews: "h-news",
    hproduct: "h-product",
    hrecipe: "h-recipe",
    hresume: "h-resume",
    hreview: "h-review",
    "hreview-aggregate": "h-review-aggregate",
    vcard: "h-card",
    vevent: "h-event"
  })
)

/** Property of microformats2 by `rel` value. */
const propertiesByRel: ReadonlyMap<string, string> = new Map([
  ["bookmark", "u-url"],
  ["tag", "p-category"]
])

const withRelations = new Set([
  "h-entry",
  "h-feed",
  "h-news",
  "h-recipe",
  "h-review",
  "h-review-aggregate",
  "h-product"
])

/** Types that the classes name, such as `h-card` for `vcard`. */
export const classicTypes = (classes: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...new Set(classes.flatMap((name) => typesByRoot.get(name) ?? []))
]

/** Properties of an item of these types, as named by the classes and `rel` values of an element. */
export const classicProperties = (
  types: ReadonlyArray<string>,
  classes: ReadonlyArray<string>,
  relations: ReadonlyArray<string>
): ReadonlyArray<string> => {
  const found = types.flatMap((type) => [
    ...classes.flatMap((name) => propertiesByType.get(type)?.get(name) ?? []),
    ...(withRelations.has(type) ? relations.flatMap((name) => propertiesByRel.get(name) ?? []) : [])
  ])
  return [...new Set(found)]
}

/** Matches a `class` that has one of the older names of a microformat. */
export const classicRoot = new RegExp(
  String.raw`(?:^|[\t\n\f\r ])(?:${[...typesByRoot.keys()].join("|")})(?![^\t\n\f\r ])`
)
