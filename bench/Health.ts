/** Cost of run health: CPU of a run that is measured against one with `health: off`, in turns, and the size of a profile. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { Profile } from "../src/Health/Profile.ts"
import { atMost, type Bench, medianOf, noted } from "./Measure/Figures.ts"
import { bin, folderFor, remove, run } from "./Measure/Programs.ts"

const rows = 300_000
const rounds = 7

const sentence = "The price of the lamp is what most of the people in our test have asked for, and that is not all. "

const product = (n: number) => ({
  url: `https://shop.example/products/${n}`,
  title: `Lamp ${n}, in ${["red", "green", "blue"][n % 3]}`,
  price: (n * 37) % 10_000,
  rating: n % 4 === 0 ? null : n % 5,
  brand: `Brand ${n % 40}`,
  listed: "2026-03-01",
  tags: ["lamp", "light"],
  description: sentence.repeat(1 + (n % 4)),
  metadata: { sourceURL: `https://shop.example/products/${n}`, title: `Lamp ${n}`, statusCode: 200 }
})

const definition = (name: string, format: string, health: string) =>
  `version: 1\nname: ${name}\n${health}steps:\n  - read: in.jsonl\n  - where: price >= 0\n  - write: { ${format}: out.${format} }\n`

/** Bytes of the profile of ten million rows, as the ledger stores it. */
const profileBytes = (): number => {
  const profile = new Profile()
  const some = Array.from({ length: 100_000 }, (_, n) => product(n))
  for (let n = 0; n < 100; n++) {
    for (const row of some) profile.add({ ...row, url: `${row.url}-${n}` })
  }
  return JSON.stringify(profile.encode()).length
}

export const bench: Bench = {
  name: "health",
  run: async () => {
    const folder = folderFor("memory")
    try {
      const lines = Array.from({ length: rows }, (_, n) => `${JSON.stringify(product(n))}\n`)
      writeFileSync(join(folder, "in.jsonl"), lines.join(""))
      for (const format of ["jsonl", "csv"]) {
        writeFileSync(join(folder, `${format}-on.yaml`), definition(`${format}-on`, format, ""))
        writeFileSync(join(folder, `${format}-off.yaml`), definition(`${format}-off`, format, "health: off\n"))
      }
      const cpu = (name: string): number =>
        run(folder, [bin, "run", `${name}.yaml`, "--quiet"], { env: { SLUICE_DATA: join(folder, "data") } }).cpu
      // Each pair in the opposite order of the one before: what slows the machine down slows both.
      const pair = (format: string, round: number) => {
        if (round % 2 === 0) return { off: cpu(`${format}-off`), on: cpu(`${format}-on`) }
        const on = cpu(`${format}-on`)
        return { on, off: cpu(`${format}-off`) }
      }
      const pairs = Array.from({ length: rounds }, (_, round) => ({
        jsonl: pair("jsonl", round),
        csv: pair("csv", round)
      }))
      const of = medianOf(pairs)
      return [
        noted(
          "CPU of a run with health: off, JSONL",
          of(({ jsonl }) => jsonl.off),
          "ms"
        ),
        atMost(
          "CPU with health / with health: off, JSONL",
          of(({ jsonl: { off, on } }) => on / off),
          "×",
          1.05
        ),
        noted(
          "CPU of a run with health: off, CSV",
          of(({ csv }) => csv.off),
          "ms"
        ),
        atMost(
          "CPU with health / with health: off, CSV",
          of(({ csv: { off, on } }) => on / off),
          "×",
          1.05
        ),
        atMost("profile of 10 million rows", profileBytes() / 1000, "kB", 50)
      ]
    } finally {
      remove(folder)
    }
  }
}
