/** The pipeline behind a call of `sluice watch`: a normal definition, and the values of its secrets. */
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { canParse } from "../../Api/Url.ts"
import { parseSelector } from "../../Html/Select.ts"
import { yaml } from "../../Pipeline/Format.ts"
import { isEmailAddress } from "../../Pipeline/Schedule.ts"
import { read } from "../../Pipeline/Source.ts"
import { watchSteps } from "../../Pipeline/Templates.ts"
import { sha256 } from "../../Row/Hash.ts"
import { mapping } from "../../Step/Requirements.ts"
import { isPattern } from "../../Values/LinearRegExp.ts"
import { type WrongUsage, wrongUsage } from "../CommandErrors.ts"
import type { WatchOptions } from "./Options.ts"

const minute = 60_000
const [hour, day] = [60 * minute, 24 * 60 * minute]

const everyOf = (count: number): string => (count === 1 ? "*" : `*/${count}`)

/** Cron expression for an interval; undefined if there is none. */
const cronOf = (every: number): string | undefined => {
  const [minutes, hours] = [every / minute, every / hour]
  if (Number.isInteger(minutes) && minutes < 60) return 60 % minutes === 0 ? `${everyOf(minutes)} * * * *` : undefined
  if (Number.isInteger(hours) && hours < 24) return 24 % hours === 0 ? `0 ${everyOf(hours)} * * *` : undefined
  return every === day ? "0 6 * * *" : every === 7 * day ? "0 6 * * 1" : undefined
}

const timezone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

interface Channel {
  /** Fields of the notification target. */
  readonly fields: Readonly<Record<string, unknown>>
  /** Name and value of the secret that holds the target's address; the definition refers to it by its name. */
  readonly secret?: readonly [name: string, value: string] | undefined
  /** Program and arguments of a command with arguments; the definition contains only the program. */
  readonly command?: Words | undefined
}

type Words = readonly [string, ...ReadonlyArray<string>]

const isStrings = (value: unknown): value is Words =>
  Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === "string" && each !== "")

/** Parses `notify-send Changed`, or a JSON array of words. */
const commandOf = (text: string): Words | undefined => {
  if (!text.startsWith("[")) {
    const words = text.split(/\s+/).filter((word) => word !== "")
    return isStrings(words) ? words : undefined
  }
  try {
    const words: unknown = JSON.parse(text)
    return isStrings(words) ? words : undefined
  } catch {
    return undefined
  }
}

const isSecret = (text: string): boolean => /^\$\{\{\s*secrets\.\w+\s*\}\}$/.test(text)

/** Parses a target of `--notify`; undefined if it is not valid. */
const channelOf = (target: string, number: number): Channel | undefined => {
  const [, kind, rest = ""] = /^(slack|command|mailto|webhook):(.*)$/s.exec(target) ?? []
  if (kind === "command") {
    const command = commandOf(rest)
    if (command === undefined) return undefined
    return { fields: { command: [command[0]] }, ...(command.length === 1 ? {} : { command }) }
  }
  const address = kind === undefined ? target : rest
  if (kind === "mailto" || (kind === undefined && isEmailAddress(target))) {
    const receivers = address.split(",").map((each) => each.trim())
    return receivers.every(isEmailAddress)
      ? { fields: { email: receivers.length === 1 ? receivers[0] : receivers } }
      : undefined
  }
  const isAddress = /^https?:/i.test(address) && canParse(address)
  const channel = kind ?? (isAddress && new URL(address).hostname === "hooks.slack.com" ? "slack" : "webhook")
  if (isSecret(address)) return { fields: { [channel]: address } }
  if (!isAddress) return undefined
  const name = `WATCH_NOTIFY_${number}`
  return { fields: { [channel]: `\${{ secrets.${name} }}` }, secret: [name, address] }
}

const quietOf = (text: string | undefined) => {
  const [, from, to] = /^(\d\d:\d\d)-(\d\d:\d\d)$/.exec(text ?? "") ?? []
  return from === undefined || to === undefined ? undefined : { from, to, timezone: timezone() }
}

const durationOf = (millis: number): string =>
  millis % day === 0
    ? `${millis / day}d`
    : millis % hour === 0
      ? `${millis / hour}h`
      : millis % minute === 0
        ? `${millis / minute}m`
        : `${millis / 1000}s`

export interface Composed {
  readonly name: string
  readonly text: string
  /** Addresses of `--notify`, by the names of the secrets that hold them. */
  readonly secrets: Readonly<Record<string, string>>
  /**
   * Commands with arguments, by the number of their `--notify` target. Not in the definition, because they may be secret and a definition
   * is stored in the ledger.
   */
  readonly commands: ReadonlyMap<number, Words>
  readonly kind: "pages" | "section" | "search"
}

/**
 * Identity of a watch: what it watches, regardless of its schedule and its notification targets. A call with the same identity continues
 * the watch.
 */
const subjectOf = ({ always, ignore, limit, search, section, select, urls }: WatchOptions) =>
  search === undefined ? { urls, section, select, always, ignore, ...(section ? { limit } : {}) } : { search, limit }

const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 40)

