/** Client-side routing by the URL fragment, which holds the path and query of a screen. */
import { useEffect, useState } from "preact/hooks"

export interface Route {
  /** Path segments such as `["runs", "2026…", "rejects"]`. */
  readonly path: ReadonlyArray<string>
  readonly query: URLSearchParams
}

const read = (): Route => {
  const [path = "", query = ""] = location.hash.replace(/^#\/?/, "").split("?", 2)
  return { path: path.split("/").filter(Boolean).map(decode), query: new URLSearchParams(query) }
}

/** Decodes a path segment. Unlike `decodeURIComponent`, accepts invalid escapes, because users type addresses by hand. */
const decode = (part: string): string => new URLSearchParams(`_=${part.replaceAll("+", "%2B")}`).get("_") ?? part

type Query = Readonly<Record<string, string | undefined>>

/** Address of a screen; empty parameters are left out. */
export const to = (path: ReadonlyArray<string>, query: Query = {}): string => {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined && value !== "") search.set(name, value)
  const text = search.toString()
  return `#/${path.map(encodeURIComponent).join("/")}${text === "" ? "" : `?${text}`}`
}

export const go = (path: ReadonlyArray<string>, query?: Query): void => {
  location.hash = to(path, query)
}

/** Changes query parameters without adding to the browser history; undefined removes a parameter. */
export const setQuery = (route: Route, query: Query): void => {
  history.replaceState(null, "", to(route.path, { ...Object.fromEntries(route.query), ...query }))
  window.dispatchEvent(new HashChangeEvent("hashchange"))
}

export const useRoute = (): Route => {
  const [route, setRoute] = useState(read)
  useEffect(() => {
    const change = () => setRoute(read())
    window.addEventListener("hashchange", change)
    return () => window.removeEventListener("hashchange", change)
  }, [])
  return route
}
