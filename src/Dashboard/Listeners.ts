/** Those who listen: each with a queue of its own, and a memory of what was told last for those who come again. */
import { randomBytes } from "node:crypto"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import type { Events } from "../Web/Dashboard/Protocol/Events.ts"
import { Refusal } from "./Refusal.ts"

type Name = keyof Events

interface Told {
  readonly number: number
  readonly text: string
  /** Only for those who follow this run. */
  readonly run: string | undefined
}

interface Listener {
  readonly queue: Queue.Queue<string>
  readonly run: string | undefined
  /** Ends its connection, whether it reads or not. */
  readonly cut: () => void
}

/** So many may listen, so far behind may each of them be, and so much is kept for those who come again. */
const bounds = { listeners: 64, behind: 64, kept: 256 }

export class Listeners {
  readonly #all = new Set<Listener>()
  /** Numbers of another life of this program mean nothing. */
  readonly #life = randomBytes(6).toString("hex")
  #told: Array<Told> = []
  #number = 0

  get size(): number {
    return this.#all.size
  }

  /** Runs that somebody follows. */
  get followed(): ReadonlySet<string> {
    return new Set([...this.#all].flatMap(({ run }) => (run === undefined ? [] : [run])))
  }

  #text<N extends Name>(name: N, data: Events[N], number: number): string {
    return `event: ${name}\nid: ${this.#life}-${number}\ndata: ${JSON.stringify(data)}\n\n`
  }

  /** Tells all of them, or those who follow a run. Who is too far behind is cut off. */
  tell<N extends Name>(name: N, data: Events[N], run?: string): void {
    const number = ++this.#number
    const text = this.#text(name, data, number)
    this.#told.push({ number, text, run })
    if (this.#told.length > bounds.kept) this.#told.shift()
    for (const listener of this.#all) {
      if (run !== undefined && listener.run !== run) continue
      if (!Queue.unsafeOffer(listener.queue, text)) {
        this.#all.delete(listener)
        listener.cut()
      }
    }
  }

  /** What was told behind an event; undefined when that is not known any more. */
  #since(last: string | undefined, run: string | undefined): ReadonlyArray<Told> | undefined {
    const [life, text] = (last ?? "").split("-")
    const number = Number(text)
    const first = this.#told[0]?.number ?? this.#number + 1
    if (life !== this.#life || !Number.isSafeInteger(number) || number < first - 1 || number > this.#number) {
      return undefined
    }
    return this.#told.filter((each) => each.number > number && (each.run === undefined || each.run === run))
  }

  /** From here on nothing is known of what was told before: whoever comes again has missed something. */
  forget(): void {
    this.#told = []
    this.#number++
  }

  /** A new listener, until the scope closes; it is greeted first, and told what it has missed since `last`. */
  add(
    run: string | undefined,
    last: string | undefined,
    now: number,
    cut: () => void
  ): Effect.Effect<Queue.Dequeue<string>, Refusal, Scope.Scope> {
    return Effect.suspend(() => {
      if (this.#all.size >= bounds.listeners) {
        const reason = `${bounds.listeners} pages listen already: close some of them`
        return Effect.fail(new Refusal({ status: 503, reason }))
      }
      return Effect.acquireRelease(
        Effect.map(Queue.dropping<string>(bounds.behind), (queue): Listener => {
          const missed = this.#since(last, run)
          const told = missed !== undefined && missed.length < bounds.behind ? missed : undefined
          // Who is cut off behind the greeting has not heard the rest yet.
          const number = (told?.[0]?.number ?? this.#number + 1) - 1
          const isGap = last !== undefined && told === undefined
          Queue.unsafeOffer(queue, this.#text("hello", { now, isGap }, number))
          for (const { text } of told ?? []) Queue.unsafeOffer(queue, text)
          const listener = { queue, run, cut }
          this.#all.add(listener)
          return listener
        }),
        (listener) => {
          this.#all.delete(listener)
          return Queue.shutdown(listener.queue)
        }
      ).pipe(Effect.map(({ queue }) => queue))
    })
  }
}
