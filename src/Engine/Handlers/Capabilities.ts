/** Capabilities that the local engine lacks with its current settings, and how to add them. Checked before a request is sent. */
import * as Either from "effect/Either"
import type * as Redacted from "effect/Redacted"
import * as Chromium from "../../Settings/Chromium.ts"
import { catalogue } from "../../Settings.ts"
import * as Proxies from "../Fetch/Proxies.ts"
import { formats as fileFormats } from "../Parse/Protocol.ts"

export interface Setup {
  readonly chromium?: string | undefined
  readonly browserSessions?: number | undefined
  readonly modelUrl?: string | undefined
  readonly proxies?: Redacted.Redacted | undefined
  readonly searchProviders?: Redacted.Redacted | undefined
}

/** A missing capability: the reason, and what the user can do about it. */
export interface MissingCapability {
  readonly why: string
  readonly todo: string
}

const { browserSessions, model, modelUrl, proxies, searchProviders } = catalogue

const browser = (setup: Setup): MissingCapability | undefined =>
  Either.match(Chromium.find(setup.chromium, process.env.PATH), {
    onLeft: ({ found, todo }) => ({ why: `needs Chromium, and ${found}`, todo }),
    onRight: () => undefined
  })

const asksModel = (setup: Setup): MissingCapability | undefined =>
  setup.modelUrl === undefined
    ? { why: "needs a language model, and none is set", todo: `set ${modelUrl.env} and ${model.env}` }
    : undefined

/** Checks by capability. Capabilities without a check are always present. */
const table: Readonly<Record<string, (setup: Setup, name: string) => MissingCapability | undefined>> = {
  browser,
  sessions: (setup) =>
    setup.browserSessions === 0
      ? { why: "is not allowed on this engine", todo: `${browserSessions.env} is 0: raise it` }
      : browser(setup),
  model: asksModel,
  format: (_, name) => ({ why: "is not a format of the local engine", todo: `remove ${name}` }),
  fileFormat: (setup, name) =>
    name === "json" || name === "extract"
      ? asksModel(setup)
      : fileFormats.includes(name)
        ? undefined
        : { why: "is not a format for files", todo: `for files use ${fileFormats.join(", ")}` },
  proxy: (setup, name) => {
    const none: Proxies.ProxyTable = new Map()
    const known = Either.getOrElse(
      setup.proxies === undefined ? Either.right(none) : Proxies.parse(setup.proxies),
      () => none
    )
    const hidden = ["stealth", "enhanced"]
    const isThere = known.has(name) || (hidden.includes(name) && hidden.some((each) => known.has(each)))
    return isThere
      ? undefined
      : { why: "is not configured", todo: `add ${name}=http://… to ${proxies.env}, or use basic or auto` }
  },
  web: (setup) =>
    setup.searchProviders === undefined
      ? {
          why: "covers only the pages that this engine has fetched",
          todo: `to search the web, set ${searchProviders.env}`
        }
      : undefined
}

/** Returns what is missing for a capability; undefined when the engine has it. */
export const missingCapability = (
  setup: Setup,
  { ability, name = "" }: { readonly ability: string; readonly name?: string | undefined }
): MissingCapability | undefined => table[ability]?.(setup, name)
