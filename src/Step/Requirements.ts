/** Capabilities that a step requires from its service, and formats that no service has, as known before the first request. */
import * as Either from "effect/Either"
import { formatNames, rareFormats } from "../Api/ScrapeOptions.ts"
import { unsupportedFormats } from "../Api/Upload.ts"
import { canParse } from "../Api/Url.ts"
import { compileFormat } from "../Html/FieldRows.ts"
import { didYouMean } from "../Row/Nearest.ts"

/** Capabilities that not every service has. */
export const abilities = [
  /** Render pages in a browser before they are read. */
  "browser",
  /** Open browser sessions. */
  "sessions",
  /** Call a language model. */
  "model",
  /** Make a certain format of a page, by its name, or of a file (`fileFormat`). */
  "format",
  "fileFormat",
  /** Use a certain proxy, by its name. */
  "proxy",
  /** Fetch pages while signed in. */
  "logins",
  /** Follow the pages of lists in a crawl (`next`). */
  "lists",
  /** Search the web. */
  "web",
  /** Reach this machine. */
  "here"
] as const
export type Ability = (typeof abilities)[number]

export interface Need {
  readonly ability: Ability
  /** Path of the field that requires the capability. */
  readonly path: ReadonlyArray<PropertyKey>
  /** What the field asks for, in words: `the format json`. */
  readonly what: string
  /** Name of the format or proxy, if there are several. */
  readonly name?: string | undefined
  /** True if the step can run without the capability. */
  readonly optional?: true
}

/** A config error in the fields of a step that their schema cannot express. */
export interface Objection {
  /** Path within the fields of the step. */
  readonly path: ReadonlyArray<PropertyKey>
  readonly message: string
}

/** Fields of a step as written, with values filled in as far as they are known before the run. */
export type Fields = unknown

type Mapping = Readonly<Record<string, unknown>>

export const isMapping = (value: unknown): value is Mapping =>
  typeof value === "object" && value !== null && !Array.isArray(value)

export const mapping = (value: unknown): Mapping => (isMapping(value) ? value : {})

export const list = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

/** Name of a format, as written or from its `type`; empty if it is known only during the run. */
export const nameOf = (format: unknown): string => {
  const name = typeof format === "string" ? format : mapping(format).type
  return typeof name === "string" ? name : ""
}

/** Formats that not every service makes, by the part of the name before `@`. */
const rare: ReadonlySet<string> = new Set(rareFormats)

const formatNeeds = (formats: unknown): ReadonlyArray<Need> =>
  list(formats).flatMap((format, index): ReadonlyArray<Need> => {
    const name = nameOf(format)
    const [stem = name] = name.split("@", 1)
    const place = { path: ["formats", index], what: `the format ${name}` }
    if (stem === "screenshot") return [{ ...place, ability: "browser" }]
    if (stem === "json" || stem === "extract") return [{ ...place, ability: "model" }]
    return rare.has(stem) ? [{ ...place, ability: "format", name: stem }] : []
  })

const fileFormats = (formats: unknown): ReadonlyArray<Need> =>
  list(formats).flatMap((format, index): ReadonlyArray<Need> => {
    const name = nameOf(format)
    // A name known only during the run may be valid.
    if (name === "") return []
    return [{ ability: "fileFormat", path: ["formats", index], what: `the format ${name}`, name }]
  })

/** Capabilities that scrape options require. */
export const scraping = (fields: Fields): ReadonlyArray<Need> => {
  const { actions, formats, loadMore, mobile, profile, proxy, scroll, session, waitFor } = mapping(fields)
  // Sluice reads the page of a browser session itself and has it parsed as a file.
  if (session !== undefined) return fileFormats(formats)
  const shown = {
    waitFor: Number(waitFor) > 0,
    mobile: mobile === true,
    actions: list(actions).length > 0,
    loadMore: loadMore !== undefined,
    scroll: scroll !== undefined,
    profile: Object.keys(mapping(profile)).length > 0
  }
  const kind = typeof proxy === "string" ? proxy.toLowerCase() : "auto"
  return [
    ...formatNeeds(formats),
    ...Object.entries(shown).flatMap(
      ([name, isAsked]): ReadonlyArray<Need> =>
        isAsked ? [{ ability: "browser", path: [name], what: `\`${name}\`` }] : []
    ),
    ...(["auto", "basic", "none"].includes(kind)
      ? []
      : [{ ability: "proxy" as const, path: ["proxy"], what: `the proxy ${kind}`, name: kind }])
  ]
}

/** Capabilities for parsing a file; a file that has an address is scraped. */
export const parsing = (fields: Fields): ReadonlyArray<Need> =>
  mapping(fields).url === undefined ? fileFormats(mapping(fields).formats) : scraping(fields)

/** Capabilities for pages that are scraped together: they can share the cookies of a profile without a browser. */
export const scrapingMany = (fields: Fields): ReadonlyArray<Need> =>
  scraping(fields).filter(({ path }) => path[0] !== "profile")

