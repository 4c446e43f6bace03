/**
 * Policy for untrusted definitions: those of strangers (from outside the project), and drafts of agents.
 *
 * - Every key of a definition, every step and every field of a step has a {@link Reach}: what it can access beyond the rows of the run.
 *   A key that is not in the tables is refused, and `test/Permissions/Untrusted.test.ts` fails until a new key has been classified.
 * - A field whose value decides must be written out: `${{ }}` and `{ expr: … }` are refused there, because their value is unknown.
 * - Whatever flags allow (`env`, secrets, files, code, e-mails) is checked in `Permissions.ts` and `Pipeline/PermissionCheck.ts`; drafts
 *   get none of it.
 * - Files beside a definition are read by `Files/BesideFile.ts`.
 */
import * as Predicate from "effect/Predicate"
import { dataFormats } from "../Api/PageData.ts"
import { escapePattern } from "../Values/Text.ts"

type Path = ReadonlyArray<PropertyKey>

/** What a part of a definition can access, in the words of messages. */
export const reaches = {
  code: "runs code",
  files: "reads files",
  script: "runs a script in pages",
  profile: "uses a browser profile",
  session: "opens a browser session",
  index: "reads the search index of this machine",
  copies: "reads stored copies of pages",
  account: "reads jobs of the account",
  messages: "sends messages to an address",
  login: "signs in to a site",
  state: "shares the state of other pipelines",
  output: "writes files",
  unknown: "is not known to be harmless"
} as const

export type Reach = keyof typeof reaches

/** Origin of an untrusted definition. */
export type Origin = "outside" | "draft"

/**
 * Reaches that are refused here. For a stranger's code, files, messages and outputs, flags decide file by file. Drafts of an agent may
 * search, because a person approves their plan or has set the credits that they may spend.
 */
export const refusedFor: Readonly<Record<Origin, ReadonlySet<Reach>>> = {
  outside: new Set(["script", "profile", "session", "index", "copies", "account", "state", "unknown"]),
  draft: new Set([
    "code",
    "files",
    "script",
    "profile",
    "session",
    "copies",
    "account",
    "messages",
    "login",
    "state",
    "unknown"
  ])
}

/** Rule for a value: harmless, a reach, a reach with exceptions for some values, or one rule per field. */
type Rule =
  | "harmless"
  | Reach
  | { readonly unless: ReadonlyArray<unknown>; readonly reach: Reach }
  | { readonly named: ReadonlyArray<string>; readonly reach: Reach }
  | { readonly fields: Rules }

export type Rules = Readonly<Record<string, Rule>>

const harmless = (...names: ReadonlyArray<string>): Rules => Object.fromEntries(names.map((name) => [name, "harmless"]))

/** Formats computed from the page alone; `changeTracking` compares with copies from earlier runs. */
const plainFormats = [
  ..."markdown html rawHtml links images summary json extract branding attributes screenshot screenshot@fullPage".split(
    " "
  ),
  ...dataFormats,
  ..."audio video query question highlights".split(" ")
]

const plainActions = ["wait", "click", "write", "press", "scroll", "screenshot", "scrape", "pdf"]

const page: Rules = {
  ...harmless(
    ..."onlyMainContent includeTags excludeTags headers timeout skipTlsVerification removeBase64Images blockAds".split(
      " "
    ),
    ..."proxy zeroDataRetention waitFor mobile location storeInCache onlyCleanContent parsers".split(" ")
  ),
  formats: { named: plainFormats, reach: "copies" },
  actions: { named: plainActions, reach: "script" },
  maxAge: { unless: [0], reach: "copies" },
  minAge: "copies",
  lockdown: { unless: [false], reach: "copies" },
  profile: "profile"
}

/** Rules for a page on which Sluice's own script loads the rest of a list in the browser. */
const loadingPage: Rules = { ...page, ...harmless("loadMore", "scroll") }

const crawlParams = harmless(
  ..."includePaths excludePaths maxDepth maxDiscoveryDepth crawlEntireDomain allowExternalLinks allowSubdomains".split(
    " "
  ),
  ..."sitemap regexOnFullURL ignoreQueryParameters ignoreRobotsTxt robotsUserAgent respectNofollow respectNoindex".split(
    " "
  ),
  ..."respectCanonical next deduplicateSimilarURLs delay limit".split(" ")
)

