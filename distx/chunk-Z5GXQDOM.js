import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  data,
  profile
} from "./chunk-22T4FJR7.js";
import {
  integer,
  make,
  text,
  toggle
} from "./chunk-FCWYZXNV.js";
import {
  openClient
} from "./chunk-QH7QVI4J.js";
import "./chunk-DES4FB63.js";
import "./chunk-DRKWXAJI.js";
import "./chunk-OTBTFI5V.js";
import {
  WrongUsage
} from "./chunk-BMNGXVO7.js";
import "./chunk-OP2P3XN6.js";
import "./chunk-GNLX27JJ.js";
import "./chunk-PGKV3QBV.js";
import "./chunk-GT42FSL6.js";
import {
  paint
} from "./chunk-CZDJQLZL.js";
import {
  readSettings
} from "./chunk-Y3UV4EDE.js";
import "./chunk-3BWTLUFE.js";
import "./chunk-LO3OT3SC.js";
import "./chunk-OWXHLDRW.js";
import {
  Browser,
  scopedSession
} from "./chunk-PGOM52WJ.js";
import "./chunk-XQTUQ7MU.js";
import "./chunk-OH7QELJ7.js";
import "./chunk-5MIN5RQK.js";
import "./chunk-NEXSCO5F.js";
import "./chunk-4U3SQ3WC.js";
import "./chunk-DUMKR6VQ.js";
import "./chunk-PAQDWWDE.js";
import {
  currentTimeMillis,
  delay2 as delay,
  gen,
  onInterrupt2 as onInterrupt,
  option,
  provide2 as provide,
  repeat,
  scoped2 as scoped,
  seconds,
  sync3 as sync
} from "./chunk-JGKSI326.js";
import "./chunk-6CVURTE2.js";
import "./chunk-FWQRLSGQ.js";
import "./chunk-X7W2U4JF.js";
import "./chunk-ANBJACJV.js";
import "./chunk-E2DHRGUQ.js";

// src/Cli/Browser.ts
var parameters = {
  ttl: integer("SECONDS", "Its longest life, 30 to 3600; default: 600.", { minimum: 30, maximum: 3600 }),
  idle: integer("SECONDS", "Ends it when nobody has used it for so long, 10 to 3600; default: 300.", {
    minimum: 10,
    maximum: 3600
  }),
  storage: text("NAME", "A browser profile: its cookies and storage come back, and are saved at the end."),
  "read-only": toggle("With --storage: saves nothing, so that several may use the profile at once."),
  data: data("the local engine's store"),
  profile,
  json: toggle("Prints the session as a line of JSON.")
}, command = make({
  details: "The links are keys: whoever has one may watch, steer or drive the session. playwright-core and puppeteer-core connect to the CDP URL. Without SLUICE_BASE_URL the local engine opens it, with the Chromium of this machine.",
  parameters,
  examples: [
    { line: "sluice browser", what: "ten minutes of a browser to look at and to steer" },
    { line: "sluice browser --storage shop", what: "sign in by hand; pipelines with this profile stay signed in" },
    { line: "sluice browser --ttl 3600 --json", what: "for a program" }
  ],
  run: (options, terminal) => run(options, terminal)
}), between = seconds(2), goodbye = seconds(30), requestOf = ({ idle, storage, ttl, ...options }) => ({
  ...ttl === void 0 ? {} : { ttl },
  ...idle === void 0 ? {} : { activityTtl: idle },
  ...storage === void 0 ? {} : { profile: { name: storage, saveChanges: !options["read-only"] } }
}), show = ({ success: _, ...session }, { json }, { out }) => {
  if (json) {
    out.write(`${JSON.stringify(session)}
`);
    return;
  }
  let dye = paint(out), links = [
    ["watch", session.liveViewUrl],
    ["steer", session.interactiveLiveViewUrl],
    ["CDP", session.cdpUrl]
  ], lines = [
    `${dye.bold("browser session")} ${session.id}`,
    "",
    ...links.flatMap(([name, url]) => url == null ? [] : [`  ${name.padEnd(6)} ${dye.cyan(url)}`]),
    ...session.expiresAt == null ? [] : [`  until  ${session.expiresAt}`],
    "",
    dye.dim("Whoever has a link may use it. Ctrl-C closes the session."),
    ""
  ];
  out.write(lines.join(`
`));
}, over = (client, { expiresAt, id }) => {
  let until = expiresAt == null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt);
  return gen(function* () {
    if ((yield* currentTimeMillis) >= until) return !0;
    let listed = yield* option(client.list());
    return listed._tag === "Some" && !listed.value.sessions.some((one) => one.id === id);
  }).pipe(delay(between), repeat({ until: (isOver) => isOver }));
}, run = (options, terminal) => gen(function* () {
  if (options["read-only"] && options.storage === void 0)
    return yield* new WrongUsage({ reason: "--read-only says what to do with a profile: name one with --storage" });
  let settings = yield* readSettings(terminal.env, options.profile), layer = yield* openClient(settings, options.data);
  yield* gen(function* () {
    let client = yield* Browser, session = yield* scopedSession(requestOf(options), {
      closeTimeout: goodbye,
      onUnclosed: (message) => sync(() => {
        terminal.err.write(`the session was not closed, and ends by itself: ${message}
`);
      })
    });
    show(session, options, terminal), yield* over(client, session), terminal.err.write(`the session has ended
`);
  }).pipe(provide(layer));
}).pipe(
  scoped,
  // The terminal has written ^C.
  onInterrupt(() => sync(() => terminal.err.write(`${terminal.err.interactive ? `
` : ""}closed
`)))
);
export {
  command
};
