import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  JsonValue
} from "./chunk-4U3SQ3WC.js";
import {
  Array$,
  Boolean$,
  NullOr,
  Number$,
  Record,
  String$,
  Struct,
  UndefinedOr,
  Union2 as Union,
  optional
} from "./chunk-PAQDWWDE.js";

// src/Ledger/Model.ts
var others = Record({ key: String$, value: UndefinedOr(JsonValue) }), SavedOptions = Struct(
  {
    limit: optional(Number$),
    backfill: optional(Boolean$),
    /** The run whose rejects it replays. */
    replayOf: optional(String$)
  },
  others
), count = optional(Number$), countsByStep = optional(Record({ key: String$, value: Number$ })), SavedProgress = NullOr(
  Struct(
    {
      rows: count,
      rejects: count,
      expected: count,
      jobCredits: count,
      jobUnpriced: count,
      jobPages: count,
      outputRows: count,
      outputBytes: count,
      rejectBytes: count,
      unchanged: count,
      given: countsByStep,
      rejected: countsByStep,
      jobs: countsByStep,
      over: optional(Boolean$),
      spent: optional(Boolean$),
      budgetMessage: optional(String$),
      /** Steps that did not read every row of their source, with the reasons. Version 0.1 wrote a list of steps. */
      incomplete: optional(
        Union(
          Array$(String$),
          Record({ key: String$, value: Array$(String$) })
        )
      )
    },
    others
  )
), statuses = ["running", "stopped", "budget", "failed", "publishing", "completed"], isSpent = ({ progress, rejects, rows }) => progress?.over === !0 && (progress.spent ?? (rows === 0 && rejects > 0));

export {
  SavedOptions,
  SavedProgress,
  statuses,
  isSpent
};
