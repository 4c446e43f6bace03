/** Loaded before a part that is measured (`node --expose-gc --import`): what is seen of its memory is held, and no garbage. */
import { isMainThread } from "node:worker_threads"

if (isMainThread) setInterval(() => globalThis.gc(), 4000).unref()
