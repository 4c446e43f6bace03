/**
 * `sluice watch`: watches pages, sections or searches in the foreground, without a file.
 *
 * It is a normal pipeline (`Watch/Compose.ts`), whose visits are scheduled times in the ledger. So a killed visit is resumed, reported
 * changes stay reported, and notifications are delivered at least once.
 */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Chunk from "effect/Chunk"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { maxLength } from "../Change/Blocks.ts"
import * as Locks from "../Ledger/Locks.ts"
import { Ledger } from "../Ledger.ts"
import { Permissions } from "../Permissions.ts"
import { type Checked, check } from "../Pipeline/Check.ts"
import { parseText } from "../Pipeline/Source.ts"
import * as NotificationSender from "../Schedule/NotificationSender.ts"
import * as Store from "../Schedule/Store.ts"
import * as Schedule from "../Schedule.ts"
import { type CommandFailed, commandFailed, unusable, wrongUsage } from "./CommandErrors.ts"
import { mailServerOf, readSettings } from "./CommandSettings.ts"
import { count, place } from "./Format.ts"
import { ledgerLayer } from "./LedgerAccess.ts"
import * as Execution from "./Schedule/Execution.ts"
import * as Time from "./Schedule/Time.ts"
import { requireCapabilities } from "./Service.ts"
import type { Terminal } from "./Terminal.ts"
import { scopeOf } from "./Trust.ts"
import type { Failure } from "./Verb.ts"
import * as Verb from "./Verb.ts"
import * as Changes from "./Watch/Changes.ts"
import { type Composed, compose, readLogin } from "./Watch/Compose.ts"
import * as Failures from "./Watch/Failures.ts"
import { parameters, type WatchOptions } from "./Watch/Options.ts"
import * as Report from "./Watch/Report.ts"
import * as Until from "./Watch/Until.ts"

export const command = Verb.make({
  details:
    "The first visit happens twice, to learn what differs at every visit. Then each change is printed as one sentence and as a word diff. The same command continues where it was stopped or killed; a change that was found and not printed yet is printed first. A page that cannot be read is reported once, and again when it can be read.",
  parameters,
  examples: [
    { line: "sluice watch https://example.com/terms", what: "once an hour, until Ctrl-C" },
    {
      line: "sluice watch https://example.com/ticket --every 5m --until without:'Sold out' --notify me@example.com",
      what: "until tickets are back, with an e-mail"
    },
    {
      line: "sluice watch https://example.com/docs/ --section --every 1d --notify $SLACK_WEBHOOK",
      what: "all pages below an address, to Slack"
    },
    { line: 'sluice watch --search "effect typescript" --every 12h', what: "new results of a search" },
    {
      line: "sluice watch https://example.com/prices --select .price --write pipelines/prices.yaml",
      what: "writes the watch as a pipeline, for sluice schedule"
    }
  ],
  run: (options, terminal) => run(options, terminal)
})

/** Time to deliver notifications before the command ends. */
const deliveryTimeout = "20 seconds"

/** Milliseconds after the first visit in which a second visit is made to learn which differences occur at every visit. */
const learnWithin = 600_000

/** Milliseconds before a failed second visit is tried again. */
const learnPause = 60_000

const writeFile = (file: string, { secrets, text }: Composed, terminal: Terminal) =>
  Effect.gen(function* () {
    if (file === "-") terminal.out.write(text)
    else {
      const files = yield* FileSystem.FileSystem
      const folder = (yield* Path.Path).dirname(file)
      yield* Effect.zipRight(
        files.makeDirectory(folder, { recursive: true }),
        files.writeFileString(file, text, { flag: "wx" })
      ).pipe(Effect.mapError(unusable(file, "Name a new file")))
      terminal.err.write(`${place(file)} is written. Run it with: sluice schedule ${place(folder)}\n`)
    }
    const names = Object.keys(secrets)
    if (names.length > 0) {
      terminal.err.write(`The pipeline reads the address of --notify from the environment: set ${names.join(", ")}\n`)
    }
  })

/** Parses and checks the definition with the permissions of the user who runs the command. */
const checkedOf = ({ name, secrets, text }: Composed, terminal: Terminal) =>
  Effect.gen(function* () {
    const folder = (yield* Path.Path).resolve(terminal.cwd ?? ".")
    const env = { ...terminal.env, ...secrets }
    const source = yield* parseText(`${name}.yaml`, folder, text)
    const checked = yield* check(source, { ...scopeOf(env), inputs: {}, complete: true, allowCode: true })
    return { checked, env }
  })

