import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  plain,
  safely
} from "./chunk-6CVURTE2.js";

// src/Cli/Terminal.ts
var wipe = "\r\x1B[2K", mark = Math.random().toString(36).slice(2) + Math.random().toString(36).slice(2), marked = new RegExp(`\x1B${mark}(\\d+)m`), shown = (text) => text.split(marked).map((part, index) => index % 2 === 0 ? plain(part) : `\x1B[${part}m`).join(""), channel = (stream, env) => {
  let isTerminal = stream.isTTY === !0, interactive = isTerminal && env.TERM !== "dumb", isStatus = !1, replace = (given, status) => {
    let text = isTerminal ? shown(given) : given;
    (text !== "" || isStatus) && stream.write(isStatus ? wipe + text : text), isStatus = status && text !== "";
  };
  return {
    write: (text) => replace(text, !1),
    status: (text) => interactive ? replace(text, !0) : void 0,
    interactive,
    colour: interactive && (env.NO_COLOR ?? "") === "",
    mark,
    // Some terminals report 0.
    columns: () => stream.columns || 80
  };
}, pipeTo = (stream) => {
  let decoder = new TextDecoder();
  return (bytes, done) => stream.write(stream.isTTY === !0 ? shown(decoder.decode(bytes, { stream: !0 })) : bytes, safely(done));
}, ofProcess = ({ env, stderr, stdout }) => ({
  out: { ...channel(stdout, env), pipe: pipeTo(stdout) },
  err: channel(stderr, env),
  env,
  tell: (message) => {
    process.connected && process.send?.(
      message,
      void 0,
      void 0,
      safely(() => {
      })
    );
  }
}), codes = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39], cyan: [36, 39] }, dye = (colour, mark2 = "[") => Object.fromEntries(
  Object.entries(codes).map(([name, [on, off]]) => [
    name,
    colour ? (text) => `\x1B${mark2}${on}m${text}\x1B${mark2}${off}m` : (text) => text
  ])
), paint = ({ colour, mark: mark2 }) => dye(colour, mark2), warn = (err, text) => err.write(`${paint(err).yellow("warning:")} ${plain(text)}
`), emphasise = (line, dye2) => line.replace(/^(.+?) {2}/, (_, place) => `${dye2.bold(place)}  `);

export {
  ofProcess,
  paint,
  warn,
  emphasise
};
