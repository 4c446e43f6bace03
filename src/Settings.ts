/** Settings: the environment variable, the default and the description of each. */
import * as Config from "effect/Config"
import * as ConfigError from "effect/ConfigError"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as PostgresAddress from "./Database/PostgresAddress.ts"

/** One setting. */
export interface Setting<A> {
  readonly env: string
  readonly description: string
  readonly config: Config.Config<A>
  /** True when definitions must not read it, and logs, traces and metrics must not contain it. */
  readonly isSecret: boolean
}

const setting = <A>(env: string, description: string, read: (name: string) => Config.Config<A>): Setting<A> => ({
  env,
  description,
  config: read(env),
  isSecret: [secret, database, mailServer].some((each) => each === (read as unknown))
})

/** Parses an optional variable. An empty variable counts as not set; an invalid value is an error, never replaced by a default. */
const given =
  <A>(parse: (text: string) => Either.Either<A, string>) =>
  (name: string): Config.Config<A | undefined> =>
    Config.nonEmptyString(name).pipe(
      Config.mapOrFail((text) =>
        Either.mapLeft(parse(text), (expected) => ConfigError.InvalidData([], `${expected}, got "${text}"`))
      ),
      Config.option,
      Config.map(Option.getOrUndefined)
    )

const text = given<string>(Either.right)

const secret = (name: string): Config.Config<Redacted.Redacted | undefined> =>
  Config.redacted(Config.nonEmptyString(name)).pipe(Config.option, Config.map(Option.getOrUndefined))

const yes = ["1", "true", "yes", "on"]
const no = ["0", "false", "no", "off"]

/** The address of a database, checked before it is opened. The error does not contain the password. */
const database = (name: string): Config.Config<Redacted.Redacted | undefined> =>
  Config.redacted(Config.nonEmptyString(name)).pipe(
    Config.mapOrFail((url) =>
      Either.mapBoth(PostgresAddress.parse(url), {
        onLeft: ({ message }) => ConfigError.InvalidData([name], message),
        onRight: () => url
      })
    ),
    Config.option,
    Config.map(Option.getOrUndefined)
  )

/** The address of a mail server. The error does not contain its password. */
const mailServer = (name: string): Config.Config<Redacted.Redacted | undefined> =>
  Config.redacted(Config.nonEmptyString(name)).pipe(
    Config.mapOrFail((url) =>
      /^smtps?:$/.test(URL.parse(Redacted.value(url))?.protocol ?? "")
        ? Either.right(url)
        : Either.left(
            ConfigError.InvalidData([name], "Expected an address like smtps://user:password@mail.example.com:465")
          )
    ),
    Config.option,
    Config.map(Option.getOrUndefined)
  )

const flag = (name: string): Config.Config<boolean> =>
  given((text) =>
    yes.includes(text) || no.includes(text) ? Either.right(yes.includes(text)) : Either.left("Expected 1 or 0")
  )(name).pipe(Config.map((isOn) => isOn ?? false))

const number = (message: string, isRight: (value: number) => boolean) =>
  given((text) => {
    const value = text.trim() === "" ? Number.NaN : Number(text)
    return isRight(value) ? Either.right(value) : Either.left(message)
  })

const whole = (least: number, message: string) =>
  number(message, (value) => Number.isSafeInteger(value) && value >= least)

const count = whole(1, "Expected a number of 1 or more")

const bytes = whole(0, "Expected a number of bytes, 0 or more")

const list = (name: string) =>
  Config.string(name).pipe(
    Config.withDefault(""),
    Config.map((line) => line.split(/[,\s]+/).filter((item) => item !== ""))
  )

/** One of a few words. */
const word = <const Word extends string>(words: ReadonlyArray<Word>) =>
  given((text) =>
    Either.fromNullable(
      words.find((each) => each === text.toLowerCase()),
      () => `Expected ${words.join(", ")}`
    )
  )

/** Values of `SLUICE_ENGINE`. */
export const engines = ["local", "hosted", "auto"] as const

