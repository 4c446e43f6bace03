/** The header `Link` (RFC 8288): the target with a relation. */

/** Parameters of a link, quoted or not. Quoted values may hold commas and semicolons. */
const parameter = /;\s*([\w!#$&+.^`|~-]+)\*?\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*)))?\s*/y

const between = /[\s,]*/y
const target = /<([^>]*)>\s*/y

/** Target of the first link with this relation, as it is written; undefined where there is none. */
export const nextLink = (header: string, relation: string): string | undefined => {
  const wanted = relation.toLowerCase()
  let at = 0
  while (at < header.length) {
    between.lastIndex = at
    between.exec(header)
    target.lastIndex = between.lastIndex
    const link = target.exec(header)
    if (link === null) {
      // Not a link: what follows the next comma may be one.
      const comma = header.indexOf(",", between.lastIndex + 1)
      if (comma === -1) return undefined
      at = comma
      continue
    }
    at = target.lastIndex
    let relations: string | undefined
    for (;;) {
      parameter.lastIndex = at
      const found = parameter.exec(header)
      if (found === null) break
      at = parameter.lastIndex
      // Only the first `rel` counts.
      if (found[1]?.toLowerCase() === "rel") relations ??= (found[2] ?? found[3] ?? "").replaceAll(/\\(.)/g, "$1")
    }
    if (relations?.toLowerCase().split(/\s+/).includes(wanted) === true) return link[1]?.trim()
  }
  return undefined
}
