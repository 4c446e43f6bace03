import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  prices
} from "./chunk-JNKD5VFV.js";
import "./chunk-2ZILVW26.js";
import {
  ledgerExists,
  ledgerLayer
} from "./chunk-ZU3QWNBT.js";
import {
  allowCode,
  data,
  input,
  out,
  profile,
  trust
} from "./chunk-22T4FJR7.js";
import {
  integer,
  make,
  one,
  toggle
} from "./chunk-FCWYZXNV.js";
import {
  askBalance,
  hostedService,
  missingCapabilities
} from "./chunk-QH7QVI4J.js";
import "./chunk-DES4FB63.js";
import "./chunk-DRKWXAJI.js";
import "./chunk-OTBTFI5V.js";
import {
  bytes,
  count,
  duration,
  place
} from "./chunk-BMNGXVO7.js";
import {
  hostOf
} from "./chunk-OP2P3XN6.js";
import {
  scopeOf
} from "./chunk-GNLX27JJ.js";
import "./chunk-PGKV3QBV.js";
import "./chunk-GT42FSL6.js";
import {
  paint
} from "./chunk-CZDJQLZL.js";
import {
  readSettings
} from "./chunk-Y3UV4EDE.js";
import {
  resourcesOf,
  trialFolder
} from "./chunk-A5EW3TIO.js";
import {
  shown
} from "./chunk-2FKDIRWL.js";
import {
  fileOf,
  inspect,
  questionOf
} from "./chunk-MWBF4OAJ.js";
import "./chunk-6B7FEELY.js";
import {
  check,
  scopeBefore,
  stateKey
} from "./chunk-3BWTLUFE.js";
import {
  decode
} from "./chunk-LO3OT3SC.js";
import {
  settle
} from "./chunk-OWXHLDRW.js";
import {
  anyRows,
  asManyRows,
  below,
  documented,
  exactly,
  idle,
  isPerPage,
  limits,
  listedRows,
  local,
  nextInstants,
  none,
  oneRequest,
  open,
  operationOf,
  pagePerRow,
  perRun,
  placeholdersOf,
  read2 as read,
  requestPerRead,
  requestPerRow,
  sameRows,
  sum,
  times,
  unitOf,
  upTo
} from "./chunk-PGOM52WJ.js";
import "./chunk-XQTUQ7MU.js";
import "./chunk-OH7QELJ7.js";
import "./chunk-5MIN5RQK.js";
import "./chunk-NEXSCO5F.js";
import {
  Ledger
} from "./chunk-P7YG24CI.js";
import "./chunk-4LLCRAKX.js";
import "./chunk-F63MDLXW.js";
import "./chunk-3IJJA3UF.js";
import "./chunk-L2IO7ZT7.js";
import "./chunk-7DF5MID3.js";
import {
  FileSystem,
  Path,
  runFold
} from "./chunk-4U3SQ3WC.js";
import "./chunk-DUMKR6VQ.js";
import {
  build
} from "./chunk-PAQDWWDE.js";
import {
  catchAll3 as catchAll,
  currentTimeMillis,
  flatMap5 as flatMap,
  forEach2 as forEach,
  gen,
  isDuration,
  map9 as map,
  orElseSucceed,
  provide2 as provide,
  scoped2 as scoped,
  succeed4 as succeed,
  toMillis
} from "./chunk-JGKSI326.js";
import "./chunk-6CVURTE2.js";
import {
  isLeft
} from "./chunk-FWQRLSGQ.js";
import "./chunk-X7W2U4JF.js";
import "./chunk-ANBJACJV.js";
import "./chunk-E2DHRGUQ.js";

