import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  _await,
  unsafeDone,
  unsafeMake
} from "./chunk-4U3SQ3WC.js";
import {
  Reference,
  _void,
  addFinalizer2 as addFinalizer,
  all3 as all,
  ensuring2 as ensuring,
  isSuccess,
  map9 as map,
  none,
  onExit,
  suspend2 as suspend,
  sync3 as sync,
  uninterruptibleMask2 as uninterruptibleMask,
  zipRight3 as zipRight
} from "./chunk-JGKSI326.js";
import {
  left,
  right
} from "./chunk-FWQRLSGQ.js";

// src/Engine/Shares.ts
var Teams = class extends Reference()("sluice/Engine/Shares/Teams", { defaultValue: () => 1 }) {
}, equal = /* @__PURE__ */ new Map(), Weights = class extends Reference()("sluice/Engine/Shares/Weights", {
  defaultValue: () => equal
}) {
}, Owner = class extends Reference()("sluice/Engine/Shares/Owner", { defaultValue: () => "" }) {
}, maxWeight = 1e3, parseWeights = (text) => {
  let weights = /* @__PURE__ */ new Map();
  for (let part of text.split(",")) {
    let [, team = "", digits = ""] = /^\s*(.+?)\s*=\s*(\d{1,4})\s*$/.exec(part) ?? [], weight = Number(digits);
    if (team === "" || weight < 1 || weight > maxWeight)
      return left(`Expected weights of teams, whole numbers from 1 to ${maxWeight}, like other=3,third=2`);
    if (weights.has(team)) return left(`The team ${team} has two weights`);
    weights.set(team, weight);
  }
  return right(weights);
}, make = ({ capacity, teams: known = 1, weights = equal }) => {
  let teams = /* @__PURE__ */ new Map(), weightOf = (name) => weights.get(name) ?? 1, guaranteed = Math.floor(capacity / 2), active = 0, clock = 0, turns = 0, open = (name) => {
    let found = teams.get(name);
    if (found !== void 0) return found;
    let opened = { held: 0, finish: 0, turn: 0, queue: /* @__PURE__ */ new Set() };
    return teams.set(name, opened), opened;
  }, isAbsent = (name, { held, queue }) => held === 0 && queue.size === 0 && !weights.has(name), forget = () => {
    for (let [name, team] of teams) isAbsent(name, team) && team.finish <= clock && teams.delete(name);
  }, heldBy = (name) => teams.get(name)?.held ?? 0, present = 0, presentWeight = 0;
  for (let [name, weight] of weights)
    open(name), present += 1, presentWeight += weight;
  let missingOf = Number.NaN, missing = 0, minimumOf = (weight, sum) => Math.max(1, Math.floor(guaranteed * weight / sum)), lackOf = (name, team, sum) => isAbsent(name, team) ? 0 : Math.max(0, minimumOf(weightOf(name), sum) - team.held), change = (name, by) => {
    let team = open(name), [wasAbsent, lacked] = [isAbsent(name, team), lackOf(name, team, missingOf)];
    by(team), missing += lackOf(name, team, missingOf) - lacked;
    let turned = Number(wasAbsent) - Number(isAbsent(name, team));
    present += turned, presentWeight += turned * weightOf(name);
  }, missingWith = (sum) => {
    if (sum === missingOf) return missing;
    missingOf = sum, missing = 0;
    for (let [name, team] of teams) missing += lackOf(name, team, sum);
    return missing;
  }, minimumsOf = (name) => {
    let team = teams.get(name), isPresent = team !== void 0 && !isAbsent(name, team), absent = Math.max(0, known - (isPresent ? present : present + 1)), sum = presentWeight + absent + (isPresent ? 0 : weightOf(name)), others = missingWith(sum) - (isPresent ? lackOf(name, team, sum) : 0), idlers = absent === 0 ? 0 : absent * minimumOf(1, sum);
    return { own: minimumOf(weightOf(name), sum), missing: Math.min(guaranteed, others + idlers) };
  }, fits = (name) => {
    let free = capacity - active;
    if (free <= 0) return !1;
    let { missing: missing2, own } = minimumsOf(name);
    return heldBy(name) < own || free > missing2;
  }, startOf = (name) => Math.max(clock, teams.get(name)?.finish ?? 0), compare = (one, other) => heldBy(one) / weightOf(one) - heldBy(other) / weightOf(other) || startOf(one) - startOf(other) || (teams.get(one)?.turn ?? 0) - (teams.get(other)?.turn ?? 0), take = (name) => {
    let start = startOf(name);
    clock = start, change(name, (team) => {
      team.finish = start + 1 / weightOf(name), team.turn = ++turns, team.held += 1;
    }), active += 1;
  }, admit = () => {
    for (; ; ) {
      let next = [...teams].filter(([, { queue: queue2 }]) => queue2.size > 0).map(([name]) => name).sort(compare).find(fits);
      if (next === void 0) return;
      let { queue } = open(next);
      for (let request of queue) {
        change(next, () => queue.delete(request)), request.isGranted = !0, take(next), unsafeDone(request.granted, _void);
        break;
      }
    }
  }, release = (name) => {
    change(name, (team) => {
      team.held -= 1;
    }), active -= 1, admit(), forget();
  }, wait = (name, restore) => suspend(() => {
    if (fits(name))
      return take(name), _void;
    let request = { granted: unsafeMake(none), isGranted: !1 };
    return change(name, ({ queue }) => queue.add(request)), onExit(
      restore(_await(request.granted)),
      (exit) => sync(() => {
        if (!isSuccess(exit)) {
          if (request.isGranted) return release(name);
          change(name, ({ queue }) => queue.delete(request)), admit(), forget();
        }
      })
    );
  }), giveBack = (name) => sync(() => release(name));
  return {
    active: () => active,
    heldBy,
    reservedForOthers: (name) => minimumsOf(name).missing,
    hasMinimum: (name) => heldBy(name) >= minimumsOf(name).own,
    fits,
    compare,
    take,
    release,
    acquire: (name) => uninterruptibleMask(
      (restore) => zipRight(
        wait(name, restore),
        addFinalizer(() => giveBack(name))
      )
    ),
    withPlace: (name) => (work) => uninterruptibleMask(
      (restore) => zipRight(wait(name, restore), ensuring(restore(work), giveBack(name)))
    )
  };
}, ofEngine = (capacity) => map(all([Teams, Weights]), ([teams, weights]) => make({ capacity, teams, weights }));

export {
  Teams,
  equal,
  Weights,
  Owner,
  parseWeights,
  make,
  ofEngine
};
