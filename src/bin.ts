#!/usr/bin/env node

/** The executable: runs Cli, stops it on a signal, and leaves with its exit code. */

import { safely } from "./Callback.ts"
import { watchSignals } from "./Cli/SecondSignal.ts"
import { ofProcess, plain } from "./Cli/Terminal.ts"
import { main } from "./Cli.ts"
import { fileErrorReason } from "./Files/FileErrors.ts"
import { ExitCode } from "./TypedError/ExitCode.ts"

const stop = new AbortController()

/** The first signal stops in order, so that nothing half-written stays; the second one at once. */
let isTold = false
const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const
for (const name of signals) {
  process.on(
    name,
    safely(() => {
      if (isTold) process.exit(ExitCode[name])
      isTold = true
      stop.abort(name)
    })
  )
}

/** Texts are written at once; whatever works may come to code that does not end. */
const isBrief = process.argv.length < 3 || process.argv.some((word) => ["--help", "-h", "--version"].includes(word))
if (!isBrief) watchSignals(signals)

/** Verbs that serve many: what fails behind the back of one request ends nothing for the others. */
const servers = new Set(["serve", "ui"])

/** A rejected promise that nobody handles, such as one of a project's own code: a run stops in order, and can be resumed. */
process.on(
  "unhandledRejection",
  safely((reason) => {
    const said = reason instanceof Error ? reason.message : String(reason)
    process.stderr.write(`error: a promise was rejected that nobody waits for: ${plain(String(said.split("\n")[0]))}\n`)
    if (servers.has(process.argv[2] ?? "")) return
    // Where nothing is left to wait for, the process ends here.
    process.exitCode = ExitCode.failed
    stop.abort("unhandledRejection")
  })
)

/** A reader that has had enough, like `head`, is no failure: there is nothing more to do. Data that is lost is one. */
let isLost = false
process.stdout.on(
  "error",
  safely((error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE" || process.stdout.isTTY) return stop.abort("EPIPE")
    if (isLost) return
    isLost = true
    process.stderr.write(`error: standard output cannot be written: ${plain(fileErrorReason(error))}\n`)
    stop.abort("stdout")
  })
)

/** Nobody listens to talk any more, as when a log's program has died: the work goes on without. */
process.stderr.on(
  "error",
  safely(() => {})
)

/** Pipes take what was written before the process goes, and what could not be written is told. */
const leave = (code: number) => {
  const last = () => process.exit(isLost && code === ExitCode.ok ? ExitCode.failed : code)
  process.stdout.write(
    "",
    safely(() =>
      process.stderr.write(
        "",
        safely(() => setImmediate(safely(last)))
      )
    )
  )
}

/** A verb is loaded when it is asked for, and cannot be where a part of the package is gone. */
const unloaded = (error: unknown) => {
  const said = error instanceof Error ? error.message.split("\n")[0] : String(error)
  process.stderr.write(
    `error: this verb cannot be loaded: ${plain(String(said))}. Install the package again: npm install sluice\n`
  )
  leave(ExitCode.failed)
}

main(process.argv.slice(2), ofProcess(process), stop.signal).then(leave, unloaded)
