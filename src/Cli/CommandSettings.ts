/** Settings of a command. The environment overrides the profile, which overrides the defaults. */
import * as NodePath from "node:path"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as ConfigProvider from "effect/ConfigProvider"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { fileErrorReason } from "../Files/FileErrors.ts"
import { DefinitionInvalid, type PlacedIssue } from "../Pipeline/Issue.ts"
import type { Source } from "../Pipeline/Source.ts"
import { didYouMean, nearest } from "../Row/Nearest.ts"
import type { MailServer } from "../Schedule/EmailDelivery.ts"
import * as Settings from "../Settings.ts"
import { secretNames } from "../Settings.ts"
import { addSecret } from "../Telemetry/Redaction.ts"
import * as Trace from "../Telemetry/Trace.ts"
import type { Terminal } from "./Terminal.ts"

export type SettingValues = Context.Tag.Service<typeof Settings.Settings>

/** Server for notifications by e-mail; undefined without `SLUICE_SMTP_URL`. */
export const mailServerOf = ({ smtpFrom, smtpUrl }: SettingValues): MailServer | undefined =>
  smtpUrl === undefined ? undefined : { url: smtpUrl, from: smtpFrom }

const { catalogue } = Settings

const names = Object.keys(catalogue) as ReadonlyArray<keyof typeof catalogue>

/** Settings that take effect before a profile is read, so a profile cannot contain them. */
const early: ReadonlySet<Settings.Setting<unknown>> = new Set<Settings.Setting<unknown>>([
  catalogue.lineageEndpoint,
  catalogue.lineageNamespace,
  catalogue.lineageUrl,
  catalogue.log,
  catalogue.logLevel,
  catalogue.otlpEndpoint,
  catalogue.resourceAttributes,
  catalogue.serviceName,
  catalogue.traceShare
])

/** True for settings that a profile may contain: not secrets, and not settings that take effect before the profile is read. */
export const isForProfiles = (setting: Settings.Setting<unknown>): boolean => !setting.isSecret && !early.has(setting)

/** Says where a setting can be corrected: only in the environment, or also in the profile. `env`: the setting's variable. */
export const homeOf = (env: string): string => {
  const setting = Object.values<Settings.Setting<unknown>>(catalogue).find((each) => each.env === env)
  return setting === undefined || isForProfiles(setting) ? "in the environment or in the profile" : "in the environment"
}

const isScalar = (value: unknown) => ["string", "number", "boolean"].includes(typeof value)

const textOf = (value: unknown): string | undefined =>
  Array.isArray(value) && value.every(isScalar) ? value.join(",") : isScalar(value) ? String(value) : undefined

const prefix = "SLUICE_"

/** Environment variables that are probably misspelled settings, each with the setting meant. Without a warning they would be ignored. */
export const misspelledSettings = (env: Terminal["env"]): ReadonlyArray<readonly [written: string, meant: string]> => {
  const known = Object.values(catalogue).map((setting) => setting.env)
  const ends = known.flatMap((name) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : []))
  return Object.keys(env).flatMap((name) => {
    if (!name.startsWith(prefix) || known.includes(name)) return []
    const near = nearest(name.slice(prefix.length), ends)
    return near === undefined || env[prefix + near] !== undefined ? [] : [[name, prefix + near] as const]
  })
}

/** The settings of a profile, by environment variable. */
const settingsOf = ({ file, locate, value }: Source): Effect.Effect<Map<string, string>, DefinitionInvalid> => {
  const found = new Map<string, string>()
  const mistakes: Array<PlacedIssue> = []
  const wrong = (path: ReadonlyArray<string>, message: string) => mistakes.push({ path, message, ...locate(path) })
  if (value !== null && (typeof value !== "object" || Array.isArray(value)))
    wrong([], "expected settings, one on each line, like baseUrl: https://…")
  for (const [key, each] of Object.entries(value ?? {})) {
    const name = names.find((known) => known === key)
    const text = textOf(each)
    // Not a setting of the profile: the hosts of secrets apply to every command (`Trust.ts`).
    if (key === "secrets") continue
    if (name === undefined) {
      wrong([key], `unknown setting "${key}"${didYouMean(key, names) || `: there are ${names.join(", ")}`}`)
      continue
    }
    const setting: Settings.Setting<unknown> = catalogue[name]
    if (setting.isSecret) wrong([key], `a secret does not belong in a profile: set ${setting.env} in the environment`)
    else if (early.has(setting))
      wrong([key], `this setting takes effect before a profile is read: set ${setting.env} in the environment`)
    else if (text === undefined) wrong([key], "expected a string or an array of strings")
    else found.set(setting.env, text)
  }
  return mistakes.length === 0 ? Effect.succeed(found) : Effect.fail(new DefinitionInvalid({ file, issues: mistakes }))
}

const isPath = (profile: string): boolean => /[/\\]|\.ya?ml$/.test(profile)

/** File of a profile: given as a name, which is looked up in config/, or as a path. */
export const profileFile = (profile: string): string =>
  isPath(profile) ? profile : NodePath.join("config", `${profile}.yaml`)

/** Finds a profile by its name in config/, or by its path. */
const loadProfile = Trace.fn("Profile.load")(function* (profile: string) {
  const files = yield* FileSystem.FileSystem
  const paths = yield* Path.Path
  const file = profileFile(profile)
  const refuse = (message: string) => new DefinitionInvalid({ file, issues: [{ path: [], message }] })
  const text = yield* files.readFileString(file).pipe(
    Effect.catchAll((error) =>
      Effect.gen(function* () {
        if (error._tag !== "SystemError" || error.reason !== "NotFound") {
          return yield* refuse(`the profile cannot be read: ${fileErrorReason(error)}`)
        }
        const found = yield* Effect.orElseSucceed(files.readDirectory("config"), () => [])
        const known = found.filter((name) => name.endsWith(".yaml")).map((name) => name.slice(0, -".yaml".length))
        const hint = isPath(profile)
          ? ""
          : didYouMean(profile, known) || (known.length > 0 ? `: there are ${known.join(", ")}` : "")
        return yield* refuse(`there is no such profile${hint}`)
      })
    )
  )
  const { parseText } = yield* Effect.promise(() => import("../Pipeline/Source.ts"))
  return yield* Effect.flatMap(parseText(file, paths.dirname(paths.resolve(file)), text), settingsOf)
})

/** Reads every setting. */
export const readSettings = Trace.fn("Profile.read")(function* (env: Terminal["env"], profile: string | undefined) {
  const given = new Map(Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
  const written = profile === undefined ? new Map<string, string>() : yield* loadProfile(profile)
  const provider = ConfigProvider.orElse(ConfigProvider.fromMap(given), () => ConfigProvider.fromMap(written))
  return yield* Effect.withConfigProvider(Settings.read, provider)
})

/** Reads every setting, and the path of the data folder: the one that a flag names, or the one from the settings. */
export const readPlaces = (
  options: { readonly data?: string | undefined; readonly profile?: string | undefined },
  env: Terminal["env"]
) =>
  Effect.gen(function* () {
    const settings = yield* readSettings(env, options.profile)
    return { settings, dataDir: (yield* Path.Path).resolve(options.data ?? settings.dataDir) }
  })

/** Removes the values of secret settings from all later output. */
export const concealSecrets = (env: Terminal["env"]): void => {
  for (const name of secretNames) addSecret(env[name] ?? "")
}