// src/Pipeline/Plan/Price.ts
var priceOf = ({ amount: amount2, rate }) => amount2.most === 0 ? none : rate === void 0 ? upTo(void 0) : times(amount2, exactly(rate.credits)), total = (purchases) => sum(purchases.map(priceOf)), pagePriceOf = (purchases) => {
  let rates = new Set(purchases.map(({ good, rate }) => isPerPage(good) ? rate?.credits : void 0));
  return rates.size === 1 ? [...rates][0] : void 0;
}, compare = ({ least, most }, room) => most !== void 0 && most <= room ? "never" : least > room ? "sure" : "maybe", pagesFor = (credits2, { pagePrice, pages, price }) => {
  if (pagePrice !== void 0 && pagePrice > 0) return Math.floor(credits2 / pagePrice);
  if (!(price.most === void 0 || price.most === 0 || pages.most === void 0))
    return Math.floor(pages.most * credits2 / price.most);
}, reachOf = (limit, allowed, used, spent) => {
  let room = Math.max(0, allowed - used);
  switch (limit) {
    case "credits": {
      let stops = compare(spent.price, room), about = stops === "never" ? void 0 : pagesFor(room, spent), pages = about === void 0 ? void 0 : { about, of: spent.pages.most };
      return { limit, allowed, used, stops, pages };
    }
    case "pages": {
      let stops = compare(spent.pages, room), pages = stops === "never" ? void 0 : { about: room, of: spent.pages.most };
      return { limit, allowed, used, stops, pages };
    }
    case "rows":
      return { limit, allowed, used, stops: compare(spent.rows, room) };
    default:
      return { limit, allowed, used, stops: "maybe" };
  }
}, reach = (budget, creditsToday, spent) => limits.flatMap((limit) => {
  let value = budget[limit];
  if (value === void 0) return [];
  let allowed = isDuration(value) ? toMillis(value) : value;
  return [reachOf(limit, allowed, limit === "credits" && budget.per === "day" ? creditsToday : 0, spent)];
});

