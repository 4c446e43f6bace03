import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  cleaned
} from "./chunk-IDJZP65R.js";
import {
  make
} from "./chunk-TDODX2FN.js";
import {
  idsOf,
  plain,
  scrub,
  textOf
} from "./chunk-PGOM52WJ.js";
import {
  isSqlError,
  reasonOf
} from "./chunk-7DF5MID3.js";
import {
  currentContext
} from "./chunk-4U3SQ3WC.js";
import {
  ParentSpan,
  getOption,
  getOrDefault,
  isEmpty2 as isEmpty,
  isInterruptedOnly,
  logDebug,
  logWarning,
  pretty,
  squash,
  sync3 as sync,
  tap2 as tap,
  tapErrorCause,
  toEntries
} from "./chunk-JGKSI326.js";
import {
  getOrUndefined
} from "./chunk-ANBJACJV.js";

// src/Telemetry/Log.ts
var longest = 8192, line = ({ cause, fields, level, message, spanId, time, traceId }) => {
  let told = Object.entries(fields ?? {}).filter(([, value]) => value !== void 0);
  return `${JSON.stringify({
    time: time.toISOString(),
    level,
    message: scrub(message).slice(0, longest),
    trace_id: traceId,
    span_id: spanId,
    ...told.length === 0 ? {} : { annotations: Object.fromEntries(told.map(([key, value]) => [key, plain(value)])) },
    ...cause === void 0 ? {} : { cause: scrub(cause) }
  })}
`;
}, messageOf = (message) => (Array.isArray(message) ? message : [message]).map(textOf).join(" "), logger = (write) => make(({ annotations, cause, context, date, logLevel, message }) => {
  let services = getOrDefault(context, currentContext), ids = idsOf(getOrUndefined(getOption(services, ParentSpan)));
  write(
    line({
      time: date,
      level: logLevel.label.toLowerCase().replace(/^warn$/, "warning"),
      message: messageOf(message),
      ...ids,
      fields: Object.fromEntries(toEntries(annotations)),
      cause: isEmpty(cause) ? void 0 : pretty(cleaned(cause))
    })
  );
}), whyOf = (cause) => {
  let error = squash(cause);
  return isSqlError(error) ? reasonOf(error) : error instanceof Error ? error.message : String(error);
}, warnOnce = (cannot) => {
  let isTold = !1;
  return (work) => work.pipe(
    tapErrorCause((cause) => isTold || isInterruptedOnly(cause) ? logDebug(cause) : (isTold = !0, logWarning(`${cannot}; it is tried again: ${whyOf(cause)}`))),
    tap(
      () => sync(() => {
        isTold = !1;
      })
    )
  );
};

export {
  line,
  logger,
  warnOnce
};
