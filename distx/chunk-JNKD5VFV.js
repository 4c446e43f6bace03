import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  credits
} from "./chunk-2ZILVW26.js";
import {
  PaymentRequired,
  RateLimited
} from "./chunk-PGOM52WJ.js";
import {
  SqlClient,
  TransactionConnection
} from "./chunk-3IJJA3UF.js";
import {
  get,
  unsafeMake2 as unsafeMake
} from "./chunk-4U3SQ3WC.js";
import {
  scoped
} from "./chunk-PAQDWWDE.js";
import {
  Tag,
  acquireUseRelease2 as acquireUseRelease,
  currentTimeMillis,
  delay2 as delay,
  fn,
  fnUntraced2 as fnUntraced,
  forever3 as forever,
  forkScoped,
  gen,
  ignoreLogged,
  interruptible2 as interruptible,
  isSuccess,
  locally,
  map9 as map,
  onExit,
  serviceOption,
  sleep2 as sleep,
  suspend2 as suspend,
  sync3 as sync
} from "./chunk-JGKSI326.js";
import {
  left,
  right
} from "./chunk-FWQRLSGQ.js";
import {
  isSome
} from "./chunk-ANBJACJV.js";
import {
  __export
} from "./chunk-E2DHRGUQ.js";

// src/Engine/Usage/Usage.ts
var Usage_exports = {};
__export(Usage_exports, {
  Usage: () => Usage,
  booking: () => booking,
  formatsPrice: () => formatsPrice,
  layer: () => layer,
  layerWith: () => layerWith,
  priced: () => priced,
  prices: () => prices,
  whenSettled: () => whenSettled
});

