/** Opens the session, and keeps it until it ends or somebody has had enough. */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { CreateSession } from "../../Api/Browser.ts"
import { Browser, scopedSession } from "../../Client/Browser.ts"
import { clientOf } from "../Ask.ts"
import type { BrowserParameters } from "../Browser.ts"
import { WrongUsage } from "../Errors.ts"
import * as Profile from "../Profile.ts"
import { paint, type Terminal } from "../Terminal.ts"

const between = Duration.seconds(2)
/** A session that saves its storage takes a while to close. */
const goodbye = Duration.seconds(30)

const requestOf = ({ idle, storage, ttl, ...options }: BrowserParameters): CreateSession => ({
  ...(ttl === undefined ? {} : { ttl }),
  ...(idle === undefined ? {} : { activityTtl: idle }),
  ...(storage === undefined ? {} : { profile: { name: storage, saveChanges: !options["read-only"] } })
})

type Opened = Effect.Effect.Success<ReturnType<Browser["create"]>>

const show = ({ success: _, ...session }: Opened, { json }: BrowserParameters, { out }: Terminal): void => {
  if (json) {
    out.write(`${JSON.stringify(session)}\n`)
    return
  }
  const dye = paint(out)
  const links = [
    ["watch", session.liveViewUrl],
    ["steer", session.interactiveLiveViewUrl],
    ["CDP", session.cdpUrl]
  ] as const
  const lines = [
    `${dye.bold("browser session")} ${session.id}`,
    "",
    ...links.flatMap(([name, url]) => (url == null ? [] : [`  ${name.padEnd(6)} ${dye.cyan(url)}`])),
    ...(session.expiresAt == null ? [] : [`  until  ${session.expiresAt}`]),
    "",
    dye.dim("Whoever has a link may use it. Ctrl-C closes the session."),
    ""
  ]
  out.write(lines.join("\n"))
}

/** Completes when the session is over; of a service that does not list its sessions only the latest end is known. */
const over = (client: Browser, { expiresAt, id }: Opened) => {
  const until = expiresAt == null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt)
  return Effect.gen(function* () {
    if ((yield* Clock.currentTimeMillis) >= until) return true
    const listed = yield* Effect.option(client.list())
    return listed._tag === "Some" && !listed.value.sessions.some((one) => one.id === id)
  }).pipe(Effect.delay(between), Effect.repeat({ until: (isOver) => isOver }))
}

export const program = (options: BrowserParameters, terminal: Terminal) =>
  Effect.gen(function* () {
    if (options["read-only"] && options.storage === undefined) {
      return yield* new WrongUsage({ reason: "--read-only says what to do with a profile: name one with --storage" })
    }
    const settings = yield* Profile.read(terminal.env, options.profile)
    const layer = yield* clientOf(settings, options.data)
    yield* Effect.gen(function* () {
      const client = yield* Browser
      const session = yield* scopedSession(requestOf(options), {
        closeTimeout: goodbye,
        onUnclosed: (message) =>
          Effect.sync(() => void terminal.err.write(`the session was not closed, and ends by itself: ${message}\n`))
      })
      show(session, options, terminal)
      yield* over(client, session)
      terminal.err.write("the session has ended\n")
    }).pipe(Effect.provide(layer))
  }).pipe(
    Effect.scoped,
    // The terminal has written ^C.
    Effect.onInterrupt(() => Effect.sync(() => terminal.err.write(`${terminal.err.interactive ? "\n" : ""}closed\n`)))
  )
