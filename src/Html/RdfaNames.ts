/** Names in RDFa attributes: terms, prefixed names (CURIEs) and URLs (RDFa Core 1.1, section 7.4). */

export const rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
export const xsd = "http://www.w3.org/2001/XMLSchema#"
export const xhtmlVocabulary = "http://www.w3.org/1999/xhtml/vocab#"

const openGraph = "http://ogp.me/ns"

/** Prefixes that need no declaration: most of the initial context of RDFa 1.1, and the types of the Open Graph protocol. */
const initialPrefixes: ReadonlyMap<string, string> = new Map([
  ...["csvw", "dcat", "ldp", "oa", "org", "prov", "rdfa"].map(
    (name) => [name, `http://www.w3.org/ns/${name}#`] as const
  ),
  ...["article", "book", "music", "profile", "video", "website"].map(
    (name) => [name, `${openGraph}/${name}#`] as const
  ),
  ...Object.entries({
    as: "https://www.w3.org/ns/activitystreams#",
    cc: "http://creativecommons.org/ns#",
    ctag: "http://commontag.org/ns#",
    dc: "http://purl.org/dc/terms/",
    dc11: "http://purl.org/dc/elements/1.1/",
    dcterms: "http://purl.org/dc/terms/",
    foaf: "http://xmlns.com/foaf/0.1/",
    gr: "http://purl.org/goodrelations/v1#",
    grddl: "http://www.w3.org/2003/g/data-view#",
    ical: "http://www.w3.org/2002/12/cal/icaltzd#",
    ma: "http://www.w3.org/ns/ma-ont#",
    og: `${openGraph}#`,
    owl: "http://www.w3.org/2002/07/owl#",
    qb: "http://purl.org/linked-data/cube#",
    rdf,
    rdfs: "http://www.w3.org/2000/01/rdf-schema#",
    rev: "http://purl.org/stuff/rev#",
    rif: "http://www.w3.org/2007/rif#",
    rr: "http://www.w3.org/ns/r2rml#",
    schema: "http://schema.org/",
    sd: "http://www.w3.org/ns/sparql-service-description#",
    sioc: "http://rdfs.org/sioc/ns#",
    skos: "http://www.w3.org/2004/02/skos/core#",
    skosxl: "http://www.w3.org/2008/05/skos-xl#",
    v: "http://rdf.data-vocabulary.org/#",
    vcard: "http://www.w3.org/2006/vcard/ns#",
    void: "http://rdfs.org/ns/void#",
    wdr: "http://www.w3.org/2007/05/powder#",
    wdrs: "http://www.w3.org/2007/05/powder-s#",
    xhv: xhtmlVocabulary,
    xml: "http://www.w3.org/XML/1998/namespace",
    xsd
  })
])

const initialTerms: ReadonlyMap<string, string> = new Map([
  ["describedby", "http://www.w3.org/2007/05/powder-s#describedby"],
  ["license", `${xhtmlVocabulary}license`],
  ["role", `${xhtmlVocabulary}role`]
])

/** Terms known in documents that declare RDFa 1.0. */
const oldTerms = new Set(
  "alternate appendix bookmark cite chapter contents copyright first glossary help icon index last license meta next p3pv1 prev role section start stylesheet subsection top up".split(
    " "
  )
)

const term = /^[\p{L}_][\p{L}\p{N}\p{M}/._-]*$/u
const scheme = /^[a-z][a-z\d+.-]*:/i

/** Vocabulary and prefixes that are in scope for an element. */
export interface Names {
  readonly vocabulary: string | undefined
  /** True if the page declares RDFa 1.0. */
  readonly isOld: boolean
  /** Prefixes declared by the nearest element; `outer` has those of the elements around it. */
  readonly prefixes: ReadonlyMap<string, string>
  readonly outer: Names | undefined
}

/** Maximum names in one attribute, and characters of a vocabulary, which each expanded name repeats. */
const [maxNames, maxVocabulary] = [1_000, 2_000]

export const words = (text: string | undefined): ReadonlyArray<string> => (text?.match(/\S+/g) ?? []).slice(0, maxNames)

/** Returns the names in scope for an element: those around it, extended by its own `prefix`, `xmlns:` or `vocab`. */
export const namesOf = (attributes: Readonly<Record<string, string>>, names: Names): Names => {
  const declared: Array<readonly [string, string]> = []
  for (const [name, value] of Object.entries(attributes))
    if (name.startsWith("xmlns:") && value.length <= maxVocabulary)
      declared.push([name.slice(6).toLowerCase(), value.trim()])
  const { prefix, vocab } = attributes
  const parts = words(prefix)
  for (let at = 0; at < parts.length; at++) {
    const name = parts[at] ?? ""
    const iri = name.endsWith(":") ? parts[++at] : undefined
    if (iri !== undefined && iri.length <= maxVocabulary && name !== "_:")
      declared.push([name.slice(0, -1).toLowerCase(), iri])
  }
  if (declared.length === 0 && vocab === undefined) return names
  const vocabulary =
    vocab === undefined ? names.vocabulary : vocab.length <= maxVocabulary ? vocab.trim() || undefined : undefined
  return { ...names, vocabulary, ...(declared.length === 0 ? {} : { prefixes: new Map(declared), outer: names }) }
}

const iriOfPrefix = (prefix: string, names: Names): string | undefined => {
  for (let scope: Names | undefined = names; scope !== undefined; scope = scope.outer) {
    const iri = scope.prefixes.get(prefix)
    if (iri !== undefined) return iri
  }
  return initialPrefixes.get(prefix)
}

/** Expands a CURIE; undefined if its prefix is unknown. Blank nodes (`_:x`) keep their name. */
export const expandCurie = (name: string, names: Names): string | undefined => {
  const colon = name.indexOf(":")
  if (colon === -1 || name.startsWith("//", colon + 1)) return undefined
  const prefix = name.slice(0, colon).toLowerCase()
  if (prefix === "_") return name
  const iri = prefix === "" ? xhtmlVocabulary : iriOfPrefix(prefix, names)
  return iri === undefined ? undefined : iri + name.slice(colon + 1)
}

/** Expands a name of `typeof`, `property`, `rel`, `rev` or `datatype`. */
export const expandName = (name: string, names: Names): string | undefined => {
  if (term.test(name)) {
    if (names.vocabulary !== undefined) return names.vocabulary + name
    const lower = name.toLowerCase()
    return initialTerms.get(lower) ?? (names.isOld && oldTerms.has(lower) ? xhtmlVocabulary + lower : undefined)
  }
  return expandCurie(name, names) ?? (scheme.test(name) ? name : undefined)
}

/** All names that can be expanded, without duplicates. */
export const expandNames = (text: string | undefined, names: Names): ReadonlyArray<string> =>
  text === undefined ? [] : [...new Set(words(text).flatMap((name) => expandName(name, names) ?? []))]
