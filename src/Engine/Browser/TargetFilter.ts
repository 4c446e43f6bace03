/**
 * Events about targets as one program sees them: hidden targets are not in them.
 *
 * One instance per program. It knows which targets and which sessions the program has been told of, per session that reports them. A target
 * that is shown later is then reported as created, and its session as attached; one that is hidden later is reported as destroyed and
 * detached. The browser attaches automatically to hidden targets, too: such a session is kept without the program's knowledge, and the
 * target is told to run, because nobody else would.
 */
import type { TargetInfo, Targets, Visibility } from "./Targets.ts"

/** The parts of events of the domain Target that are read here. */
export interface TargetEvent {
  readonly method: string
  readonly params: {
    readonly targetId?: string
    readonly targetInfo?: TargetInfo
    readonly sessionId?: string
    readonly waitingForDebugger?: boolean
  }
}

/** What the filter asks of its channel. */
export interface FilterHost {
  /** Sends an event that the browser did not send; `from` is the session that reports it. */
  readonly deliver: (event: TargetEvent, from: string) => void
  /** From now on the program may use the session. */
  readonly admit: (sessionId: string) => void
  /** From now on it may not. */
  readonly revoke: (sessionId: string) => void
  /** Detaches the session in the browser, with the scripts that the program has put into the page. */
  readonly detach: (sessionId: string, from: string) => void
  /** Lets a target run that waits for its debugger. */
  readonly run: (sessionId: string) => void
}

export interface TargetFilter {
  /** Takes an event over; whether the program gets it as it is. */
  readonly hear: (event: TargetEvent, from: string) => boolean
  /** The visibility of a target has changed. */
  readonly change: (info: TargetInfo, visibility: Visibility) => void
}

interface Attached {
  readonly from: string
  readonly targetId: string
  isWaiting: boolean
  isTold: boolean
}

export const make = (targets: Targets, host: FilterHost): TargetFilter => {
  /** By session that reports them: the targets there, and whether the program knows each of them. */
  const created = new Map<string, Map<string, boolean>>()
  const sessions = new Map<string, Attached>()

  const letRun = (sessionId: string, session: Attached) => {
    if (!session.isWaiting) return
    session.isWaiting = false
    host.run(sessionId)
  }

  const attach = (sessionId: string, info: TargetInfo, isWaiting: boolean, from: string): boolean => {
    const visibility = targets.note(info)
    const isTold = visibility === "shown"
    const session = { from, targetId: info.targetId, isWaiting, isTold }
    sessions.set(sessionId, session)
    if (isTold) host.admit(sessionId)
    else if (visibility === "hidden") letRun(sessionId, session)
    else if (isWaiting) targets.await(info.targetId)
    return isTold
  }

  const detach = (sessionId: string): boolean => {
    const isTold = sessions.get(sessionId)?.isTold === true
    sessions.delete(sessionId)
    created.delete(sessionId)
    if (isTold) host.revoke(sessionId)
    for (const [child, { from }] of [...sessions]) if (from === sessionId) detach(child)
    return isTold
  }

  const create = (info: TargetInfo, from: string): boolean => {
    const known = created.get(from) ?? new Map<string, boolean>()
    created.set(from, known)
    if (!known.has(info.targetId)) known.set(info.targetId, false)
    const isTold = known.get(info.targetId)
    // It may tell the program itself.
    if (targets.note(info) !== "shown" || (isTold === false && known.get(info.targetId) === true)) return false
    known.set(info.targetId, true)
    return true
  }

  const update = (info: TargetInfo, from: string): boolean => {
    const isShown = targets.note(info) === "shown"
    const known = created.get(from)?.get(info.targetId)
    if (known !== undefined) return isShown && known
    // Sessions that attach automatically report changes of what they have attached.
    for (const session of sessions.values()) {
      if (session.isTold && session.from === from && session.targetId === info.targetId) return isShown
    }
    return false
  }

  const hear = ({ method, params }: TargetEvent, from: string): boolean => {
    const { sessionId, targetId, targetInfo, waitingForDebugger = false } = params
    switch (method) {
      case "Target.attachedToTarget":
        return (
          sessionId !== undefined && targetInfo !== undefined && attach(sessionId, targetInfo, waitingForDebugger, from)
        )
      case "Target.detachedFromTarget":
        return sessionId !== undefined && detach(sessionId)
      case "Target.targetCreated":
        return targetInfo !== undefined && create(targetInfo, from)
      case "Target.targetInfoChanged":
        return targetInfo !== undefined && update(targetInfo, from)
      case "Target.targetDestroyed": {
        const isTold = targetId !== undefined && created.get(from)?.get(targetId) === true
        if (targetId !== undefined) created.get(from)?.delete(targetId)
        return isTold
      }
      default:
        // Targets crash, and whatever later versions report of them.
        return targetId === undefined ? targetInfo === undefined : targets.isShown(targetId)
    }
  }

  /** Reports the target as created, or as destroyed, to those that know it otherwise. */
  const announce = (targetInfo: TargetInfo, isShown: boolean) => {
    const { targetId } = targetInfo
    for (const [from, known] of created) {
      const isTold = known.get(targetId)
      if (isTold === undefined || isTold === isShown) continue
      known.set(targetId, isShown)
      const created = { method: "Target.targetCreated", params: { targetInfo } }
      host.deliver(isShown ? created : { method: "Target.targetDestroyed", params: { targetId } }, from)
    }
  }

  const change = (targetInfo: TargetInfo, visibility: Visibility) => {
    const { targetId } = targetInfo
    const isShown = visibility === "shown"
    if (isShown) announce(targetInfo, true)
    for (const [sessionId, session] of [...sessions]) {
      const { from, isTold, isWaiting } = session
      if (session.targetId !== targetId) continue
      if (isShown && !isTold) {
        session.isTold = true
        host.admit(sessionId)
        const params = { sessionId, targetInfo, waitingForDebugger: isWaiting }
        host.deliver({ method: "Target.attachedToTarget", params }, from)
      } else if (!isShown && isTold) {
        detach(sessionId)
        host.detach(sessionId, from)
        host.deliver({ method: "Target.detachedFromTarget", params: { sessionId, targetId } }, from)
      } else if (visibility === "hidden") letRun(sessionId, session)
    }
    if (!isShown) announce(targetInfo, false)
  }

  return { hear, change }
}