/** Rules for the steps of Sluice. A rule without fields applies to the whole step, however it is written. */
export const stepRules: Readonly<Record<string, Rule>> = {
  search: "index",
  files: "files",
  read: "files",
  urls: { fields: { file: "files", ...harmless("encoding", "sitemap", "list", "next", "links") } },
  feed: {
    fields: {
      ...harmless(..."url urls limit discover headers timeout skipTlsVerification proxy".split(" ")),
      maxAge: { unless: [0], reach: "copies" }
    }
  },
  crawlPreview: { fields: harmless("url", "prompt") },
  browser: "session",
  crawl: {
    fields: {
      ...crawlParams,
      ...harmless("login", "url", "prompt", "maxConcurrency", "zeroDataRetention", "revisit"),
      scrapeOptions: { fields: loadingPage },
      params: { fields: { ...crawlParams, url: "harmless" } }
    }
  },
  batchScrape: { fields: { ...loadingPage, ...harmless("login", "url", "maxConcurrency") } },
  batchStatus: "account",
  crawlStatus: "account",
  scrape: { fields: { ...loadingPage, ...harmless("login", "url", "next"), session: "session" } },
  parse: "files",
  request: {
    fields: {
      ...harmless(..."url headers login query format delimiter rows next since skipUnchanged rate timeout".split(" ")),
      // OAuth parameters can be sent to any URL.
      auth: { fields: { ...harmless("basic", "bearer", "query"), oauth: "messages" } },
      method: { unless: ["GET"], reach: "messages" },
      json: "messages",
      form: "messages",
      body: "messages",
      graphql: "messages"
    }
  },
  usage: "account",
  activeCrawls: "account",
  where: "harmless",
  extract: "harmless",
  select: "harmless",
  drop: "harmless",
  flatten: "harmless",
  explode: "harmless",
  dedupe: "harmless",
  limit: "harmless",
  sample: "harmless",
  sort: "harmless",
  join: {
    fields: {
      file: "files",
      ...harmless(
        ..."format columns header delimiter encoding quote integers nullText on fields as type many maxRows".split(" ")
      )
    }
  },
  aggregate: "harmless",
  check: "harmless",
  use: "code",
  write: "output"
}

/** Rules for fields that access something else than their step, if `stepRules` has one rule for the whole step. */
export const fieldRules: Readonly<Record<string, Rules>> = {
  search: { scrapeOptions: { fields: page } },
  parse: page,
  browser: { profile: "profile", run: "code" }
}

/** Keys that every step may have. */
export const commonRules: Rules = {
  ...harmless(..."id when from after retry concurrency rate timeout failOn onError each".split(" ")),
  pin: "files"
}

/** Rules for the keys of the definition itself. */
export const frameRules: Rules = {
  ...harmless(..."version name description inputs schedule budget priority health steps".split(" ")),
  extensions: "code",
  site: "files",
  notify: "messages",
  state: { fields: { key: "state", forgetAfter: "harmless" } },
  login: {
    fields: {
      ...harmless("url", "submit", "success"),
      fields: "login",
      basic: "login",
      cookies: "files",
      run: "code",
      profile: "profile"
    }
  }
}

/** A part of a definition that accesses something. */
export interface Found {
  readonly path: Path
  /** Name of the field, format, action or step. */
  readonly name: string
  readonly reach: Reach
  /** True if Sluice does not have this step. */
  readonly isUnknown?: boolean | undefined
}

/**
 * True for the output of an earlier step, which is checked during the run. Other expressions could build any value, so they are refused.
 */
const isAnswer = (value: unknown): boolean =>
  typeof value === "string" && /^\$\{\{\s*steps\.[\w-]+\.output\s*\}\}$/.test(value)

const isOpen = (value: unknown): boolean => typeof value === "string" && value.includes("${{")

const foundInNames = (
  value: unknown,
  { named, reach }: { readonly named: ReadonlyArray<string>; readonly reach: Reach },
  path: Path,
  name: string
): ReadonlyArray<Found> => {
  if (!Array.isArray(value)) return [{ path, name, reach }]
  return value.flatMap((each: unknown, index): ReadonlyArray<Found> => {
    const type = Predicate.isReadonlyRecord(each) ? each.type : each
    return typeof type === "string" && named.includes(type)
      ? []
      : [{ path: [...path, index], name: typeof type === "string" && !isOpen(type) ? type : name, reach }]
  })
}