// src/Pipeline/Plan.ts
var nothing = {
  lastRun: () => succeed(void 0),
  spentSince: () => succeed(0),
  state: () => succeed({ entries: 0 }),
  entries: () => succeed(/* @__PURE__ */ new Map()),
  held: () => succeed({ known: 0 }),
  pagePrice: () => succeed(void 0)
}, purchasesOf = (name, { id }, { buys }, { earlier, tariff }) => forEach(
  buys.filter(({ amount: amount2 }) => amount2.most !== 0),
  ({ amount: amount2, good }) => gen(function* () {
    let rate = tariff(good);
    if (rate !== void 0 || !isPerPage(good) || good === "crawlPreview") return { good, amount: amount2, rate };
    let credits2 = yield* earlier.pagePrice(name, id);
    return { good, amount: amount2, rate: credits2 === void 0 ? void 0 : { credits: credits2, basis: "earlier" } };
  })
), heldOf = ({ keys, left } = {}, earlier) => gen(function* () {
  if (left !== void 0) return { known: left.seen, of: left.of };
  let held = keys === void 0 ? void 0 : yield* earlier.held(keys);
  return held === void 0 ? void 0 : { ...held, of: new Set(keys).size };
}), usualEstimate = ({ behaviour }, callsService) => {
  switch (behaviour.kind) {
    case "source":
      return callsService ? requestPerRead : listedRows;
    case "item":
      return callsService ? pagePerRow : asManyRows;
    case "sink":
      return sameRows;
    case "value":
      return callsService ? oneRequest : () => ({ ...idle, rows: none });
    default:
      return callsService ? requestPerRow : anyRows;
  }
}, mergedOf = (inputs) => {
  if (inputs.length < 2) return inputs[0];
  let keys = inputs.every((each) => each.keys !== void 0) ? inputs.flatMap((each) => each.keys ?? []) : void 0;
  return { rows: sum(inputs.map(({ rows }) => rows)), keys };
}, planNode = (node, above, scope, { checked, key, now, options, size }) => gen(function* () {
  let { frame, inputs, source } = checked, { earlier, wanted } = options, decoded = yield* decode(node, scope), written = map(settle(scope, node.config, []), ({ value }) => value), config = isLeft(decoded) || decoded.right.config === open ? yield* written : decoded.right.config, runs = isLeft(decoded) || decoded.right.common.when !== !1, isSource = node.step.behaviour.kind === "source", rows = above?.rows ?? none, pinned2 = yield* questionOf(node, scope), standing = pinned2 === void 0 ? void 0 : yield* fileOf(checked, pinned2.pin).pipe(
    flatMap((file) => inspect(file, pinned2.question)),
    catchAll(({ message }) => succeed({ is: "broken", reason: message }))
  ), remembers = typeof key == "string" && wanted === void 0 && checked.remembering.includes(node.id), memory = isSource && remembers ? yield* earlier.entries(key, node.id) : void 0, listing = isSource ? yield* orElseSucceed(
    node.step.list?.(config, { folder: source.folder, wanted, memory }) ?? succeed(void 0),
    () => {
    }
  ) : void 0, fields = config === open ? void 0 : config, operation = runs ? operationOf(node.step, fields) : void 0, given = {
    config,
    cost: node.step.cost?.(fields, isSource ? wanted : void 0) ?? [],
    rows,
    keys: above?.keys,
    times: isSource && node.inputs.length > 0 ? rows : exactly(1),
    listing,
    wanted: isSource ? wanted : void 0,
    pinned: pinned2 !== void 0,
    crawlLimit: options.crawlLimit,
    remembered: size?.entries ?? 0
  }, estimate = runs ? (node.step.estimate ?? usualEstimate(node.step, operation !== void 0))(given) : { ...idle, rows: isSource ? none : rows }, purchases = yield* purchasesOf(frame.name, node, estimate, options), output = runs && node.step.behaviour.kind === "sink" ? yield* outputOf(node.id, node.step.behaviour.destination(config), {
    out: options.out,
    date: new Date(now).toISOString().slice(0, 10),
    isTrial: wanted !== void 0
  }) : void 0;
  return { step: {
    id: node.id,
    key: node.step.key,
    inputs: node.inputs,
    after: node.after,
    does: yield* shown({ ...scope, inputs }, node.config),
    runs,
    operation,
    nouns: node.step.nouns,
    note: node.step.note,
    givesRows: node.step.behaviour.kind !== "value",
    requests: estimate.requests,
    pages: estimate.pages,
    rows: estimate.rows,
    purchases,
    price: total(purchases),
    held: runs ? yield* heldOf(listing, earlier) : void 0,
    pin: pinned2 === void 0 || standing === void 0 ? void 0 : { file: pinned2.pin, is: standing.is }
  }, estimate, output, answer: standing?.is === "held" ? standing.lock.answer : void 0 };
}), plan = (checked, options) => gen(function* () {
  let { frame, nodes } = checked, { earlier, wanted } = options, now = yield* currentTimeMillis, today = Math.floor(now / 864e5) * 864e5, scope = scopeBefore(checked, options), key = yield* orElseSucceed(stateKey(checked, { ...options, run: scope.run }), () => {
  }), size = typeof key == "string" ? yield* earlier.state(key) : void 0, estimates = /* @__PURE__ */ new Map(), steps = [], outputs = [];
  for (let node of nodes) {
    let above = mergedOf(node.inputs.flatMap((id) => estimates.get(id) ?? [])), { answer, estimate, output, step } = yield* planNode(node, above, scope, {
      checked,
      key,
      now,
      options,
      size
    });
    estimates.set(node.id, estimate), steps.push(step), output !== void 0 && outputs.push(output), answer !== void 0 && (scope = { ...scope, steps: { ...scope.steps, [node.id]: { output: answer } } });
  }
  let purchases = steps.flatMap((step) => step.purchases), price = total(purchases), pages = sum(steps.map((step) => step.pages)), ends = nodes.filter(
    ({ id, step }) => step.behaviour.kind !== "value" && !nodes.some(({ inputs }) => inputs.includes(id))
  ), { budget, schedule } = frame, spent = {
    price,
    pagePrice: pagePriceOf(purchases),
    pages,
    rows: sum(ends.map(({ id }) => estimates.get(id)?.rows ?? none))
  }, usedToday = budget?.per === "day" ? yield* earlier.spentSince(frame.name, today) : 0;
  return {
    name: frame.name,
    steps,
    requests: sum(steps.map((step) => step.requests)),
    pages,
    price,
    unpriced: steps.filter((step) => step.purchases.some(({ rate }) => rate === void 0)).map(({ id }) => id),
    budget: budget === void 0 ? void 0 : { per: budget.per, limits: reach(budget, usedToday, spent) },
    state: key === void 0 ? void 0 : { ...size, key: key === open ? void 0 : key, active: wanted === void 0 },
    outputs,
    touches: yield* resourcesOf(checked, options),
    schedule: schedule === void 0 ? void 0 : { timezone: schedule.timezone, next: nextInstants(schedule, now, 3) },
    lastRun: yield* earlier.lastRun(frame.name)
  };
}), outputOf = (step, output, { date, isTrial, out: out2 }) => gen(function* () {
  if (output === void 0) return;
  let { format, mode, partitions, path: written } = output;
  if (written === "-") return { step, format, mode: "stream", path: "-", exists: !1 };
  let named2 = mode === "perRun" ? perRun(written) : written, template = isTrial ? below(named2) : named2, filled = partitions.includes("date") ? template : template.replaceAll("{date}", date), path = (yield* Path).resolve(out2, filled), exists = placeholdersOf(filled).length > 0 ? void 0 : yield* orElseSucceed((yield* FileSystem).exists(path), () => !1);
  return { step, format, mode, path, exists };
});

