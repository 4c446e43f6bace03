/** The cookies of one fetch: what a site sets on the way to a page is sent back to it on that way, and then forgotten. */

/** Of one fetch; a site that sets more only spoils its own. */
const maxCookies = 50
const maxLength = 4_096

interface Cookie {
  readonly value: string
  readonly secure: boolean
}

/** `name=value; Max-Age=60; Secure`, as far as it matters on a way that takes seconds. */
const setCookie = /^\s*([^=;\s]+)\s*=\s*([^;]*)(.*)$/s
const isOver = /;\s*(?:max-age\s*=\s*(?:-|0\s*(?:;|$))|expires\s*=[^;]*\b(?:19\d\d|200\d|201\d)\b)/i
const isSecure = /;\s*secure\s*(?:;|$)/i
/** What a header cannot carry. */
const unfit = /[^\x20-\x7e]/

export class Cookies {
  /** By host: the port makes no difference (RFC 6265, 8.5). */
  readonly #hosts = new Map<string, Map<string, Cookie>>()
  #count = 0

  /** Reads the `set-cookie` headers of an answer. */
  read({ hostname }: URL, headers: string | ReadonlyArray<string> | undefined): void {
    for (const header of headers === undefined ? [] : typeof headers === "string" ? [headers] : headers) {
      const [, name = "", value = "", attributes = ""] = setCookie.exec(header.slice(0, 2 * maxLength)) ?? []
      if (name === "" || name.length + value.length > maxLength || unfit.test(name + value)) continue
      const known = this.#hosts.get(hostname) ?? new Map<string, Cookie>()
      this.#hosts.set(hostname, known)
      if (known.delete(name)) this.#count -= 1
      if (isOver.test(attributes) || this.#count >= maxCookies) continue
      known.set(name, { value: value.trim(), secure: isSecure.test(attributes) })
      this.#count += 1
    }
  }

  /** What goes to an address; undefined when there is nothing. */
  header({ hostname, protocol }: URL): string | undefined {
    const pairs: Array<string> = []
    for (const [name, { secure, value }] of this.#hosts.get(hostname) ?? []) {
      if (!secure || protocol === "https:") pairs.push(`${name}=${value}`)
    }
    return pairs.length === 0 ? undefined : pairs.join("; ")
  }
}