const foundIn = (value: unknown, rule: Rule, path: Path, name: string): ReadonlyArray<Found> => {
  if (rule === "harmless") return []
  if (typeof rule === "string") return [{ path, name, reach: rule }]
  if ("named" in rule) return foundInNames(value, rule, path, name)
  if ("unless" in rule) return rule.unless.includes(value) ? [] : [{ path, name, reach: rule.reach }]
  if (Predicate.isReadonlyRecord(value)) return foundInFields(value, rule.fields, path)
  // A list, such as `urls`, has no fields. An expression could return an object with any fields.
  return isOpen(value) && !isAnswer(value) ? [{ path, name, reach: "unknown" }] : []
}

const foundInFields = (value: Readonly<Record<string, unknown>>, rules: Rules, path: Path): ReadonlyArray<Found> =>
  Object.entries(value).flatMap(([name, each]) =>
    foundIn(each, Object.hasOwn(rules, name) ? (rules[name] ?? "unknown") : "unknown", [...path, name], name)
  )

const foundInStep = (step: Readonly<Record<string, unknown>>, path: Path): ReadonlyArray<Found> =>
  Object.entries(step).flatMap(([key, config]): ReadonlyArray<Found> => {
    const at = [...path, key]
    if (Object.hasOwn(commonRules, key)) return foundIn(config, commonRules[key] ?? "unknown", at, key)
    // A step from a module is code.
    if (!Object.hasOwn(stepRules, key)) return [{ path: at, name: key, reach: "code", isUnknown: true }]
    const inner = fieldRules[key] ?? {}
    const known = Predicate.isReadonlyRecord(config)
      ? Object.entries(config).filter(([name]) => Object.hasOwn(inner, name))
      : []
    return [
      ...foundIn(config, stepRules[key] ?? "unknown", at, key),
      ...foundInFields(Object.fromEntries(known), inner, at)
    ]
  })

/** Everything that a definition accesses, as written. */
export const reachesOf = (definition: unknown): ReadonlyArray<Found> => {
  if (!Predicate.isReadonlyRecord(definition)) return []
  const steps: ReadonlyArray<unknown> = Array.isArray(definition.steps) ? definition.steps : []
  return [
    ...foundInFields(definition, frameRules, []),
    ...steps.flatMap((step, index) => (Predicate.isReadonlyRecord(step) ? foundInStep(step, ["steps", index]) : []))
  ]
}

interface Circumstances {
  readonly origin: Origin
  /** Reason why the definition is not trusted, for messages. */
  readonly because: string
  /** `--allow-code`, which also allows scripts in pages. */
  readonly code: boolean
}

/** Refused parts of an untrusted definition, with their positions. `isUnknown`: Sluice does not have this key. */
export const refused = (
  definition: unknown,
  { because, code, origin }: Circumstances
): ReadonlyArray<{ readonly issue: { readonly path: Path; readonly message: string }; readonly isUnknown: boolean }> =>
  reachesOf(definition)
    .filter(({ reach }) => refusedFor[origin].has(reach) && !(reach === "script" && code && origin === "outside"))
    .map(({ isUnknown = false, name, path, reach }) => ({
      isUnknown: isUnknown || reach === "unknown",
      issue: {
        path,
        message: `\`${name}\` ${reaches[reach]}, and ${because}: ${
          origin === "draft"
            ? "only definitions that a person writes may do that"
            : `read the definition, and put it into the project if you trust it${reach === "script" ? ", or allow it with --allow-code" : ""}`
        }`
      }
    }))

/** Output folder of an untrusted pipeline, relative to the folder for relative outputs. */
export const ownFolder = (name: string): string => `out/${name}`

/**
 * True if the path contains the pipeline's name: a file in `out/NAME/`, or `out/NAME.jsonl` or `.csv` with only values of the run after the
 * name. Values of rows are allowed only in the folder: `out/NAME-{city}.csv` could be the output of a pipeline `NAME-rome`.
 */
export const isOwnOutput = (path: string, name: string): boolean =>
  !path.split("/").includes("..") &&
  new RegExp(
    `^out/${escapePattern(name)}((-(\\{(runId|date|seq)\\}|\\d{4,}[\\w-]*))*(\\.\\w+)*\\.(jsonl|csv)(\\.gz)?|/[^\\0]+)$`
  ).test(path)
