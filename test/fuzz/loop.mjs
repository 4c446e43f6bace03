/**
 * Measures how long the event loop of an engine is held up, and by whom. Answers the message "measure" of the parent process with what it
 * measured since the message "begin".
 *
 * A timer of 5 ms fires late for two reasons: the main thread is at work, or it could run and other processes have the processors. Linux
 * counts the second for each thread: the second number of /proc/self/task/TID/schedstat is the nanoseconds on a run queue. So
 *
 * - delay: how late the timer was, as `monitorEventLoopDelay` measures it;
 * - own: the same without the time on a run queue. What is left is the engine's own synchronous work, with its garbage collector and its
 *   blocking reads and writes, on a loaded machine as on an idle one. It is an upper bound of the longest stretch: callbacks of one turn of
 *   the loop count together.
 */
import { existsSync, openSync, readSync } from "node:fs"
import { createHistogram } from "node:perf_hooks"

const interval = 5
const path = `/proc/self/task/${process.pid}/schedstat`
const state = existsSync(path) ? openSync(path, "r") : undefined
const buffer = Buffer.alloc(64)

/** Milliseconds that the main thread has waited for a processor, since it began; none where the system does not count them. */
const waited = () => {
  if (state === undefined) return 0
  const text = buffer.toString("latin1", 0, readSync(state, buffer, 0, buffer.length, 0))
  return Number(text.split(" ", 2)[1]) / 1e6
}

const histograms = { delay: createHistogram(), own: createHistogram() }
let before = waited()
let begun = performance.now()

/** In microseconds; a histogram ignores values below one. */
const record = (histogram, millis) => histogram.record(Math.max(1, Math.round(millis * 1000)))

const look = () => {
  const now = performance.now()
  const after = waited()
  const delay = now - begun - interval
  record(histograms.delay, delay)
  record(histograms.own, delay - (after - before))
  before = after
  begun = now
  setTimeout(look, interval).unref()
}
setTimeout(look, interval).unref()

const summary = (histogram) => {
  const [p50, p99, p999] = [50, 99, 99.9].map((part) => histogram.percentile(part) / 1000)
  return { p50, p99, p999, worst: histogram.max / 1000 }
}

process.on("message", (message) => {
  if (message === "begin") for (const histogram of Object.values(histograms)) histogram.reset()
  if (message === "measure") process.send?.({ ...summary(histograms.delay), own: summary(histograms.own) })
})
process.channel?.unref()
