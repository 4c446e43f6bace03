/** `sluice browser`: opens a browser session for a person or a program, for as long as the command runs. */

import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { CreateSession } from "../Api/BrowserSession.ts"
import { Browser, scopedSession } from "../Client/Browser.ts"
import { wrongUsage } from "./CommandErrors.ts"
import { readSettings } from "./CommandSettings.ts"
import * as Parameter from "./Parameter.ts"
import { openClient } from "./Service.ts"
import * as SharedFlags from "./SharedFlags.ts"
import { paint, type Terminal } from "./Terminal.ts"
import * as Verb from "./Verb.ts"

const parameters = {
  ttl: Parameter.integer("SECONDS", "Maximum lifetime of the session in seconds, 30 to 3600; default: 600.", {
    minimum: 30,
    maximum: 3600
  }),
  idle: Parameter.integer(
    "SECONDS",
    "Closes the session after this many seconds without use, 10 to 3600; default: 300.",
    {
      minimum: 10,
      maximum: 3600
    }
  ),
  storage: Parameter.text(
    "NAME",
    "Browser profile: the session loads its cookies and storage, and saves them at the end."
  ),
  "read-only": Parameter.toggle("With --storage: saves nothing, so that several sessions can use the profile at once."),
  data: SharedFlags.data("the local engine's store"),
  profile: SharedFlags.profile,
  json: Parameter.toggle("Prints the session as one line of JSON.")
}

type Options = Parameter.Values<typeof parameters>

export const command = Verb.make({
  details:
    "The links are keys: anyone who has one can watch or control the session. playwright-core and puppeteer-core connect to the CDP URL. Without SLUICE_BASE_URL the local engine opens it, with the Chromium of this machine.",
  parameters,
  examples: [
    { line: "sluice browser", what: "a browser to watch and control for ten minutes" },
    { line: "sluice browser --storage shop", what: "sign in by hand; pipelines with this profile stay signed in" },
    { line: "sluice browser --ttl 3600 --json", what: "for a program" }
  ],
  run: (options, terminal) => run(options, terminal)
})

const between = Duration.seconds(2)
/** Maximum time for closing a session, which may have to save its storage first. */
const goodbye = Duration.seconds(30)

const requestOf = ({ idle, storage, ttl, ...options }: Options): CreateSession => ({
  ...(ttl === undefined ? {} : { ttl }),
  ...(idle === undefined ? {} : { activityTtl: idle }),
  ...(storage === undefined ? {} : { profile: { name: storage, saveChanges: !options["read-only"] } })
})

type Opened = Effect.Effect.Success<ReturnType<Browser["create"]>>

const show = ({ success: _, ...session }: Opened, { json }: Options, { out }: Terminal): void => {
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
    dye.dim("Anyone who has a link can use it. Ctrl-C closes the session."),
    ""
  ]
  out.write(lines.join("\n"))
}

/** Completes when the session is over. If the service cannot list its sessions, completes at the session's latest possible end. */
const over = (client: Browser, { expiresAt, id }: Opened) => {
  const until = expiresAt == null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt)
  return Effect.gen(function* () {
    if ((yield* Clock.currentTimeMillis) >= until) return true
    const listed = yield* Effect.option(client.list())
    return listed._tag === "Some" && !listed.value.sessions.some((one) => one.id === id)
  }).pipe(Effect.delay(between), Effect.repeat({ until: (isOver) => isOver }))
}

const run = (options: Options, terminal: Terminal) =>
  Effect.gen(function* () {
    if (options["read-only"] && options.storage === undefined) {
      return yield* wrongUsage("--read-only needs a browser profile: name one with --storage")
    }
    const settings = yield* readSettings(terminal.env, options.profile)
    const layer = yield* openClient(settings, options.data)
    yield* Effect.gen(function* () {
      const client = yield* Browser
      const session = yield* scopedSession(requestOf(options), {
        closeTimeout: goodbye,
        onUnclosed: (message) =>
          Effect.sync(
            () => void terminal.err.write(`the session could not be closed, and will end by itself: ${message}\n`)
          )
      })
      show(session, options, terminal)
      yield* over(client, session)
      terminal.err.write("the session has ended\n")
    }).pipe(Effect.provide(layer))
  }).pipe(
    Effect.scoped,
    // The terminal has already printed ^C.
    Effect.onInterrupt(() => Effect.sync(() => terminal.err.write(`${terminal.err.interactive ? "\n" : ""}closed\n`)))
  )
