import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);

// src/Engine/Store/Blob.ts
var view = (body) => body instanceof ArrayBuffer ? Buffer.from(body) : Buffer.from(body.buffer, body.byteOffset, body.byteLength);

// src/Engine/Jobs/Slice.ts
var selectBodies = "SELECT body FROM job_results WHERE job_id = ? AND position >= ? AND position < ? ORDER BY position", url = Buffer.from(',"url":"'), ending = /^","concurrencyLimited":(?:true|false)(?:,"concurrencyQueueDurationMs":\d+)?\}\}$/, longestEnding = 128, closing = Buffer.from("}}"), [quote, backslash] = [34, 92], show = (body, version) => {
  if (version === 2) return body;
  let bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength), at = bytes.lastIndexOf(url);
  if (at < 0) return body;
  let end = at + url.length;
  for (; end < bytes.length && bytes[end] !== quote; ) end += bytes[end] === backslash ? 2 : 1;
  let rest = bytes.length - end > longestEnding ? "" : bytes.toString("latin1", end);
  return ending.test(rest) ? Buffer.concat([bytes.subarray(0, at), closing]) : body;
}, comma = 44, join = (stored, { end, first, from, version }) => {
  if (stored.length !== end - from) return new Uint8Array();
  let bodies = stored.map((body) => show(body, version)), commas = Math.max(0, bodies.length - (first ? 1 : 0)), slice = new Uint8Array(bodies.reduce((sum, { byteLength }) => sum + byteLength, commas)), at = 0;
  for (let [index, body] of bodies.entries())
    (index > 0 || !first) && (slice[at++] = comma), slice.set(body, at), at += body.byteLength;
  return slice;
};

export {
  view,
  selectBodies,
  show,
  join
};
