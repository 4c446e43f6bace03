/** Names in `Host` headers: which of them only this machine can have. */

export interface Host {
  /** In small letters; an IPv6 address in its brackets. */
  readonly name: string
  /** Empty where none is said. */
  readonly port: string
}

export const hostOf = (header = ""): Host => {
  const [, name = "", port = ""] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(header.toLowerCase()) ?? []
  return { name, port }
}

/** Names of this machine that no other machine's web page can claim. */
export const isLoopback = (name: string): boolean =>
  name === "localhost" ||
  name.endsWith(".localhost") ||
  /^127(\.\d{1,3}){3}$/.test(name) ||
  name === "::1" ||
  name === "[::1]"

/**
 * Whether a request names this machine, where `bound`, the address that is listened on, is for it alone. A web page may
 * point its own name at any address (DNS rebinding): on loopback only names are answered that no page can have, and
 * programs of HTTP/1.0, which say none.
 */
export const isNamed = (bound: string, header: string | undefined): boolean =>
  !isLoopback(bound) || header === undefined || isLoopback(hostOf(header).name)
