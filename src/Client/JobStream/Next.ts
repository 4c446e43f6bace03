/** Resolves the `next` URL of a page, and decides whether the API key may be sent to it. */
import { canParse } from "../../Api/Url.ts"

export type Next =
  | { readonly _tag: "None" }
  /** An address of the service; `skip` is the position it names, when it names one. */
  | { readonly _tag: "Here"; readonly url: string; readonly skip: number | undefined }
  | { readonly _tag: "Elsewhere"; readonly url: string }

const none: Next = { _tag: "None" }

/**
 * Services behind a proxy write `http://` for themselves although they are asked by `https://`: the same host on the usual
 * ports is the same service, and is asked the way the base URL says. Every other origin is elsewhere. `asked` is the address
 * of the page.
 */
export const resolve = (next: string | null | undefined, asked: string): Next => {
  if (next === null || next === undefined || !canParse(next, asked)) return none
  const base = new URL(asked)
  const url = new URL(next, base)
  const sameHost = url.hostname === base.hostname && url.port === "" && base.port === ""
  if (url.origin !== base.origin && !(sameHost && url.protocol === "http:" && base.protocol === "https:")) {
    return { _tag: "Elsewhere", url: url.origin }
  }
  const skip = url.searchParams.get("skip")
  return {
    _tag: "Here",
    url: base.origin + url.pathname + url.search,
    skip: skip !== null && /^\d+$/.test(skip) ? Number(skip) : undefined
  }
}
