import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  choice,
  integer,
  pairs,
  text,
  texts,
  toggle,
  withDefault
} from "./chunk-FCWYZXNV.js";

// src/Cli/SharedFlags.ts
var data = (what) => text("DIR", `Folder of ${what}; default: .sluice, or SLUICE_DATA.`), profile = text(
  "NAME",
  "Settings from config/NAME.yaml or from a path; environment variables take precedence."
), input = pairs("NAME=VALUE", "Sets an input of the pipeline. May be repeated.", "i"), out = text("DIR", "Folder for relative output paths; default: the current one.", "o"), quiet = toggle("Prints errors only.", "q"), onCluster = choice(
  "WHERE",
  ["here", "cluster"],
  "cluster: submits runs to the workers that share SLUICE_DATABASE_URL and the output folder; default: here."
), allowCode = toggle(
  "Lets `use` and `extensions` run code of the project, and loads definitions in code from outside it. Code may do all that you may."
), trust = {
  "allow-env": texts(
    "NAME",
    "Lets definitions from outside the project read this variable, as env or secrets. May be repeated."
  ),
  "allow-path": texts("DIR", "Lets definitions read files in this folder outside the project. May be repeated.")
}, trustArguments = (given) => [
  ...given["allow-env"].flatMap((name) => ["--allow-env", name]),
  ...given["allow-path"].flatMap((folder) => ["--allow-path", folder])
], enginePort = 4711, dashboardPort = 4712, port = (what, usual) => withDefault(integer("N", `${what}; 0 takes a free one; default: ${usual}.`, { minimum: 0, maximum: 65535 }), usual), host = text("HOST", "Address to listen on; default: 127.0.0.1, this machine only.");

export {
  data,
  profile,
  input,
  out,
  quiet,
  onCluster,
  allowCode,
  trust,
  trustArguments,
  enginePort,
  dashboardPort,
  port,
  host
};
