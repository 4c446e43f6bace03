import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  unbounded2 as unbounded
} from "./chunk-4U3SQ3WC.js";
import {
  Class,
  acquireUseRelease,
  as,
  catchAllCause,
  clockWith,
  context,
  currentUnhandledErrorLogLevel,
  delay,
  ensuring,
  exit,
  exitVoid,
  filter,
  flatMap3 as flatMap,
  forEachSequentialDiscard,
  forever,
  forkDaemon,
  forkIn,
  get,
  head,
  interrupt,
  interruptFiber,
  interruptible,
  map6 as map,
  mapInputContext,
  merge,
  onInterrupt,
  replicateEffect,
  scopeExtend,
  scopeMake,
  scopeTag,
  succeed,
  succeedNone,
  suspend,
  sync,
  tap,
  toMillis,
  uninterruptible,
  uninterruptibleMask,
  unsafeHead,
  unsafeMakeLatch,
  unsafeMakeSemaphore,
  void_,
  withFiberRuntime,
  zipLeft,
  zipRight
} from "./chunk-JGKSI326.js";
import {
  dual,
  identity,
  match,
  pipeArguments
} from "./chunk-ANBJACJV.js";

// node_modules/effect/dist/esm/internal/pool.js
var PoolTypeId = /* @__PURE__ */ Symbol.for("effect/Pool"), poolVariance = {
  /* c8 ignore next */
  _E: (_) => _,
  /* c8 ignore next */
  _A: (_) => _
};
var makeWith = (options) => uninterruptibleMask((restore) => flatMap(context(), (context2) => {
  let scope = get(context2, scopeTag), acquire = mapInputContext(options.acquire, (input) => merge(context2, input)), pool = new PoolImpl(scope, acquire, options.concurrency ?? 1, options.min, options.max, options.strategy, Math.min(Math.max(options.targetUtilization ?? 1, 0.1), 1)), initialize = tap(forkDaemon(restore(pool.resize)), (fiber) => scope.addFinalizer(() => interruptFiber(fiber))), runStrategy = tap(forkDaemon(restore(options.strategy.run(pool))), (fiber) => scope.addFinalizer(() => interruptFiber(fiber)));
  return succeed(pool).pipe(zipLeft(scope.addFinalizer(() => pool.shutdown)), zipLeft(initialize), zipLeft(runStrategy));
}));
var makeWithTTL = (options) => flatMap(options.timeToLiveStrategy === "creation" ? strategyCreationTTL(options.timeToLive) : strategyUsageTTL(options.timeToLive), (strategy) => makeWith({
  ...options,
  strategy
})), get2 = (self) => self.get, invalidate = /* @__PURE__ */ dual(2, (self, item) => self.invalidate(item)), PoolImpl = class extends Class {
  scope;
  acquire;
  concurrency;
  minSize;
  maxSize;
  strategy;
  targetUtilization;
  [PoolTypeId];
  isShuttingDown = !1;
  semaphore;
  items = /* @__PURE__ */ new Set();
  available = /* @__PURE__ */ new Set();
  availableLatch = /* @__PURE__ */ unsafeMakeLatch(!1);
  invalidated = /* @__PURE__ */ new Set();
  waiters = 0;
  constructor(scope, acquire, concurrency, minSize, maxSize, strategy, targetUtilization) {
    super(), this.scope = scope, this.acquire = acquire, this.concurrency = concurrency, this.minSize = minSize, this.maxSize = maxSize, this.strategy = strategy, this.targetUtilization = targetUtilization, this[PoolTypeId] = poolVariance, this.semaphore = unsafeMakeSemaphore(concurrency * maxSize);
  }
  allocate = /* @__PURE__ */ acquireUseRelease(/* @__PURE__ */ scopeMake(), (scope) => this.acquire.pipe(scopeExtend(scope), exit, flatMap((exit2) => {
    let item = {
      exit: exit2,
      finalizer: catchAllCause(scope.close(exit2), reportUnhandledError),
      refCount: 0,
      disableReclaim: !1
    };
    return this.items.add(item), this.available.add(item), as(exit2._tag === "Success" ? this.strategy.onAcquire(item) : zipRight(item.finalizer, this.strategy.onAcquire(item)), item);
  })), (scope, exit2) => exit2._tag === "Failure" ? scope.close(exit2) : void_);
  get currentUsage() {
    let count = this.waiters;
    for (let item of this.items)
      count += item.refCount;
    return count;
  }
  get targetSize() {
    if (this.isShuttingDown) return 0;
    let utilization = this.currentUsage / this.targetUtilization, target = Math.ceil(utilization / this.concurrency);
    return Math.min(Math.max(this.minSize, target), this.maxSize);
  }
  get activeSize() {
    return this.items.size - this.invalidated.size;
  }
  resizeLoop = /* @__PURE__ */ suspend(() => {
    if (this.activeSize >= this.targetSize)
      return void_;
    let toAcquire = this.targetSize - this.activeSize;
    return this.strategy.reclaim(this).pipe(flatMap(match({
      onNone: () => this.allocate,
      onSome: succeed
    })), replicateEffect(toAcquire, {
      concurrency: toAcquire
    }), zipLeft(this.availableLatch.open), flatMap((items) => items.some((_) => _.exit._tag === "Failure") ? void_ : this.resizeLoop));
  });
  resizeSemaphore = /* @__PURE__ */ unsafeMakeSemaphore(1);
  resize = /* @__PURE__ */ this.resizeSemaphore.withPermits(1)(this.resizeLoop);
  getPoolItem = /* @__PURE__ */ uninterruptibleMask((restore) => restore(this.semaphore.take(1)).pipe(zipRight(scopeTag), flatMap((scope) => suspend(() => {
    if (this.waiters++, this.isShuttingDown)
      return interrupt;
    if (this.targetSize > this.activeSize) {
      let self = this;
      return flatMap(this.resizeSemaphore.withPermitsIfAvailable(1)(forkIn(interruptible(this.resize), this.scope)), function loop() {
        return self.isShuttingDown ? interrupt : self.available.size > 0 ? succeed(unsafeHead(self.available)) : (self.availableLatch.unsafeClose(), flatMap(self.availableLatch.await, loop));
      });
    }
    return succeed(unsafeHead(this.available));
  }).pipe(ensuring(sync(() => this.waiters--)), tap((item) => item.exit._tag === "Failure" ? (this.items.delete(item), this.invalidated.delete(item), this.available.delete(item), this.semaphore.release(1)) : (item.refCount++, this.available.delete(item), item.refCount < this.concurrency && this.available.add(item), scope.addFinalizer(() => zipRight(suspend(() => (item.refCount--, this.invalidated.has(item) ? this.invalidatePoolItem(item) : (this.available.add(item), exitVoid))), this.semaphore.release(1))))), onInterrupt(() => this.semaphore.release(1))))));
  commit() {
    return this.get;
  }
  get = /* @__PURE__ */ flatMap(/* @__PURE__ */ suspend(() => this.isShuttingDown ? interrupt : this.getPoolItem), (_) => _.exit);
  invalidate(item) {
    return suspend(() => {
      if (this.isShuttingDown) return void_;
      for (let poolItem of this.items)
        if (poolItem.exit._tag === "Success" && poolItem.exit.value === item)
          return poolItem.disableReclaim = !0, uninterruptible(this.invalidatePoolItem(poolItem));
      return void_;
    });
  }
  invalidatePoolItem(poolItem) {
    return suspend(() => {
      if (this.items.has(poolItem)) {
        if (poolItem.refCount === 0)
          return this.items.delete(poolItem), this.available.delete(poolItem), this.invalidated.delete(poolItem), zipRight(poolItem.finalizer, forkIn(interruptible(this.resize), this.scope));
      } else return void_;
      return this.invalidated.add(poolItem), this.available.delete(poolItem), void_;
    });
  }
  get shutdown() {
    return suspend(() => {
      if (this.isShuttingDown) return void_;
      this.isShuttingDown = !0;
      let size = this.items.size, semaphore = unsafeMakeSemaphore(size);
      return forEachSequentialDiscard(this.items, (item) => item.refCount > 0 ? (item.finalizer = zipLeft(item.finalizer, semaphore.release(1)), this.invalidated.add(item), semaphore.take(1)) : (this.items.delete(item), this.available.delete(item), this.invalidated.delete(item), item.finalizer)).pipe(zipRight(this.semaphore.releaseAll), zipRight(this.availableLatch.open), zipRight(semaphore.take(size)));
    });
  }
  pipe() {
    return pipeArguments(this, arguments);
  }
};
var strategyCreationTTL = (ttl) => clockWith((clock) => map(unbounded(), (queue) => {
  let ttlMillis = toMillis(ttl), creationTimes = /* @__PURE__ */ new WeakMap();
  return identity({
    run: (pool) => {
      let process = (item) => suspend(() => {
        if (!pool.items.has(item) || pool.invalidated.has(item))
          return void_;
        let now = clock.unsafeCurrentTimeMillis(), created = creationTimes.get(item), remaining = ttlMillis - (now - created);
        return remaining > 0 ? delay(process(item), remaining) : pool.invalidatePoolItem(item);
      });
      return queue.take.pipe(tap(process), forever);
    },
    onAcquire: (item) => suspend(() => (creationTimes.set(item, clock.unsafeCurrentTimeMillis()), queue.offer(item))),
    reclaim: (_) => succeedNone
  });
})), strategyUsageTTL = (ttl) => map(unbounded(), (queue) => identity({
  run: (pool) => {
    let process = suspend(() => pool.activeSize - pool.targetSize <= 0 ? void_ : queue.take.pipe(tap((item) => pool.invalidatePoolItem(item)), zipRight(process)));
    return process.pipe(delay(ttl), forever);
  },
  onAcquire: (item) => queue.offer(item),
  reclaim(pool) {
    return suspend(() => {
      if (pool.invalidated.size === 0)
        return succeedNone;
      let item = head(filter(pool.invalidated, (item2) => !item2.disableReclaim));
      return item._tag === "None" ? succeedNone : (pool.invalidated.delete(item.value), item.value.refCount < pool.concurrency && pool.available.add(item.value), as(queue.offer(item.value), item));
    });
  }
})), reportUnhandledError = (cause) => withFiberRuntime((fiber) => {
  let unhandledLogLevel = fiber.getFiberRef(currentUnhandledErrorLogLevel);
  return unhandledLogLevel._tag === "Some" && fiber.log("Unhandled error in pool finalizer", cause, unhandledLogLevel), void_;
});

// node_modules/effect/dist/esm/Pool.js
var makeWithTTL2 = makeWithTTL, get3 = get2, invalidate2 = invalidate;

export {
  makeWithTTL2 as makeWithTTL,
  get3 as get,
  invalidate2 as invalidate
};
