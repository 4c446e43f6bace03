/** Sections as regular expressions over a path: linear-time, anchored, readable. */
import type { Section } from "./Sections.ts"

const literal = (text: string): string => text.replace(/[.+?^${}()|[\]\\]/g, "\\$&")

/** A path as people write it, `*` for anything. */
const glob = (path: string): string => literal(path.replace(/\/?\*+$/, "").replace(/\/$/, "")).replace(/\*+/g, "[^/]*")

const group = (alternatives: string): string => (alternatives.includes("|") ? `(?:${alternatives})` : alternatives)

const ends = "(?:[/._-]|$)"

/** The start's own path up to the segment that the section names, or undefined. */
const along = (segments: string, start: string): string | undefined => {
  const parts = start.split("/").filter((part) => part !== "")
  const matches = new RegExp(`^(?:${segments})$`, "i")
  const index = parts.findIndex((part) => matches.test(part))
  return index < 0
    ? undefined
    : `/${parts
        .slice(0, index + 1)
        .map(literal)
        .join("/")}`
}

const folder = (start: string): string => {
  const path = start.replace(/\/$/, "")
  return /\.\w+$/.test(path) ? path.replace(/\/[^/]*$/, "") : path
}

const versions = (section: Section): string => section.versions.map((version) => `v?${literal(version)}`).join("|")

/** `2024/03`, `2024-03`, `2024/mar…`. */
const month = (text: string): string => {
  const [year, number = "01"] = text.split("-")
  const name = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ")[Number(number) - 1]
  return `${year}[/-](?:${number.startsWith("0") ? `0?${number.slice(1)}` : number}(?:[/-]|$)|${name})`
}

const dates = (section: Section): string =>
  section.months.length > 0
    ? section.months.map(month).join("|")
    : section.years.length > 0
      ? `(?:${section.years.join("|")})(?:[/-]|$)`
      : ""

const files = (section: Section): string => (section.files.length === 0 ? "" : `\\.(?:${section.files.join("|")})$`)

const tidy = (pattern: string): string => pattern.replace(/\(\?:([^()|]+)\)(?![?*+{])/g, "$1")

/** Where the section starts, as a pattern without its end. */
const base = (section: Section, start: string): { readonly prefix: string; readonly closed: boolean } | undefined => {
  const { name } = section
  if (name === undefined) return undefined
  if ("start" in name) return { prefix: `^${literal(folder(start))}`, closed: true }
  if ("path" in name) return { prefix: `${name.anywhere ? "" : "^"}${glob(name.path)}`, closed: true }
  const own = along(name.segments, start)
  const languages = section.languages.join("|")
  if (languages !== "") {
    const language = `(?:${languages})(?:-[A-Za-z]{2})?`
    return { prefix: `^/(?:${language}/${group(name.segments)}|${group(name.segments)}/${language})`, closed: false }
  }
  if (own !== undefined) return { prefix: `^${own}`, closed: false }
  const above = folder(start)
  return { prefix: `^${above === "" ? "" : `(?:${literal(above)})?`}/${group(name.segments)}`, closed: false }
}

/** Patterns of which one must match. */
export const include = (section: Section, start: string): ReadonlyArray<string> => {
  const [date, version, file] = [dates(section), versions(section), files(section)]
  const at = base(section, start)
  // The start itself, when it is the whole site, narrows nothing.
  if (at?.prefix === "^") return []
  const language = section.languages.join("|")
  const prefix = at?.prefix ?? (language === "" ? "" : `^/(?:.*/)?(?:${language})(?:-[A-Za-z]{2})?`)
  if (prefix === "" && version !== "")
    return [tidy(`/(?:${version})${ends}${date === "" && file === "" ? "" : `.*${date}${file}`}`)]
  if (prefix === "")
    return [tidy(`${date === "" ? "" : `/(?:${date})`}${date !== "" && file !== "" ? ".*" : ""}${file}`)]
  const narrowed = [
    ...(version === "" ? [] : [`/(?:.*/)?(?:${version})${date === "" && file === "" ? ends : ""}`]),
    ...(date === "" ? [] : [`/(?:.*/)?(?:${date})`]),
    ...(file === "" ? [] : [`.*${file}`])
  ]
  if (narrowed.length > 0) return [tidy(`${prefix}${narrowed.join("")}`)]
  return [tidy(`${prefix}${at?.closed === true ? "(?:/|$)" : at === undefined ? "(?:/|$)" : ends}`)]
}

/** Patterns of which none may match; a section is refused wherever it lies. */
export const exclude = (section: Section, start: string): ReadonlyArray<string> => {
  const [date, version, file] = [dates(section), versions(section), files(section)]
  const { name } = section
  const language = section.languages.join("|")
  if (version !== "") return [tidy(`/(?:${version})(?:/|$)`)]
  const within =
    name === undefined ? "" : "segments" in name ? `/${group(name.segments)}` : (base(section, start)?.prefix ?? "")
  if (language !== "") {
    const marked = `/(?:${language})(?:-[A-Za-z]{2})?`
    return name !== undefined && "segments" in name
      ? [tidy(`${marked}${within}(?:/|$)`), tidy(`${within}${marked}(?:/|$)`)]
      : [tidy(`^${marked}(?:/|$)`)]
  }
  if (date !== "") return [tidy(`${within}/(?:.*/)?(?:${date})`)]
  if (file !== "") return [tidy(`${within === "" ? "" : `${within}/.*`}${file}`)]
  if (name !== undefined && "path" in name) return [tidy(`${within}(?:[/.]|$)`)]
  return within === "" ? [] : [tidy(`${within}(?:[/.]|$)`)]
}
