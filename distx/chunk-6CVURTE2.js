import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);

// src/Callback.ts
var toStandardError = (cause) => {
  let said = cause instanceof Error ? cause.stack ?? cause.message : String(cause);
  process.stderr.write(`error: a callback failed: ${plain(said)}
`);
}, report = toStandardError, reportTo = (log) => (report = log, () => {
  report === log && (report = toStandardError);
}), tell = (cause) => {
  try {
    report(cause);
  } catch {
  }
}, safely = (callback, onThrow) => {
  let fail = (cause, args) => {
    tell(cause);
    try {
      onThrow?.(cause, args);
    } catch (second) {
      tell(second);
    }
  };
  return (...args) => {
    try {
      let result = callback(...args);
      result instanceof Promise && result.catch((cause) => fail(cause, args));
    } catch (cause) {
      fail(cause, args);
    }
  };
}, listen = (emitter, listeners, onThrow) => {
  let added = Object.entries(listeners).map(([name, listener]) => [name, safely(listener, onThrow)]);
  for (let [name, listener] of added) emitter.on(name, listener);
  return () => {
    for (let [name, listener] of added) emitter.off(name, listener);
  };
}, unsafe = /(?!\u200c|\u200d|\ufe0f|[\t\n\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2])[\p{Cc}\u2028\u2029\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, plain = (text) => text.replace(unsafe, "");

export {
  reportTo,
  safely,
  listen,
  plain
};