interface Watch {
  readonly composed: Composed
  readonly checked: Checked
  readonly options: WatchOptions
  readonly terminal: Terminal
  readonly conditions: ReadonlyArray<Until.Condition>
  readonly visit: (scheduledTime: number) => Effect.Effect<Failures.Visited, Failure, Ledger>
}

/** Prints to stderr unless quiet. */
const say = ({ options, terminal }: Pick<Watch, "options" | "terminal">, text: string) =>
  Effect.sync(() => {
    if (!options.quiet) terminal.err.write(`${text}\n`)
  })

/** State entries of the watched pages, which hold their text at the last visit. */
const pagesOf = ({ checked, composed }: Watch) =>
  Effect.gen(function* () {
    const { states } = yield* Ledger
    const [step] = checked.remembering
    if (step === undefined) return []
    return Chunk.toReadonlyArray(yield* Stream.runCollect(states.entries(composed.name, step)))
  })

/** Channels and format for printing, from the flags. */
const printingOf = (watch: Watch) => ({
  out: watch.terminal.out,
  err: watch.terminal.err,
  isJson: watch.options.json,
  say: (text: string) => say(watch, text)
})

/** Prints which pages do not exist, according to the status of their sites. The text of such a response is watched all the same. */
const sayMissing = (watch: Watch, pages: ReadonlyArray<{ readonly key: string }>) =>
  Effect.gen(function* () {
    const { history } = yield* Ledger
    for (const { key } of pages) {
      const [latest] = yield* history.pagesAt(key, { limit: 1 })
      const status = latest?.status ?? 200
      if (status >= 400)
        yield* say(
          watch,
          `${key}: the site answered ${status}, so check the address. If a page appears there later, that is reported as a change`
        )
    }
  })

const showLearned = (watch: Watch) =>
  Effect.gen(function* () {
    for (const { key, value } of yield* pagesOf(watch)) {
      const learned = Report.learnedOf(value)
      yield* say(
        watch,
        learned.length === 0
          ? `${key}: nothing is ignored`
          : [`${key} ignores:`, ...learned.map((each) => `  ${each}`)].join("\n")
      )
    }
  })

/** Visits once and reports. Returns the reason why the watch ends; undefined if it continues. */
const visitAndReport = (watch: Watch, scheduledTime: number, failing: Failures.Failures) =>
  Effect.gen(function* () {
    const visited = yield* watch.visit(scheduledTime)
    const printing = printingOf(watch)
    const now = yield* Failures.of(visited, watch.checked.remembering[0])
    const next = yield* Failures.report(printing, failing, now, visited)
    const { record } = visited
    const isRead = record.status === "completed"
    const changes = isRead ? yield* Changes.print(printing, record) : 0
    const pages = isRead ? yield* pagesOf(watch) : []
    const texts = pages.flatMap(({ value }) => Report.textOf(value) ?? [])
    const cut = pages.find(({ value }) => Report.isCut(value))
    const end = isRead ? Until.fulfilled(watch.conditions, changes, texts, cut === undefined) : undefined
    const doubtful = pages.flatMap(({ key, value }) => (Report.isDoubtful(value) ? [key] : []))
    return { failing: next, end, isRead, changes, cut: cut?.key, doubtful }
  })

