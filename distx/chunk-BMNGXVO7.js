import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  paint
} from "./chunk-CZDJQLZL.js";
import {
  homeOf
} from "./chunk-Y3UV4EDE.js";
import {
  didYouMean
} from "./chunk-OH7QELJ7.js";
import {
  ExitCode
} from "./chunk-DUMKR6VQ.js";
import {
  TaggedError
} from "./chunk-PAQDWWDE.js";

// src/Cli/Format.ts
import { isAbsolute, relative } from "node:path";
var count = (number, one, many = `${one}s`) => (
  // Languages are loaded when they are first asked, which takes longer than anything else here.
  `${number < 1e3 ? number : number.toLocaleString("en-US")} ${number === 1 ? one : many}`
), bytes = (size) => {
  let units = ["B", "kB", "MB", "GB", "TB"], power = size < 1e3 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(size / 0.9995) / 3)), scaled = size / 1e3 ** power;
  return `${power > 0 && scaled < 9.95 ? scaled.toFixed(1) : Math.round(scaled)} ${units[power]}`;
}, duration = (millis) => {
  let seconds = Math.round(millis / 1e3);
  if (millis < 9950) return `${(millis / 1e3).toFixed(1)} s`;
  if (seconds < 60) return `${seconds} s`;
  let minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}, place = (path) => {
  if (path === "-") return "standard output";
  let near = relative(process.cwd(), path);
  return near === "" ? "." : near.startsWith("..") || isAbsolute(near) ? path : near;
}, gap = "   ", tame = (cell) => cell.replace(new RegExp("\\p{Cc}+", "gu"), " ").trim(), table = (head, cells, channel) => {
  let rows = cells.map((row) => row.map(tame)), widths = head.map(
    ([name], column) => rows.reduce((widest, row) => Math.max(widest, row[column]?.length ?? 0), name.length)
  ), line = (cells2) => cells2.map(
    (cell, column) => head[column]?.[1] === "right" ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)
  ).join(gap).trimEnd();
  return [paint(channel).dim(line(head.map(([name]) => name))), ...rows.map(line)];
};

// src/Cli/CommandErrors.ts
var SettingInvalid = class extends TaggedError("SettingInvalid") {
  exitCode = ExitCode.invalid;
  get message() {
    return `the setting ${this.name} cannot be used: ${this.reason.replace(/[.\s]+$/, "")}. Correct it ${homeOf(this.name)}.`;
  }
}, MistakesFound = class extends TaggedError("MistakesFound") {
  exitCode = ExitCode.invalid;
  get message() {
    let fine = this.fine === 0 ? "" : `; ${count(this.fine, "definition")} ${this.fine === 1 ? "is" : "are"} fine`;
    return `${count(this.mistakes, "mistake")}${this.invalid > 1 ? ` in ${count(this.invalid, "definition")}` : ""}${fine}`;
  }
}, FileUnusable = class extends TaggedError("FileUnusable") {
  get message() {
    return `cannot use ${this.path}: ${this.reason}`;
  }
}, NothingYet = class extends TaggedError("NothingYet") {
  get message() {
    return `there is no ledger in ${this.dataDir}: no run was made with it yet. Name another with --data.`;
  }
}, NoSuchRun = class extends TaggedError("NoSuchRun") {
  get message() {
    if (this.known.length === 0) return "the ledger has no run yet: sluice run FILE makes one";
    let hint = didYouMean(this.run, this.known) || `: the newest is ${this.known[0]}`;
    return `the ledger has no run ${this.run}${hint}; sluice runs lists them`;
  }
}, WrongUsage = class extends TaggedError("WrongUsage") {
  exitCode = ExitCode.usage;
  get message() {
    return this.reason;
  }
}, ScheduleRefused = class extends TaggedError("ScheduleRefused") {
  exitCode = ExitCode.usage;
  get message() {
    return this.reason;
  }
}, SchedulesLeftOut = class extends TaggedError("SchedulesLeftOut") {
  exitCode = ExitCode.invalid;
  get message() {
    return `${this.names.join(", ")}: left out`;
  }
}, InstantTaken = class extends TaggedError("InstantTaken") {
  exitCode = ExitCode.locked;
  get message() {
    return `${this.pipeline} is ${this.status} for ${new Date(this.instant).toISOString()} already: sluice schedule history ${this.pipeline}`;
  }
};

export {
  count,
  bytes,
  duration,
  place,
  table,
  SettingInvalid,
  MistakesFound,
  FileUnusable,
  NothingYet,
  NoSuchRun,
  WrongUsage,
  ScheduleRefused,
  SchedulesLeftOut,
  InstantTaken
};