// src/Cli/Plan/EarlierRuns.ts
var maxKeys = 2e4, maxRuns = 10, makeEarlier = map(Ledger, (ledger) => {
  let { creditsSince, history, states } = ledger, priceIn = (run2, step) => map(history.run(run2), (detail) => {
    if (detail === void 0 || detail.run.unpriced > 0) return;
    let own = detail.steps.find((each) => each.step === step);
    if (own === void 0 || own.pages === 0) return;
    if (own.calls > 0) return own.credits / own.pages;
    let jobs = detail.steps.filter(({ calls, pages }) => calls === 0 && pages > 0);
    return (detail.run.credits - detail.steps.reduce((sum2, { credits: credits2 }) => sum2 + credits2, 0)) / jobs.reduce((sum2, { pages }) => sum2 + pages, 0);
  });
  return {
    spentSince: creditsSince,
    lastRun: (pipeline) => map(
      history.runs({ pipeline, limit: 1 }),
      ([run2]) => run2 === void 0 ? void 0 : {
        id: run2.id,
        status: run2.status,
        startedAt: run2.startedAt,
        endedAt: run2.endedAt,
        rows: run2.rows,
        rejects: run2.rejects,
        credits: run2.credits,
        unpriced: run2.unpriced
      }
    ),
    state: (key) => map(states.list, (shelves) => {
      let own = shelves.filter(({ stateKey: stateKey2 }) => stateKey2 === key), seen = own.flatMap(({ lastSeen }) => lastSeen === void 0 ? [] : [lastSeen]);
      return {
        entries: own.reduce((sum2, { entries }) => sum2 + entries, 0),
        advanced: seen.length === 0 ? void 0 : Math.max(...seen)
      };
    }),
    entries: (key, step) => runFold(
      states.entries(key, step),
      /* @__PURE__ */ new Map(),
      (all, entry) => all.set(entry.key, entry.value)
    ),
    held: (keys) => gen(function* () {
      let distinct = [...new Set(keys)];
      if (distinct.length > maxKeys) return;
      let met = (yield* forEach(distinct, history.sightings)).filter((each) => each !== void 0), newest = met.reduce((latest, { lastSeen }) => Math.max(latest, lastSeen), 0);
      return { known: met.length, newest: met.length === 0 ? void 0 : newest };
    }),
    pagePrice: (pipeline, step) => gen(function* () {
      for (let { id } of yield* history.runs({ pipeline, status: ["completed"], limit: maxRuns })) {
        let price = yield* priceIn(id, step);
        if (price !== void 0) return price;
      }
    })
  };
});