/** All settings. The keys are the names in the profile files in `config/`. */
export const catalogue = {
  engine: setting(
    "SLUICE_ENGINE",
    "Which engine does the work: local, hosted or auto; default: auto, which is hosted if SLUICE_BASE_URL is set, else local.",
    (name) => Config.map(word(engines)(name), (engine) => engine ?? ("auto" as const))
  ),
  baseUrl: setting("SLUICE_BASE_URL", "Address of a hosted service; without one, the local engine is used.", text),
  apiKey: setting("SLUICE_API_KEY", "Key for the service in SLUICE_BASE_URL.", secret),
  dataDir: setting("SLUICE_DATA", "Folder of the engine's store, its keys and the run ledger.", (name) =>
    Config.nonEmptyString(name).pipe(Config.withDefault(".sluice"))
  ),
  databaseUrl: setting(
    "SLUICE_DATABASE_URL",
    "Postgres that keeps the run ledger in place of the data folder, for several machines: postgres://user:password@host:5432/database, with ?schema=NAME for a schema other than sluice.",
    database
  ),
  engineKeys: setting(
    "SLUICE_ENGINE_KEYS",
    "Keys the local engine accepts: name:fc-<32 hex>, comma separated. team/name:fc-<32 hex> is a key of another team, with jobs, usage and stored pages of its own; a key without a team belongs to the team `default`.",
    secret
  ),
  allowNetworks: setting(
    "SLUICE_ALLOW_NETWORKS",
    "Private networks the local engine and the step request may reach, as CIDR, comma separated.",
    list
  ),
  modelUrl: setting(
    "SLUICE_LLM_URL",
    "OpenAI-compatible endpoint of a language model, up to and including /v1; used by the format json and by crawl previews.",
    text
  ),
  modelKey: setting("SLUICE_LLM_KEY", "Key for the endpoint in SLUICE_LLM_URL.", secret),
  model: setting("SLUICE_LLM_MODEL", "Name of the language model at SLUICE_LLM_URL.", text),
  proxies: setting(
    "SLUICE_PROXIES",
    "Proxies of the local engine: url or name=url, comma separated; http, https, socks5 or socks5h. All pages go through the proxies without a name; those named stealth, enhanced or by a country code are used when a request names them; team/name=url is for one team. Several proxies with the same name form a pool. Options after an address: ?weight=3&sticky=host|session|none&dns=proxy.",
    secret
  ),
  searchProviders: setting(
    "SLUICE_SEARCH_PROVIDERS",
    "Search providers of the local engine, asked in order until one answers: brave=KEY, exa=KEY, google=KEY:CX, searxng=URL, serper=KEY, tavily=KEY, local; comma separated. Default: local, the index of pages and files that this engine has read.",
    secret
  ),
  webhookSecret: setting(
    "SLUICE_WEBHOOK_SECRET",
    "Secret that signs the webhooks of the local engine, for jobs without a secret of their own. With keys of several teams, each team's secret is derived from it: set a new one when you add a second team.",
    secret
  ),
  rateLimit: setting(
    "SLUICE_RATE_LIMIT",
    "Requests that a key of the local engine may make in a minute; without it, there is no limit.",
    count
  ),
  quota: setting(
    "SLUICE_ENGINE_QUOTA",
    "Credits that teams of the local engine may use in a month (UTC): 1000 for every team, or default=1000,other=500; without it, there is no limit.",
    text
  ),
  weights: setting(
    "SLUICE_ENGINE_WEIGHTS",
    "Shares of the local engine that teams get when they compete: other=3 gives the team other three times the share of a team that is not named. Without it, all teams have equal shares.",
    text
  ),
  copyBytes: setting(
    "SLUICE_COPY_BYTES",
    "Maximum bytes of page copies that the local engine stores for maxAge; 0 stores none.",
    bytes
  ),
  jobBytes: setting(
    "SLUICE_JOB_BYTES",
    "Maximum bytes of results of one job of the local engine; default: 2 GB. A job that reaches the limit fails, and its results so far stay readable.",
    count
  ),
  teamBytes: setting(
    "SLUICE_TEAM_BYTES",
    "Maximum bytes that the local engine stores for one team: results, errors and addresses of its jobs, repeatable answers, browser profiles; default: 8 GB. At the limit, the team's jobs end, and new ones get status 507.",
    count
  ),
  chromium: setting("SLUICE_CHROMIUM", "Path of a Chromium for rendering and browser sessions.", text),
  chromiumNoSandbox: setting(
    "SLUICE_CHROMIUM_NO_SANDBOX",
    "1 runs Chromium without its sandbox, for machines where the sandbox does not work and every page is trusted.",
    flag
  ),
  browserSessions: setting(
    "SLUICE_BROWSER_SESSIONS",
    "Maximum number of browser sessions of the local engine at once; 0 turns them off. Default: as many as the memory allows.",
    whole(0, "Expected a number of sessions, 0 or more")
  ),
  allowExecute: setting(
    "SLUICE_ALLOW_EXECUTE",
    "1 lets clients of the local engine run code beside a browser session, with the rights of the engine's user.",
    flag
  ),
  metricsKey: setting(
    "SLUICE_METRICS_KEY",
    "Key for /metrics only; without it, /metrics accepts the engine's own key, if all its keys belong to one team.",
    secret
  ),
  log: setting(
    "SLUICE_LOG",
    "Format of stderr: text for people, or json for programs, with one object per line; default: text.",
    word(["text", "json"])
  ),
  logLevel: setting(
    "SLUICE_LOG_LEVEL",
    "Lowest level that is logged: debug, info, warning or error; default: warning, or info with json.",
    word(["debug", "info", "warning", "error"])
  ),
  otlpEndpoint: setting(
    "OTEL_EXPORTER_OTLP_ENDPOINT",
    "Address of a collector that accepts traces, metrics and logs as OTLP over HTTP, without /v1/traces; without one nothing is sent.",
    text
  ),
  otlpHeaders: setting(
    "OTEL_EXPORTER_OTLP_HEADERS",
    "HTTP headers for the collector of traces, metrics and logs, such as an API key, as name=value pairs separated by commas.",
    secret
  ),
  serviceName: setting("OTEL_SERVICE_NAME", "Name of this process at the collector; default: sluice.", (name) =>
    Config.nonEmptyString(name).pipe(Config.withDefault("sluice"))
  ),
  resourceAttributes: setting(
    "OTEL_RESOURCE_ATTRIBUTES",
    "Further attributes of this process at the collector: name=value, comma separated.",
    (name) => Config.string(name).pipe(Config.withDefault(""))
  ),
  lineageUrl: setting(
    "OPENLINEAGE_URL",
    "OpenLineage backend that receives the start, end, inputs and outputs of each run, with their schemas: http://127.0.0.1:5000, or file:///path/events.jsonl for a file that gets a line for each event; without one nothing is sent.",
    text
  ),
  lineageEndpoint: setting(
    "OPENLINEAGE_ENDPOINT",
    "Path of the OpenLineage backend; default: api/v1/lineage.",
    (name) => Config.nonEmptyString(name).pipe(Config.withDefault("api/v1/lineage"))
  ),
  lineageKey: setting("OPENLINEAGE_API_KEY", "Key for the OpenLineage backend, sent as a bearer token.", secret),
  lineageNamespace: setting(
    "OPENLINEAGE_NAMESPACE",
    "Namespace of the jobs at the OpenLineage backend; default: default.",
    (name) => Config.nonEmptyString(name).pipe(Config.withDefault("default"))
  ),
  smtpUrl: setting(
    "SLUICE_SMTP_URL",
    "Mail server and account for notifications by e-mail: smtps://USER:PASSWORD@HOST:465, or smtp://… for STARTTLS; without one no e-mail is sent.",
    mailServer
  ),
  smtpFrom: setting(
    "SLUICE_SMTP_FROM",
    "Sender of notifications by e-mail; default: the user of SLUICE_SMTP_URL.",
    text
  ),
  traceShare: setting(
    "OTEL_TRACES_SAMPLER_ARG",
    "Share of the traces started by this process that is sent, from 0 to 1; default: 1.",
    (name) =>
      Config.map(
        number("Expected a number from 0 to 1", (share) => share >= 0 && share <= 1)(name),
        (share) => share ?? 1
      )
  )
}

/** The variables that hold secrets. */
export const secretNames: ReadonlySet<string> = new Set(
  Object.values(catalogue).flatMap(({ env, isSecret }) => (isSecret ? [env] : []))
)

type Values = { readonly [K in keyof typeof catalogue]: Config.Config.Success<(typeof catalogue)[K]["config"]> }

/** The settings of this process, read once. */
export class Settings extends Context.Tag("sluice/Settings")<Settings, Values>() {}

// `Object.fromEntries` loses the type of each key.
const all: Config.Config<Values> = Config.all(
  Object.fromEntries(Object.entries(catalogue).map(([name, { config }]) => [name, config]))
) as unknown as Config.Config<Values>

/** Reads the settings through the ConfigProvider in force. */
export const read: Effect.Effect<Values, ConfigError.ConfigError> = all

/** The settings as a layer. */
export const layer: Layer.Layer<Settings, ConfigError.ConfigError> = Layer.effect(Settings, read)