/** Visits until a condition of `--until` is fulfilled, and returns the reason; ends after one visit with `--once`. */
const loop = (watch: Watch) =>
  Effect.gen(function* () {
    const { composed, options } = watch
    const schedules = yield* Store.schedules
    const which = { pipeline: composed.name }
    const late = yield* Changes.printLate(printingOf(watch), composed.name)
    const end = Until.fulfilled(watch.conditions, late, [])
    if (end !== undefined) return end
    const ended = yield* schedules.occurrences({ ...which, status: ["completed"], limit: 2 })
    const [last] = yield* schedules.occurrences({ ...which, limit: 1 })
    const before = last?.endedAt === undefined ? undefined : { record: last, failure: undefined }
    let failing = before === undefined ? Failures.none : yield* Failures.of(before, watch.checked.remembering[0])
    let isCutKnown = false
    let visits = ended.length
    let next = last === undefined || last.endedAt === undefined || options.once ? 0 : last.scheduledTime + options.every
    const [open] = yield* schedules.occurrences({ ...which, status: ["waiting", "running", "retrying"], limit: 1 })
    /** Time of the visit to make now. At first that of a stopped or killed visit, which is resumed; undefined if there is none. */
    let scheduledTime: number | undefined = open?.scheduledTime
    const learns = composed.kind !== "search"
    let firstAt = ended.at(-1)?.scheduledTime
    /** Time when the second visit is due, which learns the differences that occur at every visit. */
    let learnAt = 0
    if (visits === 0)
      yield* say(watch, `watching ${describe(options)}; the same command continues it (${composed.name})`)
    else if (options["show-ignored"]) yield* showLearned(watch)
    while (true) {
      const now = yield* Clock.currentTimeMillis
      const isSecond = learns && visits === 1 && scheduledTime === undefined && now - (firstAt ?? now) < learnWithin
      const due = isSecond ? Math.min(learnAt, next) : next
      if (scheduledTime === undefined && due > now) {
        yield* say(watch, `next visit ${Time.distance(due, now)}`)
        yield* sleepUntil(due)
      }
      scheduledTime ??= yield* Clock.currentTimeMillis
      const result = yield* visitAndReport(watch, scheduledTime, failing)
      failing = result.failing
      if (result.isRead) {
        firstAt ??= scheduledTime
        visits++
      } else if (isSecond) learnAt = scheduledTime + learnPause
      if (result.end !== undefined) return result.end
      if (result.cut !== undefined && !isCutKnown && watch.conditions.some(({ kind }) => kind === "without")) {
        isCutKnown = true
        yield* say(
          watch,
          `${result.cut} exceeds the ${maxLength} characters that are compared, so --until without:TEXT cannot be met: watch a part of it with --select`
        )
      }
      if (visits === 2 && result.isRead && learns) {
        const learned = (yield* pagesOf(watch)).flatMap(({ value }) => Report.learnedOf(value))
        yield* say(
          watch,
          `learned from two visits: ${learned.length === 0 ? "nothing differs" : count(learned.length, "difference")} at every visit`
        )
        if (options["show-ignored"]) yield* showLearned(watch)
      } else if (visits === 1 && result.isRead) {
        const pages = yield* pagesOf(watch)
        yield* say(watch, `first visit: ${count(pages.length, composed.kind === "search" ? "result" : "page")}`)
        if (composed.kind === "pages") yield* sayMissing(watch, pages)
      } else if (result.isRead && result.changes === 0) {
        const at = Time.show(scheduledTime - (scheduledTime % 1000), Intl.DateTimeFormat().resolvedOptions().timeZone)
        const [first, ...others] = result.doubtful
        const nothing = options.goal === undefined ? "nothing has changed" : "nothing that matters has changed"
        yield* say(
          watch,
          first === undefined
            ? `${at}  ${nothing}`
            : `${at}  ${first}${others.length === 0 ? "" : ` and ${others.length} more`}: the page has lost almost all of its content. It counts as changed if the next visit finds the same`
        )
      }
      next = scheduledTime + options.every
      scheduledTime = undefined
      const teachesNow = learns && visits === 1 && result.isRead
      if (!options.once || teachesNow) continue
      if (!result.isRead) return yield* commandFailed("it could not be visited")
      return undefined
    }
  })

/** Sleeps in steps of an hour: timers stop while a machine is suspended, and cannot be longer than 24 days. */
const sleepUntil = (at: number) =>
  Effect.gen(function* () {
    for (let left = 1; left > 0; ) {
      left = at - (yield* Clock.currentTimeMillis)
      yield* Effect.sleep(Math.min(Math.max(0, left), 3_600_000))
    }
  })

const describe = ({ search, section, urls }: WatchOptions): string =>
  search !== undefined
    ? `the search "${search}"`
    : section
      ? `the pages below ${urls.join(", ")}`
      : urls.length === 1
        ? (urls[0] ?? "")
        : count(urls.length, "page")

/** Earliest time in the conditions of `--until`. */
const endOf = (conditions: ReadonlyArray<Until.Condition>): number | undefined => {
  const times = conditions.flatMap((each) => (each.kind === "time" ? [each.at] : []))
  return times.length === 0 ? undefined : Math.min(...times)
}