// src/Engine/Usage/Quota.ts
var unlimited = { every: void 0, teams: /* @__PURE__ */ new Map() }, creditsOf = (text) => {
  let value = text.trim() === "" ? Number.NaN : Number(text);
  return Number.isSafeInteger(value) && value >= 0 ? value : void 0;
}, shape = "Expected credits a month, like 1000, or for each team, like default=1000,other=500", parse = (text) => {
  let every = creditsOf(text);
  if (every !== void 0) return right({ every, teams: /* @__PURE__ */ new Map() });
  let teams = /* @__PURE__ */ new Map();
  for (let part of text.split(",").map((part2) => part2.trim())) {
    let at = part.lastIndexOf("="), credits2 = creditsOf(part.slice(at + 1)), team = part.slice(0, Math.max(0, at)).trim();
    if (team === "" || credits2 === void 0) return left(shape);
    if (teams.has(team)) return left(`The team ${team} has two quotas`);
    teams.set(team, credits2);
  }
  return right({ every: void 0, teams });
}, monthOf = (millis) => new Date(millis).toISOString().slice(0, 7), count = (credits2) => `${credits2.toLocaleString("en-US")} credit${credits2 === 1 ? "" : "s"}`, Quota = class {
  #used = /* @__PURE__ */ new Map();
  #held = /* @__PURE__ */ new Map();
  /** By job: its team, and what it holds for pages that are being fetched. */
  #jobs = /* @__PURE__ */ new Map();
  quotas;
  constructor(quotas) {
    this.quotas = quotas;
  }
  /** Credits a month; undefined for a team without a quota. */
  of(team) {
    return this.quotas.teams.get(team) ?? this.quotas.every;
  }
  used(team, now) {
    return this.#used.get(`${monthOf(now)} ${team}`) ?? 0;
  }
  add(team, now, credits2) {
    this.#used.set(`${monthOf(now)} ${team}`, this.used(team, now) + credits2);
  }
  /** Takes over what the ledger says: other engines may have written it. */
  look(sums) {
    for (let { credits: credits2, month, team } of sums) {
      let key = `${month} ${team}`;
      this.#used.set(key, Math.max(this.#used.get(key) ?? 0, Number(credits2)));
    }
  }
  /** Credits that are neither used nor held. */
  left(team, now) {
    let quota = this.of(team);
    return quota === void 0 ? Number.POSITIVE_INFINITY : Math.max(0, quota - this.used(team, now) - (this.#held.get(team) ?? 0));
  }
  /** Whether it could be spent if nothing were held: what is held may be given back. */
  fits(team, now, credits2) {
    return credits2 <= (this.of(team) ?? Number.POSITIVE_INFINITY) - this.used(team, now);
  }
  refusal(team, now, needed) {
    let [year = 0, month = 0] = monthOf(now).split("-").map(Number), renewed = new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10), error = `Insufficient credits: ${count(needed)} needed, ${count(this.left(team, now))} left of ${count(this.of(team) ?? 0)} a month. The quota is renewed on ${renewed} (UTC).`;
    return new PaymentRequired({ error, code: "INSUFFICIENT_CREDITS" });
  }
  /** Holds credits for a call; false when there are too few. */
  hold(team, now, credits2) {
    return credits2 > this.left(team, now) ? !1 : (this.#held.set(team, (this.#held.get(team) ?? 0) + credits2), !0);
  }
  giveBack(team, credits2) {
    this.#held.set(team, Math.max(0, (this.#held.get(team) ?? 0) - credits2));
  }
  /** Holds credits for as many of the pages as the team can pay for; returns that number. */
  holdPages(job, now, price, pages) {
    let granted = price === 0 ? pages : Math.min(pages, Math.floor(this.left(job.team, now) / price));
    return granted === 0 || this.of(job.team) === void 0 || this.#holdFor(job, granted * price), granted;
  }
  #holdFor({ id, team }, credits2) {
    let known = this.#jobs.get(id) ?? { team, held: 0 };
    known.held += credits2, this.#jobs.set(id, known), this.#held.set(team, (this.#held.get(team) ?? 0) + credits2);
  }
  /** Gives back what a job holds: so much of it, or all. Returns what holds it again. */
  releasePages(job, credits2 = Number.POSITIVE_INFINITY) {
    let known = this.#jobs.get(job);
    if (known === void 0) return () => {
    };
    let released = Math.min(known.held, credits2);
    return known.held -= released, this.giveBack(known.team, released), known.held === 0 && this.#jobs.delete(job), () => this.#holdFor({ id: job, team: known.team }, released);
  }
};

// src/Engine/Usage/Usage.ts
var prices = {
  scrape: 1,
  crawlPage: 1,
  batchPage: 1,
  /** For `json` or `extract`, beyond the page. */
  jsonFormat: 4,
  parse: 1,
  map: 1,
  /** For each ten results begun. */
  search: 2,
  searchZdr: 10,
  searchAnon: 2,
  crawlPreview: 0,
  /** For each minute begun of a browser session. */
  browser: 2
}, formatsPrice = (formats) => {
  let readings = 0, isAsked = !1;
  for (let format of formats ?? []) {
    let { modes, type } = typeof format == "object" && format !== null ? format : { modes: void 0, type: format };
    (type === "json" || type === "extract") && (isAsked = !0), type === "changeTracking" && Array.isArray(modes) && modes.includes("json") && readings++;
  }
  return (readings + (isAsked ? 1 : 0)) * prices.jsonFormat;
}, priced = (document, credits2) => ({
  ...document,
  metadata: { ...document.metadata, creditsUsed: credits2 }
}), Usage = class extends Tag("sluice/Engine/Usage")() {
}, waiting = unsafeMake(void 0), whenSettled = (settled) => map(get(waiting), (all) => {
  all === void 0 ? settled(!0) : all.push(settled);
}), booking = (transaction) => suspend(() => {
  let all = [];
  return onExit(
    locally(transaction, waiting, all),
    (exit) => sync(() => {
      for (let settled of all.reverse()) settled(isSuccess(exit));
    })
  );
}), firstInstant = (month) => /* @__PURE__ */ new Date(`${month}-01T00:00:00.000Z`), monthAfter = (month) => {
  let first = firstInstant(month);
  return monthOf(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 1));
}, fill = (sums, current) => {
  let keys = sums.length === 0 ? [void 0] : [...new Set(sums.map(({ keyName }) => keyName))].sort(), credits2 = new Map(sums.map((sum) => [`${sum.month} ${sum.keyName ?? ""}`, sum.credits])), months = [], first = sums[0]?.month ?? current, last = [current, sums.at(-1)?.month ?? current].sort()[1] ?? current;
  for (let month = first; month <= last; month = monthAfter(month)) {
    let endDate = month === last ? void 0 : firstInstant(monthAfter(month));
    for (let keyName of keys)
      months.push({
        startDate: firstInstant(month),
        endDate,
        ...keyName === void 0 ? {} : { keyName },
        credits: credits2.get(`${month} ${keyName ?? ""}`) ?? 0
      });
  }
  return months;
}, lookInterval = "5 seconds", holdPatience = 1e4, allHeld = new RateLimited({
  error: "The credits that this team has left are held by calls and pages under way: please retry after 5s.",
  code: "CREDITS_HELD",
  retryAfter: 5
}), layerWith = (quotas) => scoped(
  Usage,
  gen(function* () {
    let sql = yield* SqlClient, quota = new Quota(quotas), look = gen(function* () {
      let month = monthOf(yield* currentTimeMillis);
      quota.look(
        yield* sql`SELECT team, month, sum(credits) AS credits FROM usage_ledger
          WHERE month >= ${month} GROUP BY team, month`
      );
    });
    yield* look, (quotas.every !== void 0 || quotas.teams.size > 0) && (yield* forkScoped(forever(delay(ignoreLogged(look), lookInterval))));
    let hold = fnUntraced(function* (team, credits2) {
      let begun = yield* currentTimeMillis, now = begun;
      for (; !quota.hold(team, now, credits2); ) {
        if (!quota.fits(team, now, credits2)) return yield* quota.refusal(team, now, credits2);
        if (now - begun >= holdPatience) return yield* allHeld;
        yield* interruptible(sleep("50 millis")), now = yield* currentTimeMillis;
      }
    }), within = (team, credits2, call) => acquireUseRelease(
      hold(team.id, credits2),
      () => call,
      () => sync(() => quota.giveBack(team.id, credits2))
    ), charge = fn("Usage.charge")(function* (team, endpoint, credits2) {
      if (credits2 === 0) return;
      let at = yield* currentTimeMillis;
      yield* sql`INSERT INTO usage_ledger ${sql.insert({
        team: team.id,
        key_id: team.keyId,
        month: monthOf(at),
        endpoint,
        credits: credits2,
        at
      })}`, quota.add(team.id, at, credits2);
      let settled = (isCommitted) => {
        isCommitted ? credits.add(credits2, endpoint) : quota.add(team.id, at, -credits2);
      };
      yield* isSome(yield* serviceOption(TransactionConnection)) ? whenSettled(settled) : sync(() => settled(!0));
    }), months = fn("Usage.months")(function* (teamId, byKey) {
      let current = monthOf(yield* currentTimeMillis), rows = yield* byKey ? sql`SELECT month, key_id AS "keyName", sum(credits) AS credits FROM usage_ledger
            WHERE team = ${teamId} GROUP BY month, key_id ORDER BY month, key_id` : sql`SELECT month, sum(credits) AS credits FROM usage_ledger
            WHERE team = ${teamId} GROUP BY month ORDER BY month`;
      return fill(rows, current);
    });
    return { charge, months, quota, within };
  })
), layer = layerWith(unlimited);

export {
  unlimited,
  parse,
  monthOf,
  prices,
  formatsPrice,
  priced,
  Usage,
  whenSettled,
  booking,
  layerWith,
  Usage_exports
};
