/** Capabilities that the local engine lacks with its settings, and what to do. Checked before a request is sent. */
import * as Either from "effect/Either"
import type * as Redacted from "effect/Redacted"
import * as Chromium from "../Settings/Chromium.ts"
import { catalogue } from "../Settings.ts"
import * as Proxies from "./Fetch/Proxies.ts"
import { formats as fileFormats } from "./Parse/Protocol.ts"

/** Settings that decide about capabilities. */
export interface Setup {
  readonly chromium?: string | undefined
  readonly browserSessions?: number | undefined
  readonly modelUrl?: string | undefined
  readonly proxies?: Redacted.Redacted | undefined
  readonly searchProviders?: Redacted.Redacted | undefined
}

/** Missing capability: the reason, and what to do. */
export interface Lack {
  readonly why: string
  readonly todo: string
}

const { browserSessions, model, modelUrl, proxies, searchProviders } = catalogue

const browser = (setup: Setup): Lack | undefined =>
  Either.match(Chromium.find(setup.chromium, process.env.PATH), {
    onLeft: ({ found, todo }) => ({ why: `needs a Chromium, and ${found}`, todo }),
    onRight: () => undefined
  })

/** Checks by capability. Capabilities that are not listed are always present. */
const table: Readonly<Record<string, (setup: Setup, name: string) => Lack | undefined>> = {
  browser,
  sessions: (setup) =>
    setup.browserSessions === 0
      ? { why: "needs a place for it, and there is none", todo: `${browserSessions.env} says 0: set another number` }
      : browser(setup),
  model: (setup) =>
    setup.modelUrl === undefined
      ? { why: "needs a language model, and none is set", todo: `set ${modelUrl.env} and ${model.env}` }
      : undefined,
  format: (_, name) => ({ why: `is none that is made there`, todo: `leave ${name} out` }),
  fileFormat: (_, name) =>
    fileFormats.includes(name)
      ? undefined
      : { why: "is none that is made of a file", todo: `files give ${fileFormats.join(", ")}` },
  proxy: (setup, name) => {
    const known = Either.getOrElse(
      setup.proxies === undefined ? Either.right(new Map()) : Proxies.parse(setup.proxies),
      () => new Map()
    )
    const hidden = ["stealth", "enhanced"]
    const isThere = known.has(name) || (hidden.includes(name) && hidden.some((each) => known.has(each)))
    return isThere
      ? undefined
      : { why: "is none that is set", todo: `add ${name}=http://… to ${proxies.env}, or say basic or auto` }
  },
  profiles: () => ({
    why: "is more than one browser can save",
    todo: "scrape them one after the other (the step scrape), or open a browser session"
  }),
  web: (setup) =>
    setup.searchProviders === undefined
      ? { why: "finds what was gathered here", todo: `for the web set ${searchProviders.env}` }
      : undefined
}

/** What is missing for something, or undefined where nothing is. */
export const lackOf = (
  setup: Setup,
  { ability, name = "" }: { readonly ability: string; readonly name?: string | undefined }
): Lack | undefined => table[ability]?.(setup, name)
