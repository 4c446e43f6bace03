/** Parameters in the query of a URL. The others keep their spelling. */

/** Sets a parameter in the place of the first one of this name, or at the end. Removes others of this name; without values, all. */
export const setParameter = (url: URL, name: string, values: ReadonlyArray<string>): void => {
  const all = url.search
    .slice(1)
    .split("&")
    .filter((part) => part !== "")
  const isOther = (part: string) => !new URLSearchParams(`&${part}`).has(name)
  const at = all.findIndex((part) => !isOther(part))
  const written = values.map((value) => new URLSearchParams([[name, value]]).toString().replaceAll("+", "%20"))
  url.search = all
    .filter(isOther)
    .toSpliced(at < 0 ? all.length : at, 0, ...written)
    .join("&")
}