/** Checks a part of the fields, and returns the findings with their full paths. */
export const within = <Found extends { readonly path: Need["path"] }>(
  key: string,
  fields: Fields,
  look: (part: Fields) => ReadonlyArray<Found>
): ReadonlyArray<Found> => look(mapping(fields)[key]).map((found) => ({ ...found, path: [key, ...found.path] }))

const isHere = (url: string): boolean =>
  canParse(url) && /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname)

/** Requires that the service reaches this machine, if a field has an address of it: for a service elsewhere, it means something else. */
export const reaching =
  (...keys: ReadonlyArray<string>) =>
  (fields: Fields): ReadonlyArray<Need> =>
    keys.flatMap((key): ReadonlyArray<Need> => {
      const url = mapping(fields)[key]
      return typeof url === "string" && isHere(url) ? [{ ability: "here", path: [key], what: url }] : []
    })

/** Sites of a step with a `url` field: `rows` if they come from rows, undefined if the field names one. */
export const sitesOfRows = (fields: Fields): "rows" | undefined =>
  typeof mapping(fields).url === "string" ? undefined : "rows"

/** First address of this machine in a list. It is optional, because the step can leave out its rows. */
export const listing = (fields: Fields): ReadonlyArray<Need> => {
  const index = list(fields).findIndex((url) => typeof url === "string" && isHere(url))
  return index < 0 ? [] : [{ ability: "here", path: [index], what: String(list(fields)[index]), optional: true }]
}

/** Names of formats, including those that v1 uses for a full-page screenshot. */
const known: ReadonlyArray<string> = formatNames

/** Formats that a file cannot have, for steps that parse files. */
export const formatsOfFiles = (fields: Fields): ReadonlyArray<Objection> =>
  list(mapping(fields).formats).flatMap((format, index): ReadonlyArray<Objection> => {
    const name = nameOf(format)
    if (!unsupportedFormats.some((each) => name.split("@", 1)[0] === each)) return []
    return [
      {
        path: ["formats", index, ...(typeof format === "string" ? [] : ["type"])],
        message: `a file has no format "${name}": remove it, or scrape the address of a page`
      }
    ]
  })

/** True for a string that is known before the run. */
export const isLiteral = (value: unknown): value is string => typeof value === "string" && !value.includes("${{")

/** DOM properties that are not attributes, and what reads them instead. */
const properties: ReadonlyMap<string, string> = new Map([
  ...["innertext", "textcontent", "outertext", "text", "innerhtml", "outerhtml"].map(
    (name) =>
      [
        name,
        `the step extract, with fields: { name: { css: SELECTOR${name.endsWith("html") ? ", as: html" : ""} } }`
      ] as const
  ),
  ["classname", "attribute: class"],
  ["htmlfor", "attribute: for"]
])

/** Errors for queries of DOM properties, which no element has as attributes. */
const propertiesAsAttributes = (format: unknown, path: Objection["path"]): ReadonlyArray<Objection> =>
  list(mapping(format).selectors).flatMap((query, index): ReadonlyArray<Objection> => {
    const { attribute } = mapping(query)
    const instead = typeof attribute === "string" ? properties.get(attribute.toLowerCase()) : undefined
    if (instead === undefined) return []
    const message = `"${String(attribute)}" is a property that browsers give elements, not an attribute of the page: write ${instead}`
    return [{ path: [...path, "selectors", index, "attribute"], message }]
  })

/** Errors in the format `fields`; values known only during the run are not checked. */
const wrongFields = (format: unknown, path: Objection["path"]): ReadonlyArray<Objection> => {
  if (JSON.stringify(format).includes("${{")) return []
  const { type: _, ...particulars } = mapping(format)
  const compiled = compileFormat(particulars)
  return Either.isLeft(compiled) ? [{ path, message: `fields: ${compiled.left}` }] : []
}

/** Unknown names in `formats`, with the format that was probably meant. */
export const unknownFormats = (fields: Fields): ReadonlyArray<Objection> =>
  list(mapping(fields).formats).flatMap((format, index): ReadonlyArray<Objection> => {
    const name = nameOf(format)
    if (name === "attributes") return propertiesAsAttributes(format, ["formats", index])
    if (name === "fields") return wrongFields(format, ["formats", index])
    // Services may know more formats than this code, so they must check names that are filled in.
    if (name === "" || !isLiteral(name) || known.includes(name)) return []
    const hint = didYouMean(name, known)
    const path = ["formats", index, ...(typeof format === "string" ? [] : ["type"])]
    return [
      {
        path,
        message:
          hint === ""
            ? `unknown format "${name}": expected markdown, html, links, json or another that \`sluice explain scrape\` lists; to use a format that is newer than this version of Sluice, pass its name as an input`
            : `unknown format "${name}"${hint}`
      }
    ]
  })