/** Races the watch with the time of `--until`. */
const untilTime = <E, R>(
  conditions: ReadonlyArray<Until.Condition>,
  watching: Effect.Effect<string | undefined, E, R>
): Effect.Effect<string | undefined, E | CommandFailed, R> => {
  const end = endOf(conditions)
  if (end === undefined) return watching
  const others = conditions.filter(({ kind }) => kind !== "time").length
  const over = Effect.gen(function* () {
    yield* sleepUntil(end)
    if (others > 0)
      return yield* commandFailed(`the time ran out before ${others === 1 ? "the" : "a"} condition was met`)
    return "the time is up"
  })
  return Effect.raceFirst(watching, over)
}

/** Full permissions: the user who runs the command has written the whole definition. */
const withOwnPermissions = <A, E, R>(program: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(Permissions, (permissions) =>
    Effect.provideService(program, Permissions, { ...permissions, project: undefined, isNone: false })
  )

const run = (options: WatchOptions, terminal: Terminal) =>
  Effect.gen(function* () {
    const login = options.login === undefined ? undefined : yield* readLogin(options.login)
    const composed = yield* compose(options, login)
    const { checked, env } = yield* checkedOf(composed, terminal)
    if (options.write !== undefined) {
      const [hidden] = composed.commands.keys()
      if (hidden !== undefined) {
        return yield* wrongUsage(
          `the arguments of the command in --notify ${hidden + 1} may be secret, and --write would put them into the file: put the command into a script and name that, like command:./notify.sh, or leave this --notify out and add it to the file`
        )
      }
      return yield* writeFile(options.write, composed, terminal)
    }
    const conditions = yield* Effect.flatMap(Clock.currentTimeMillis, (now) =>
      Effect.forEach(options.until, (word) => Until.conditionOf(word, now))
    )
    if (composed.kind === "search" && conditions.some(({ kind }) => kind === "text" || kind === "without")) {
      return yield* wrongUsage("--until TEXT is for pages: a search can end with changed or a time")
    }
    const settings = yield* readSettings(terminal.env, options.profile)
    yield* requireCapabilities(checked, settings, env)
    const targets = (checked.frame.notify ?? []).map((target, index) => {
      const command = composed.commands.get(index)
      return command === undefined ? target : { ...target, command }
    })
    const mailServer = mailServerOf(settings)
    if (mailServer === undefined && targets.some(({ email }) => email !== undefined)) {
      return yield* wrongUsage(
        "--notify with an e-mail address needs a mail server: set SLUICE_SMTP_URL=smtps://USER:PASSWORD@HOST:465"
      )
    }
    const paths = yield* Path.Path
    const dataDir = paths.resolve(options.data ?? settings.dataDir)
    const watching = Effect.gen(function* () {
      const ledger = yield* Ledger
      const schedules = Store.of(ledger)
      // Only one process may run a watch: two would double the visits.
      yield* Locks.acquire(ledger.connection, [`watch ${composed.name}`])
      let failure: Failure | undefined
      const runner = yield* Execution.make({
        settings,
        dataDir,
        out: paths.resolve("."),
        allowCode: false,
        env,
        failed: (error) => {
          failure = error
        }
      })
      const visit = (scheduledTime: number) =>
        Effect.gen(function* () {
          failure = undefined
          const record = yield* Schedule.runAt({ checked, scheduledTime, runner })
          return { record, failure }
        })
      const sending: NotificationSender.Options = {
        outbox: schedules.notifications,
        notifyOf: (pipeline) => Effect.succeed(pipeline === composed.name ? targets : undefined),
        mailServer,
        // Allowed, because the user who runs this process has typed the command.
        allowCode: true
      }
      yield* Effect.forkScoped(NotificationSender.send(sending))
      const watch: Watch = { composed, checked, options, terminal, conditions, visit }
      const end = yield* untilTime(conditions, loop(watch)).pipe(
        Effect.onInterrupt(() =>
          say(watch, `${terminal.err.interactive ? "\n" : ""}stopped; the same command continues`)
        ),
        // Sends the findings of the last visit before the command ends.
        Effect.tapBoth({
          onSuccess: () => NotificationSender.flush(sending, deliveryTimeout),
          onFailure: () => NotificationSender.flush(sending, deliveryTimeout)
        })
      )
      if (end !== undefined) yield* say(watch, `the watch is over: ${end}`)
    })
    yield* Effect.scoped(watching).pipe(Effect.provide(ledgerLayer(settings, dataDir)))
  }).pipe(withOwnPermissions)
