/**
 * Process of the command line: signals, standard streams, exit code.
 *
 * - The first signal stops the program cleanly: it commits, and leaves no half-written file. The second one exits at once, even while the
 *   main thread is stuck in synchronous code.
 * - An unhandled promise rejection stops the program; a server continues, because only one request failed.
 * - The process exits once everything written to stdout and stderr has been consumed.
 */
import { setFlagsFromString } from "node:v8"
import { on, safely } from "../Callback.ts"
import { main } from "../Cli.ts"
import { fileErrorReason } from "../Files/FileErrors.ts"
import { loading } from "../Peers.ts"
import { ExitCode } from "../TypedError/ExitCode.ts"
import { ofProcess, plain } from "./Terminal.ts"

// Rows and pages are short-lived. If some survive a collection, V8 allocates all later ones of their kind in the old generation, where they
// keep everything that they reference until the next full collection: a fifth of the CPU time of JSON Lines to CSV.
setFlagsFromString("--no-allocation-site-pretenuring")
// Three times V8's default budget before it optimizes code: a run of a few seconds spends a tenth of its CPU time on that. Only Node 20's
// V8 has this flag; later versions would print a warning about it.
if (process.versions.node.startsWith("20.")) setFlagsFromString("--interrupt-budget=400000")

// No other program runs in this process, so Sluice itself has loaded every module that imports `sluice`, even by a later `import()`: the
// count of modules that are being loaded stays above zero.
if (process.env.SLUICE_HAS_EFFECT !== undefined) loading(1)

const stop = new AbortController()

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const

/** Milliseconds that the main thread has to end the process after the second signal. */
const exitTimeout = 1000

/**
 * Counts signals in a separate thread: a listener in the main thread does not run while that thread is stuck. libuv delivers a signal to
 * every event loop that listens for it, but Node has no public way to listen in a worker, so the handle comes from Node's internal binding.
 */
const signalThread = `
process.noDeprecation = true
const { writeSync } = require("node:fs")
const { constants } = require("node:os")
const { parentPort, workerData } = require("node:worker_threads")
let signals = 0
const end = () => {
  try {
    writeSync(2, "\\nerror: the process was busy and did not answer two signals, so it was killed\\n")
  } catch {}
  process.kill(process.pid, "SIGKILL")
}
try {
  const { Signal } = process.binding("signal_wrap")
  for (const name of workerData.names) {
    const handle = new Signal()
    handle.onsignal = () => {
      if (++signals === 2) setTimeout(end, workerData.exitTimeout)
    }
    handle.start(constants.signals[name])
  }
  parentPort.on("message", () => {})
} catch {}
`

/**
 * Starts the thread, which costs about 10 MB and does not keep the process alive. If it cannot start, the main thread's listeners remain.
 */
const watchSignals = () =>
  import("node:worker_threads")
    .then(({ Worker }) => {
      const worker = new Worker(signalThread, {
        eval: true,
        workerData: { names: signals, exitTimeout },
        execArgv: [],
        env: {}
      })
      on(worker, "error", () => {})
      worker.unref()
    })
    .catch(() => {
      // If threads are forbidden, only the listeners of the main thread remain.
    })

let isStopping = false
for (const name of signals) {
  on(process, name, () => {
    if (isStopping) process.exit(ExitCode[name])
    isStopping = true
    stop.abort(name)
  })
}

/**
 * True for commands that need no signal thread: help and version print at once, and `check` of YAML and JSON runs no code. Other commands
 * may run code that does not end.
 */
const isBrief = ([verb, ...words]: ReadonlyArray<string>): boolean =>
  verb === undefined ||
  [verb, ...words].some((word) => ["--help", "-h", "--version"].includes(word)) ||
  (verb === "check" && words.every((word) => word === "--json" || /^[^-].*\.(?:ya?ml|json)$/.test(word)))
if (!isBrief(process.argv.slice(2))) void watchSignals()

/** Verbs that continue after a failed request. */
const servers = new Set(["serve", "ui"])

process.on(
  "unhandledRejection",
  safely((reason) => {
    const message = reason instanceof Error ? reason.message : String(reason)
    process.stderr.write(`error: a promise was rejected and not handled: ${plain(String(message.split("\n")[0]))}\n`)
    if (servers.has(process.argv[2] ?? "")) return
    process.exitCode = ExitCode.failed
    stop.abort("unhandledRejection")
  })
)

// A reader that stops early, like `head`, is not a failure. Data that cannot be written is one.
let isDataLost = false
on(process.stdout, "error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE" || process.stdout.isTTY) return stop.abort("EPIPE")
  if (isDataLost) return
  isDataLost = true
  process.stderr.write(`error: cannot write to standard output: ${plain(fileErrorReason(error))}\n`)
  stop.abort("stdout")
})

// If nothing reads stderr any more, for example after a log collector died, work continues without messages.
on(process.stderr, "error", () => {})

const exit = (code: number) => {
  const last = () => process.exit(isDataLost && code === ExitCode.ok ? ExitCode.failed : code)
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

/** Reports that a verb's file failed to load, because a part of the package is missing. */
const reportLoadError = (error: unknown) => {
  const message = error instanceof Error ? error.message.split("\n")[0] : String(error)
  process.stderr.write(
    `error: this verb cannot be loaded: ${plain(String(message))}. Install the package again: npm install sluice\n`
  )
  exit(ExitCode.failed)
}

main(process.argv.slice(2), ofProcess(process), stop.signal).then(exit, reportLoadError)
