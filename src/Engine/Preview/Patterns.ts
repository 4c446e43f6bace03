/** Writes sections as regular expressions over a path that match in linear time. */
import type { Section } from "./Sections.ts"

const literal = (text: string): string => text.replace(/[.+?^${}()|[\]\\]/g, "\\$&")

/** Converts a path with `*` wildcards to a pattern. */
const glob = (path: string): string => literal(path.replace(/\/?\*+$/, "").replace(/\/$/, "")).replace(/\*+/g, "[^/]*")

/** Adds parentheses around several alternatives. */
const group = (alternatives: string): string =>
  alternatives.replace(/\([^()]*\)/g, "").includes("|") ? `(?:${alternatives})` : alternatives

const ends = "(?:[/._-]|$)"

/** Path of the start URL up to the segment that names the section, if there is one. */
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

const versions = (section: Section): string =>
  section.versions.map((version) => `v?${literal(version)}(?:\\.x)?`).join("|")

/** Pattern for a month: `2024/03`, `2024-03`, `2024/mar…`. */
const month = (text: string): string => {
  const [year, number = "01"] = text.split("-")
  const name = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ")[Number(number) - 1]
  return `${year}[/-](?:${number.startsWith("0") ? `0?${number.slice(1)}` : number}(?:[/-]|$)|${name})`
}

const dates = (section: Section): string =>
  section.months.length > 0
    ? section.months.map(month).join("|")
    : section.years.length > 0
      ? `${group(section.years.join("|"))}(?:[/-]|$)`
      : ""

const files = (section: Section): string => (section.files.length === 0 ? "" : `\\.${group(section.files.join("|"))}$`)

interface Base {
  readonly prefix: string
  readonly closed: boolean
  /** True if the last word may continue, as in `/news-*`. */
  readonly open?: boolean
}

/** Pattern for the beginning of the section's paths. */
const base = (section: Section, start: string): Base | undefined => {
  const { name } = section
  if (name === undefined) return undefined
  if ("start" in name) return { prefix: `^${literal(folder(start))}`, closed: true }
  if ("path" in name) {
    return {
      prefix: `${name.anywhere ? "" : "^"}${glob(name.path)}`,
      closed: true,
      open: /[^/*]\*+$/.test(name.path)
    }
  }
  const own = along(name.segments, start)
  const languages = section.languages.join("|")
  if (languages !== "") {
    const language = `${group(languages)}(?:-[A-Za-z]{2})?`
    return { prefix: `^/(?:${language}/${group(name.segments)}|${group(name.segments)}/${language})`, closed: false }
  }
  if (own !== undefined) return { prefix: `^${own}`, closed: false }
  const above = folder(start)
  return { prefix: `^${above === "" ? "" : `(?:${literal(above)})?`}/${group(name.segments)}`, closed: false }
}

/** Lists all orders of the parts, because sites put language, section and version in any order. */
const inAnyOrder = (parts: ReadonlyArray<string>): ReadonlyArray<string> =>
  parts.length < 2
    ? parts
    : parts.flatMap((part, at) =>
        inAnyOrder([...parts.slice(0, at), ...parts.slice(at + 1)]).map((rest) => `${part}/(?:.*/)?${rest}`)
      )

/** True if the host is named after the section, such as `docs.example.com`. */
const isSectionHost = ({ name }: Section, host: string): boolean =>
  name !== undefined && "segments" in name && new RegExp(`^(?:${name.segments})\\.`, "i").test(host)

/** Returns `includePaths` for a section: one of the patterns must match. */
export const include = (section: Section, { hostname: host, pathname: start }: URL): ReadonlyArray<string> => {
  const [date, version, file] = [dates(section), versions(section), files(section)]
  const at = base(section, start)
  // If the crawl starts at the root, "this section" is the whole site.
  if (at?.prefix === "^") return []
  const language = section.languages.join("|")
  if (language !== "" && version !== "" && date === "" && file === "") {
    const named = section.name !== undefined && "segments" in section.name ? [group(section.name.segments)] : []
    const parts = [`${group(language)}(?:-[A-Za-z]{2})?`, group(version)]
    // On docs.example.com every path belongs to the documentation.
    const orders = [...inAnyOrder([...parts, ...named]), ...(isSectionHost(section, host) ? inAnyOrder(parts) : [])]
    return [`^/(?:.*/)?(?:${orders.join("|")})${ends}`]
  }
  const prefix = at?.prefix ?? (language === "" ? "" : `^/(?:.*/)?${group(language)}(?:-[A-Za-z]{2})?`)
  if (prefix === "" && version !== "")
    return [`/${group(version)}${ends}${date === "" && file === "" ? "" : `.*${date}${file}`}`]
  if (prefix === "") return [`${date === "" ? "" : `/${group(date)}`}${date !== "" && file !== "" ? ".*" : ""}${file}`]
  const narrowed = [
    ...(version === "" ? [] : [`/(?:.*/)?${group(version)}${date === "" && file === "" ? ends : ""}`]),
    ...(date === "" ? [] : [`/(?:.*/)?${group(date)}`]),
    ...(file === "" ? [] : [`.*${file}`])
  ]
  if (narrowed.length > 0) {
    const optional = isSectionHost(section, host) && language === "" ? `^(?:${prefix.slice(1)})?` : prefix
    return [`${optional}${narrowed.join("")}`]
  }
  if (at?.open === true) return [prefix]
  return [`${prefix}${at?.closed === true ? "(?:/|$)" : at === undefined ? "(?:/|$)" : ends}`]
}

/** Returns `excludePaths` for a section: none of the patterns may match. A section is excluded wherever it occurs in a path. */
export const exclude = (section: Section, { pathname: start }: URL): ReadonlyArray<string> => {
  const [date, version, file] = [dates(section), versions(section), files(section)]
  const { name } = section
  const language = section.languages.join("|")
  if (version !== "") return [`/${group(version)}(?:/|$)`]
  const within =
    name === undefined ? "" : "segments" in name ? `/${group(name.segments)}` : (base(section, start)?.prefix ?? "")
  if (language !== "") {
    const marked = `/${group(language)}(?:-[A-Za-z]{2})?`
    return name !== undefined && "segments" in name
      ? [`${marked}${within}(?:/|$)`, `${within}${marked}(?:/|$)`]
      : [`^${marked}(?:/|$)`]
  }
  if (date !== "") return [`${within}/(?:.*/)?${group(date)}`]
  if (file !== "") return [`${within === "" ? "" : `${within}/.*`}${file}`]
  if (name !== undefined && "path" in name) {
    return base(section, start)?.open === true ? [within] : [`${within}(?:[/.:]|$)`]
  }
  return within === "" ? [] : [`${within}(?:[/.]|$)`]
}
