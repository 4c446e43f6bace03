/** Seeded random numbers and texts for simulated pipelines. */
import { setImmediate } from "node:timers/promises"

/** A number from 0 to 1, the same for the same parts. */
export const fraction = (...parts: ReadonlyArray<number | string>): number => {
  let hash = 0x811c9dc5
  for (const part of parts) {
    for (const character of `${part};`) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32
}

export const between = (low: number, high: number, ...parts: ReadonlyArray<number | string>): number =>
  low + (high - low) * fraction(...parts)

export const whole = (low: number, high: number, ...parts: ReadonlyArray<number | string>): number =>
  Math.floor(between(low, high + 1, ...parts))

export const pick = <Value>(
  values: readonly [Value, ...Array<Value>],
  ...parts: ReadonlyArray<number | string>
): Value => values[Math.floor(fraction(...parts) * values.length)] ?? values[0]

const openings = {
  en: [
    "The workshop",
    "A new model",
    "This edition",
    "Our team",
    "The old mill",
    "Each part",
    "The council",
    "A reader"
  ],
  de: [
    "Die Werkstatt",
    "Das neue Modell",
    "Diese Ausgabe",
    "Unser Team",
    "Die alte Mühle",
    "Jedes Teil",
    "Der Rat",
    "Eine Leserin"
  ]
} as const

const middles = {
  en: [
    "has been tested for two years and is not as heavy as the one that came before",
    "was made for those who want to repair things that others have thrown away",
    "comes from the north of the country and will be shown to the public in May",
    "is one of the few that can be used with the left hand and in the dark",
    "shows how much can be done with a small budget and a lot of patience",
    "was not expected to last, but it is still in use at the harbour"
  ],
  de: [
    "wurde zwei Jahre lang geprüft und ist nicht so schwer wie das, was es vorher gab",
    "ist für alle gemacht, die Dinge reparieren wollen, die andere schon weggeworfen haben",
    "kommt aus dem Norden des Landes und wird im Mai auch der Öffentlichkeit gezeigt",
    "gehört zu den wenigen, die man mit der linken Hand und im Dunkeln benutzen kann",
    "zeigt, wie viel mit einem kleinen Budget und sehr viel Geduld zu machen ist",
    "sollte nicht lange halten, ist aber am Hafen noch immer im Einsatz"
  ]
} as const

export type Language = keyof typeof openings

/** So many sentences of prose. */
export const prose = (sentences: number, language: Language, ...parts: ReadonlyArray<number | string>): string =>
  Array.from({ length: sentences }, (_, at) => {
    const opening = pick([...openings[language]] as [string, ...Array<string>], ...parts, at, "opening")
    return `${opening} ${pick([...middles[language]] as [string, ...Array<string>], ...parts, at, "middle")}.`
  }).join(" ")

const nouns = [
  "Lamp",
  "Kettle",
  "Bench",
  "Ladder",
  "Saddle",
  "Basket",
  "Clock",
  "Rope",
  "Tent",
  "Easel",
  "Vise",
  "Stove"
] as const
const adjectives = [
  "Quiet",
  "Folding",
  "Northern",
  "Heavy",
  "Bright",
  "Plain",
  "Round",
  "Early",
  "Copper",
  "Striped"
] as const

export const name = (...parts: ReadonlyArray<number | string>): string =>
  `${pick([...adjectives], ...parts, "adjective")} ${pick([...nouns], ...parts, "noun")}`

const firstNames = ["Ana", "Björn", "Chloé", "Daan", "Elif", "Farid", "Greta", "Hugo", "Ines", "Jürgen"] as const
const lastNames = [
  "Almeida",
  "Berg",
  "Castro",
  "Dupont",
  "Engel",
  "Fischer",
  "Grünwald",
  "Haas",
  "Ito",
  "Jansen"
] as const

export const person = (...parts: ReadonlyArray<number | string>): string =>
  `${pick([...firstNames], ...parts, "first")} ${pick([...lastNames], ...parts, "last")}`

export const words = (values: ReadonlyArray<string>, ...parts: ReadonlyArray<number | string>): string =>
  values[Math.floor(fraction(...parts) * values.length)] ?? ""

export const chance = (probability: number, ...parts: ReadonlyArray<number | string>): boolean =>
  fraction(...parts) < probability

/** Simulates each pipeline with each seed, with a turn of the event loop between them: a worker that is busy for a minute counts as lost. */
export const each = async <A, B>(
  seeds: ReadonlyArray<string>,
  pipelines: ReadonlyArray<A>,
  simulate: (pipeline: A, seed: string) => B
): Promise<ReadonlyArray<B>> => {
  const all: Array<B> = []
  for (const seed of seeds)
    for (const pipeline of pipelines) {
      all.push(simulate(pipeline, seed))
      await setImmediate()
    }
  return all
}