// src/Cli/Plan/Facts.ts
var ago = (instant2, now) => {
  let days = Math.floor((now - instant2) / 864e5);
  return days >= 2 ? `${days} days ago` : `${duration(Math.max(0, now - instant2))} ago`;
}, instant = (millis, timeZone) => new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "medium" }).format(millis).replace(/:00$/, ""), limitOf = ({ allowed, limit }) => limit === "duration" ? duration(allowed) : limit === "bytes" ? bytes(allowed) : count(allowed, limit.slice(0, -1)), reached = (reach2, per) => {
  let said = `${limitOf(reach2)} ${per === "day" && reach2.limit === "credits" ? "a day" : "a run"}`, used = reach2.used === 0 ? "" : `, ${number(reach2.used)} used today`;
  if (reach2.stops === "never") return `${said}${used}: enough for all of it`;
  let { about, of } = reach2.pages ?? {}, pages = about === void 0 ? "" : ` after ${reach2.limit === "pages" ? "" : "\u2248 "}${number(about)} of ${of === void 0 ? "unknown many" : number(of)} pages`;
  return reach2.stops === "sure" || pages !== "" ? `${said}${used}: stops${pages}` : `${said}${used}: stops when they are used up`;
}, totalOf = (plan2) => {
  let { price, requests, pages, unpriced } = plan2, parts = [counted(requests, "request"), ...pages.most === 0 ? [] : [counted(pages, "page")]], purchases = plan2.steps.flatMap((step) => step.purchases);
  if (purchases.length === 0) return `${parts.join(", ")}, no credits`;
  let least = price.least === 0 ? "" : `at least ${count(price.least, "credit")}, and `;
  return unpriced.length > 0 ? `${parts.join(", ")}; ${least}the price of ${unpriced.join(", ")} is unknown` : price.most === void 0 ? `${parts.join(", ")}; ${least}nobody can say how many pages will be paid for` : `${parts.join(", ")}, ${credits(price, purchases)} credits`;
}, pinned = {
  held: "fits",
  missing: "is missing",
  stale: "was made for another question",
  broken: "cannot be used"
}, touched = ({ env, hosts, reads, secrets }) => {
  let line = (name, values) => values.length === 0 ? [] : [[name, values.join(", ")]];
  return [
    ...line("env", env),
    ...line("secrets", secrets),
    ...line(
      "hosts",
      hosts.map((host) => host === "*" ? "those that rows and searches name" : host)
    ),
    ...line("reads", reads.map(place))
  ];
}, facts = (plan2, { account, file, now, service, unmet }) => {
  let { budget, lastRun, outputs, schedule, state, steps, touches } = plan2, held = steps.flatMap(({ held: held2, id }) => {
    if (held2 === void 0 || held2.of === 0) return [];
    let newest = held2.newest === void 0 ? "" : `, the newest ${ago(held2.newest, now)}`;
    return [
      ["held", `${id}: ${number(held2.known)} of ${number(held2.of)} known${newest}, ${number(held2.of - held2.known)} new`]
    ];
  }), entries = state?.entries === void 0 ? "" : `, ${count(state.entries, "entry", "entries")}`, advanced = state?.advanced === void 0 ? "" : `, brought up to date ${ago(state.advanced, now)}`, prices2 = new Set(steps.flatMap(({ purchases }) => purchases.map(({ rate }) => rate?.basis))), undocumented = steps.filter(({ operation }) => operation?.documented === !1 && service !== "local");
  return [
    ...unmet.map(({ message, optional }) => [optional ? "less" : "cannot", message]),
    ["total", totalOf(plan2)],
    ...[...new Set(steps.flatMap(({ note }) => note ?? []))].map((note) => ["", note]),
    ...prices2.has("local") ? [["", "credits are counted by the local engine, and nobody is charged"]] : [],
    ...prices2.has("earlier") ? [["", "\u2248 is what earlier runs have paid"]] : [],
    ...undocumented.length === 0 ? [] : [
      [
        "*",
        `not described by the service's documentation: ${[...new Set(undocumented.map(({ operation }) => operation?.request))].join(", ")}`
      ]
    ],
    ...steps.flatMap(
      ({ id, pin }) => pin === void 0 ? [] : [
        [
          "pin",
          `${id}: ${pin.file} ${pinned[pin.is]}${pin.is === "held" ? "" : `: \`sluice pin ${file}\``}`
        ]
      ]
    ),
    ...(budget?.limits ?? []).map((reach2) => ["budget", reached(reach2, budget?.per ?? "run")]),
    ...account === void 0 ? [] : [["account", account]],
    ...held,
    ...state === void 0 ? [] : [
      [
        "state",
        `${state.key ?? "its key hangs on the run"}${entries}${advanced}${state.active ? "" : "; neither read nor advanced with --limit"}`
      ]
    ],
    ...outputs.map(({ exists, mode, path }) => {
      let there = exists === void 0 ? "" : exists ? ", exists" : ", new";
      return ["output", `${place(path)} (${mode}${there})`];
    }),
    ...touched(touches),
    ...schedule === void 0 ? [] : [
      [
        "schedule",
        `${schedule.next.map((each) => instant(each, schedule.timezone)).join(", ")} (${schedule.timezone}), while sluice schedule runs`
      ]
    ],
    [
      "last run",
      lastRun === void 0 ? "none" : `${lastRun.id}, ${lastRun.status} ${ago(lastRun.endedAt ?? lastRun.startedAt, now)}: ${count(lastRun.rows, "row")}, ${lastRun.unpriced > 0 && lastRun.credits === 0 ? "credits unknown" : count(lastRun.credits, "credit")}`
    ]
  ];
}, number = (value) => Number(value.toFixed(2)).toLocaleString("en-US"), amount = ({ least, most }) => most === void 0 ? least === 0 ? "?" : `\u2265 ${number(least)}` : least === most ? number(most) : least === 0 ? `\u2264 ${number(most)}` : `${number(least)}\u2013${number(most)}`, counted = (value, noun) => `${amount(value)} ${noun}${(value.most ?? value.least) === 1 ? "" : "s"}`, credits = (price, purchases) => {
  if (purchases.length === 0) return "";
  if (purchases.some(({ rate }) => rate === void 0)) return price.least > 0 ? `\u2265 ${number(price.least)}` : "unknown";
  let about = purchases.some(({ rate }) => rate?.basis === "earlier") ? "\u2248 " : "", [only] = purchases;
  return price.most === void 0 && purchases.length === 1 && only?.rate !== void 0 ? `${about}${number(only.rate.credits)} a ${unitOf[only.good]}` : `${about}${amount(price)}`;
};

// src/Cli/Plan/Table.ts
var asked = ({ nouns, operation, pages, requests }) => {
  let { page = "page", request = "request" } = nouns ?? {};
  return operation === void 0 || requests.most === 0 ? "" : pages.most === 0 ? counted(requests, request) : requests.least === pages.least && requests.most === pages.most ? counted(pages, page) : `${counted(requests, request)}, ${counted(pages, page)}`;
}, cut = (text2, width) => text2.length <= width ? text2 : `${text2.slice(0, width - 1)}\u2026`, unseen = 120, table = ({ steps }, service, channel, dye) => {
  let head = ["step", "what", "where", "asks for", "rows", "credits"], lines = tree(steps).map(({ stem, step }) => {
    let where = step.operation === void 0 ? "here" : `${service}${step.operation.documented || service === "local" ? "" : " *"}`, own = `${step.inputs.length > 1 ? `from ${step.inputs.join(" + ")}  ` : ""}${step.id === step.key ? "" : `${step.key} `}`, what = step.runs ? `${own}${step.does}` : `${own}(left out by \`when\`)`;
    return [
      `${stem}${step.id}`,
      what,
      step.pin === void 0 ? where : "pinned",
      asked(step),
      step.givesRows ? amount(step.rows) : "",
      credits(step.price, step.purchases)
    ];
  }), widths = head.map((_, column) => Math.max(...[head, ...lines].map((line) => (line[column] ?? "").length))), others = widths.reduce((sum2, width, column) => sum2 + (column === 1 ? 0 : width + 2), 2), room = Math.max(24, (channel.interactive ? channel.columns() : unseen) - others);
  widths[1] = Math.min(widths[1] ?? room, room);
  let row = (line) => line.map(
    (cell, column) => column === 4 ? cell.padStart(widths[column] ?? 0) : cut(cell, widths[column] ?? 0).padEnd(widths[column] ?? 0)
  ).join("  ").trimEnd();
  return [dye.dim(`  ${row(head)}`), ...lines.map((line) => `  ${row(line)}`)];
}, tree = (steps) => {
  let ids = steps.map(({ id }) => id), above = ({ inputs }) => ids.findLast((id) => inputs.includes(id)), readers = (id) => steps.filter((step) => above(step) === id), leaves = [], grow = (step, first, rest) => {
    leaves.push({ step, stem: first });
    let below2 = readers(step.id);
    for (let [index, reader] of below2.entries()) {
      let isLast = index === below2.length - 1;
      below2.length === 1 ? grow(reader, rest, rest) : grow(reader, `${rest}${isLast ? "\u2514 " : "\u251C "}`, `${rest}${isLast ? "  " : "\u2502 "}`);
    }
  };
  for (let step of steps) step.inputs.length === 0 && grow(step, "", "");
  return leaves;
}, text = (plan2, surroundings, channel) => {
  let dye = paint(channel), all = facts(plan2, surroundings), width = Math.max(...all.map(([name]) => name.length));
  return [
    `${dye.bold(plan2.name)}  ${dye.dim(surroundings.file)}`,
    "",
    ...table(plan2, surroundings.service, channel, dye),
    "",
    ...all.map(([name, said], index) => {
      let isRepeated = index > 0 && all[index - 1]?.[0] === name;
      return `  ${dye.dim((isRepeated ? "" : name).padEnd(width))}  ${said}`;
    }),
    ""
  ].join(`
`);
};

// src/Cli/Plan.ts
var parameters = {
  file: one("FILE", "A definition: YAML, JSON or TypeScript."),
  input,
  limit: integer("N", "As if at most N rows were taken from each source.", { minimum: 1 }),
  out,
  data: data("the ledger of earlier runs"),
  profile,
  probe: toggle("Asks the service what is left of its credits, which costs nothing."),
  json: toggle("Prints the plan as one JSON object."),
  "allow-code": allowCode,
  ...trust
}, command = make({
  details: "What nobody can know before is shown as unknown, and as bounds where there are some. Numbers hold if nothing fails and nothing is tried again. Values of the environment are shown by their names.",
  parameters,
  examples: [
    { line: "sluice plan pipelines/crawl-site.yaml", what: "before the first run" },
    { line: "sluice plan pipelines/search-to-csv.yaml --limit 5 --json", what: "for a script" },
    { line: "sluice plan pipelines/crawl-site.yaml --profile hosted --probe", what: "with what is left at the service" }
  ],
  run: (options, terminal) => run(options, terminal)
}), localCrawlLimit = 1e4, askAccount = (service) => service === void 0 ? succeed("the local engine has no limit") : catchAll(askBalance(service), ({ message }) => succeed(`not known: ${message}`)), earlierIn = (settings, dataDir) => gen(function* () {
  return (yield* ledgerExists(settings, dataDir)) ? yield* provide(makeEarlier, yield* build(ledgerLayer(settings, dataDir))) : nothing;
}), named = (service) => ({ givesRows: _, inputs, note: __, nouns: ___, ...step }) => ({
  ...step,
  input: inputs.length > 1 ? inputs : inputs[0],
  engine: step.operation === void 0 ? "here" : service
}), run = (options, terminal) => gen(function* () {
  let paths = yield* Path, settings = yield* readSettings(terminal.env, options.profile), hosted = yield* hostedService(settings), source = yield* read(options.file), scope = scopeOf(terminal.env), checked = yield* check(source, { ...scope, inputs: options.input, complete: !0 }), { notes, refusal } = yield* missingCapabilities(checked, settings, terminal.env), dataDir = paths.resolve(options.data ?? settings.dataDir), earlier = yield* earlierIn(settings, dataDir), planned = yield* plan(checked, {
    ...scope,
    wanted: options.limit,
    out: options.out === void 0 && options.limit !== void 0 ? trialFolder(dataDir, checked.frame.name, "{runId}") : paths.resolve(options.out ?? "."),
    tariff: hosted === void 0 ? local(prices) : documented,
    crawlLimit: hosted === void 0 ? localCrawlLimit : void 0,
    earlier
  }), account = options.probe ? yield* askAccount(hosted) : void 0, service = hosted === void 0 ? "local" : hostOf(hosted.baseUrl), unmet = [...refusal?.unmet ?? [], ...notes], now = yield* currentTimeMillis;
  if (terminal.out.write(
    options.json ? `${JSON.stringify({ file: options.file, service, ...planned, steps: planned.steps.map(named(service)), account, unmet }, spell)}
` : text(planned, { file: options.file, service, now, account, unmet }, terminal.out)
  ), refusal !== void 0) return yield* refusal;
}).pipe(scoped), instants = /* @__PURE__ */ new Set(["next", "newest", "advanced", "startedAt", "endedAt"]), iso = (value) => typeof value == "number" ? new Date(value).toISOString() : Array.isArray(value) ? value.map(iso) : value, spell = (key, value) => key === "most" && value === void 0 ? null : instants.has(key) ? iso(value) : value;
export {
  command
};