const nameOf = (options: WatchOptions): string => {
  const [first = ""] = options.urls
  const label = slugOf(options.search ?? new URL(first).hostname)
  return `watch-${label === "" ? "words" : label}-${sha256(JSON.stringify(subjectOf(options))).slice(0, 6)}`
}

/** Reason why a value of --select, --always or --ignore is not usable; undefined if all are. */
const whyUnreadable = ({ always, ignore, select }: WatchOptions): string | undefined => {
  for (const selector of select) {
    const parsed = parseSelector(selector)
    if (Either.isLeft(parsed)) return `--select: ${parsed.left}`
  }
  for (const [flag, sources] of Object.entries({ always, ignore })) {
    const reason = sources.map(isPattern).find((each) => each !== true)
    if (reason !== undefined) return `--${flag}: ${reason}`
  }
  return undefined
}

/** Reason to refuse the combination of flags; undefined if it is valid. */
const whyRefused = (options: WatchOptions): string | undefined => {
  const { every, search, section, select, urls } = options
  if (search === undefined && urls.length === 0) return "name a URL to watch, or give --search WORDS"
  if (search !== undefined && (urls.length > 0 || section || select.length > 0)) {
    return "--search takes the place of URLs, --section and --select: leave them out"
  }
  if (search !== undefined && options.always.length + options.ignore.length > 0) {
    return "--always and --ignore are for pages: leave them out with --search"
  }
  if (search !== undefined && options.login !== undefined) return "--login is for pages: leave it out with --search"
  if (search !== undefined && options.goal !== undefined) return "--goal is for pages: leave it out with --search"
  if (options.goal === undefined && options["goal-limit"] !== undefined)
    return "--goal-limit is for --goal: add --goal TEXT"
  if (options.goal?.trim() === "") return "--goal takes a sentence, like --goal 'the price fell'"
  if (!section && search === undefined && options.limit !== undefined) {
    return "--limit is for --section and --search: leave it out"
  }
  const bad = urls.find((url) => !/^https?:\/\//i.test(url) || !canParse(url))
  if (bad !== undefined) return `"${bad}" is not an http(s) address: write it like https://example.com/page`
  if (every < minute) return `--every takes at least 1m, got ${durationOf(every)}`
  if (options["quiet-hours"] !== undefined && quietOf(options["quiet-hours"]) === undefined) {
    return `--quiet-hours takes hours like 22:00-07:00, got "${options["quiet-hours"]}"`
  }
  if (options.notify.length > 10) return "--notify can be given 10 times at most"
  return options.notify.length === 0 && (options.digest ?? options["quiet-hours"]) !== undefined
    ? "--digest and --quiet-hours are for --notify: add --notify TARGET"
    : undefined
}

/** Reads the `login` of a file; the paths in it are relative to the file. */
export const readLogin = (file: string) =>
  Effect.gen(function* () {
    const paths = yield* Path.Path
    const path = paths.resolve(file)
    const source = yield* read(path)
    const written = mapping(source.value).login ?? source.value
    const login = mapping(written)
    const at = (name: unknown) => (typeof name === "string" ? paths.resolve(source.folder, name) : name)
    return {
      ...login,
      ...(login.cookies === undefined ? {} : { cookies: at(login.cookies) }),
      ...(login.run === undefined ? {} : { run: typeof login.run === "string" ? at(login.run) : login.run })
    }
  })

/** Builds the definition, in which addresses of `--notify` are secrets. */
export const compose = (options: WatchOptions, login?: object): Effect.Effect<Composed, WrongUsage> =>
  Effect.gen(function* () {
    const reason = whyRefused(options) ?? whyUnreadable(options)
    if (reason !== undefined) return yield* wrongUsage(reason)
    const cron = cronOf(options.every)
    if (options.write !== undefined && cron === undefined) {
      return yield* wrongUsage(
        `a schedule in a file has no interval of ${durationOf(options.every)}: choose one that divides an hour or a day, like 30m, 1h or 12h`
      )
    }
    const name = nameOf(options)
    const quiet = quietOf(options["quiet-hours"])
    const channels = yield* Effect.forEach(options.notify, (target, index) => {
      const channel = channelOf(target, index + 1)
      return channel === undefined
        ? wrongUsage(
            `--notify takes an http(s) address, an e-mail address, or command:PROGRAM; target ${index + 1} is none of them`
          )
        : Effect.succeed(channel)
    })
    const notify = channels.map(({ fields }) => ({
      on: ["changed"],
      ...fields,
      ...(quiet === undefined ? {} : { quiet }),
      ...(options.digest === undefined ? {} : { digest: durationOf(options.digest) })
    }))
    const definition = {
      version: 1,
      name,
      ...(cron === undefined ? {} : { schedule: { cron, timezone: timezone() } }),
      ...(notify.length === 0 ? {} : { notify }),
      ...(login === undefined ? {} : { login }),
      steps: watchSteps({ ...options, goalLimit: options["goal-limit"] })
    }
    return {
      name,
      text: yaml(definition),
      secrets: Object.fromEntries(channels.flatMap(({ secret }) => (secret === undefined ? [] : [secret]))),
      commands: new Map(channels.flatMap(({ command }, index) => (command === undefined ? [] : [[index, command]]))),
      kind: options.search !== undefined ? "search" : options.section ? "section" : "pages"
    }
  })
