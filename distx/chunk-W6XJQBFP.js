import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  isCounterState,
  isFrequencyState,
  isGaugeState,
  isHistogramState,
  isSummaryState,
  watch
} from "./chunk-FKOQU2V5.js";
import {
  SettingInvalid
} from "./chunk-BMNGXVO7.js";
import {
  warn
} from "./chunk-CZDJQLZL.js";
import {
  concealSecrets,
  fromMap
} from "./chunk-Y3UV4EDE.js";
import {
  cleaned,
  guarded
} from "./chunk-IDJZP65R.js";
import {
  addScoped,
  make as make4,
  mapInputOptions
} from "./chunk-TDODX2FN.js";
import {
  HttpClient,
  RequestError,
  catalogue,
  counter,
  filterStatusOk,
  fromInput2 as fromInput,
  fromWeb,
  isHttpClientError,
  make as make3,
  makeRuntime,
  merge,
  post,
  retryTransient,
  sample,
  scrub,
  setBody,
  textOf,
  unsafeFromRecord,
  unsafeJson,
  unsafeSnapshot
} from "./chunk-PGOM52WJ.js";
import {
  version
} from "./chunk-XQTUQ7MU.js";
import "./chunk-OH7QELJ7.js";
import "./chunk-NEXSCO5F.js";
import {
  addDelay,
  currentContext,
  forever as forever2,
  passthrough,
  spaced
} from "./chunk-4U3SQ3WC.js";
import "./chunk-DUMKR6VQ.js";
import {
  all,
  make as make2,
  map as map3,
  mergeAll,
  provide,
  provideMerge,
  scoped,
  scopedDiscard,
  setTracer,
  string,
  succeed as succeed2,
  unwrapScoped,
  value,
  withDefault
} from "./chunk-PAQDWWDE.js";
import {
  ParentSpan,
  Tag,
  _void,
  addFinalizer,
  addFinalizer2,
  allocate,
  annotateLogs,
  asVoid3 as asVoid,
  awaitAll,
  catchAllCause3 as catchAllCause,
  clock,
  decode,
  ensure,
  fail5 as fail,
  flatMap5 as flatMap2,
  fnUntraced2 as fnUntraced,
  forever3 as forever,
  forkDaemon2 as forkDaemon,
  forkIn2 as forkIn,
  forkScoped,
  gen,
  getOption,
  getOrDefault,
  ignore,
  interruptAll,
  interruptible2 as interruptible,
  isEmpty2 as isEmpty,
  isInterruptedOnly,
  join,
  logDebug,
  make6 as make,
  map5 as map,
  map9 as map2,
  orDie2 as orDie,
  parse,
  pretty,
  prettyErrors,
  reduce,
  repeat,
  scope,
  seconds,
  sleep2 as sleep,
  succeed4 as succeed,
  suspend2 as suspend,
  sync3 as sync,
  tapError,
  threadName,
  timeoutFail,
  timeoutOption,
  toMillis,
  tryPromise,
  withConfigProvider,
  withTracerEnabled,
  zipRight3 as zipRight
} from "./chunk-JGKSI326.js";
import "./chunk-6CVURTE2.js";
import "./chunk-FWQRLSGQ.js";
import {
  canParse
} from "./chunk-X7W2U4JF.js";
import {
  flatMap,
  fromNullable,
  getOrElse,
  isSome,
  toStringUnknown
} from "./chunk-ANBJACJV.js";
import "./chunk-E2DHRGUQ.js";

// node_modules/@effect/opentelemetry/dist/esm/internal/otlpExporter.js
var policy = /* @__PURE__ */ forever2.pipe(passthrough, /* @__PURE__ */ addDelay((error) => {
  if (isHttpClientError(error) && error._tag === "ResponseError" && error.response.status === 429) {
    let retryAfter = fromNullable(error.response.headers["retry-after"]).pipe(flatMap(parse), getOrElse(() => 5));
    return seconds(retryAfter);
  }
  return seconds(1);
})), make5 = /* @__PURE__ */ fnUntraced(function* (options) {
  let clock2 = yield* clock, scope2 = yield* scope, exportInterval = decode(options.exportInterval), disabledUntil, client = filterStatusOk(yield* HttpClient).pipe(retryTransient({
    schedule: policy,
    times: 3
  })), headers = unsafeFromRecord({
    "user-agent": `effect-opentelemetry-${options.label}/0.0.0`
  });
  options.headers && (headers = merge(fromInput(options.headers), headers));
  let request = post(options.url, {
    headers
  }), buffer = [], runExport = suspend(() => {
    if (disabledUntil !== void 0 && clock2.unsafeCurrentTimeMillis() < disabledUntil)
      return _void;
    disabledUntil !== void 0 && (disabledUntil = void 0);
    let items = buffer;
    if (options.maxBatchSize !== "disabled") {
      if (buffer.length === 0)
        return _void;
      buffer = [];
    }
    let body = options.body(items), requestWithBody = setBody(request, body);
    return client.execute(requestWithBody).pipe(asVoid, withTracerEnabled(!1));
  }).pipe(catchAllCause((cause) => disabledUntil !== void 0 ? _void : (disabledUntil = clock2.unsafeCurrentTimeMillis() + toMillis("1 minute"), logDebug(`Disabling ${options.label} for 60 seconds`, cause))));
  yield* addFinalizer(scope2, runExport.pipe(ignore, interruptible, timeoutOption(options.shutdownTimeout))), yield* sleep(exportInterval).pipe(zipRight(runExport), forever, annotateLogs({
    package: "@effect/opentelemetry",
    module: options.label
  }), forkIn(scope2), interruptible);
  let runFork = yield* makeRuntime().pipe(interruptible);
  return {
    push(data) {
      disabledUntil === void 0 && (buffer.push(data), options.maxBatchSize !== "disabled" && buffer.length >= options.maxBatchSize && runFork(runExport));
    }
  };
});

// node_modules/@effect/opentelemetry/dist/esm/OtlpResource.js
var ATTR_SERVICE_NAME = "service.name", ATTR_SERVICE_VERSION = "service.version", make6 = (options) => {
  let resourceAttributes = options.attributes ? entriesToAttributes(Object.entries(options.attributes)) : [];
  return resourceAttributes.push({
    key: ATTR_SERVICE_NAME,
    value: {
      stringValue: options.serviceName
    }
  }), options.serviceVersion && resourceAttributes.push({
    key: ATTR_SERVICE_VERSION,
    value: {
      stringValue: options.serviceVersion
    }
  }), {
    attributes: resourceAttributes,
    droppedAttributesCount: 0
  };
}, fromConfig = /* @__PURE__ */ fnUntraced(function* (options) {
  let attributes = yield* string("OTEL_RESOURCE_ATTRIBUTES").pipe(map3((s) => {
    let attrs = s.split(",");
    return reduce(attrs, {}, (acc, attr) => {
      let parts = attr.split("=");
      return parts.length !== 2 || (acc[parts[0].trim()] = parts[1].trim()), acc;
    });
  }), withDefault({}), map2((envAttrs) => ({
    ...envAttrs,
    ...options?.attributes
  }))), serviceName = options?.serviceName ?? attributes[ATTR_SERVICE_NAME] ?? (yield* string("OTEL_SERVICE_NAME")), serviceVersion = options?.serviceVersion ?? attributes[ATTR_SERVICE_VERSION] ?? (yield* string("OTEL_SERVICE_VERSION").pipe(withDefault(void 0)));
  return make6({
    serviceName,
    serviceVersion,
    attributes
  });
}, orDie), unsafeServiceName = (resource) => {
  let serviceNameAttribute = resource.attributes.find((attr) => attr.key === ATTR_SERVICE_NAME);
  if (!serviceNameAttribute || !serviceNameAttribute.value.stringValue)
    throw new Error("Resource does not contain a service name");
  return serviceNameAttribute.value.stringValue;
}, entriesToAttributes = (entries) => {
  let attributes = [];
  for (let [key, value2] of entries)
    attributes.push({
      key,
      value: unknownToAttributeValue(value2)
    });
  return attributes;
}, unknownToAttributeValue = (value2) => {
  if (Array.isArray(value2))
    return {
      arrayValue: {
        values: value2.map(unknownToAttributeValue)
      }
    };
  switch (typeof value2) {
    case "string":
      return {
        stringValue: value2
      };
    case "bigint":
      return {
        intValue: Number(value2)
      };
    case "number":
      return Number.isInteger(value2) ? {
        intValue: value2
      } : {
        doubleValue: value2
      };
    case "boolean":
      return {
        boolValue: value2
      };
    default:
      return {
        stringValue: toStringUnknown(value2)
      };
  }
};

// node_modules/@effect/opentelemetry/dist/esm/OtlpSerialization.js
var OtlpSerialization = class extends (/* @__PURE__ */ Tag("@effect/opentelemetry/OtlpSerialization")()) {
};

// node_modules/@effect/opentelemetry/dist/esm/OtlpLogger.js
var make7 = /* @__PURE__ */ fnUntraced(function* (options) {
  let otelResource = yield* fromConfig(options.resource), scope2 = {
    name: unsafeServiceName(otelResource)
  }, serialization2 = yield* OtlpSerialization, exporter = yield* make5({
    label: "OtlpLogger",
    url: options.url,
    headers: options.headers,
    maxBatchSize: options.maxBatchSize ?? 1e3,
    exportInterval: options.exportInterval ?? seconds(1),
    body(data) {
      let body = {
        resourceLogs: [{
          resource: otelResource,
          scopeLogs: [{
            scope: scope2,
            logRecords: data
          }]
        }]
      };
      return serialization2.logs(body);
    },
    shutdownTimeout: options.shutdownTimeout ?? seconds(3)
  }), opts = {
    excludeLogSpans: options.excludeLogSpans ?? !1
  };
  return make4((options2) => {
    exporter.push(makeLogRecord(options2, opts));
  });
});
var makeLogRecord = (options, opts) => {
  let now = options.date.getTime(), nanosString = `${now}000000`, attributes = entriesToAttributes(options.annotations);
  if (attributes.push({
    key: "fiberId",
    value: {
      stringValue: threadName(options.fiberId)
    }
  }), !opts.excludeLogSpans)
    for (let span of options.spans)
      attributes.push({
        key: `logSpan.${span.label}`,
        value: {
          stringValue: `${now - span.startTime}ms`
        }
      });
  isEmpty(options.cause) || attributes.push({
    key: "log.error",
    value: {
      stringValue: pretty(options.cause, {
        renderErrorCause: !0
      })
    }
  });
  let message = ensure(options.message), maybeSpan = getOption(getOrDefault(options.context, currentContext), ParentSpan), logRecord = {
    severityNumber: logLevelToSeverityNumber(options.logLevel),
    severityText: options.logLevel.label,
    timeUnixNano: nanosString,
    observedTimeUnixNano: nanosString,
    attributes,
    body: unknownToAttributeValue(message.length === 1 ? message[0] : message),
    droppedAttributesCount: 0
  };
  return isSome(maybeSpan) && (logRecord.traceId = maybeSpan.value.traceId, logRecord.spanId = maybeSpan.value.spanId), logRecord;
}, logLevelToSeverityNumber = (logLevel) => {
  switch (logLevel._tag) {
    case "Trace":
      return ESeverityNumber.SEVERITY_NUMBER_TRACE;
    case "Debug":
      return ESeverityNumber.SEVERITY_NUMBER_DEBUG;
    case "Info":
      return ESeverityNumber.SEVERITY_NUMBER_INFO;
    case "Warning":
      return ESeverityNumber.SEVERITY_NUMBER_WARN;
    case "Error":
      return ESeverityNumber.SEVERITY_NUMBER_ERROR;
    case "Fatal":
      return ESeverityNumber.SEVERITY_NUMBER_FATAL;
    default:
      return ESeverityNumber.SEVERITY_NUMBER_UNSPECIFIED;
  }
}, ESeverityNumber;
(function(ESeverityNumber2) {
  ESeverityNumber2[ESeverityNumber2.SEVERITY_NUMBER_UNSPECIFIED = 0] = "SEVERITY_NUMBER_UNSPECIFIED", ESeverityNumber2[ESeverityNumber2.SEVERITY_NUMBER_TRACE = 1] = "SEVERITY_NUMBER_TRACE", ESeverityNumber2[ESeverityNumber2.SEVERITY_NUMBER_TRACE2 = 2] = "SEVERITY_NUMBER_TRACE2", ESeverityNumber2[ESeverityNumber2.SEVERITY_NUMBER_TRACE3 = 3] = "SEVERITY_NUMBER_TRACE3", ESeverityNumber2[ESeverityNumber2.SEVERITY_NUMBER_TRACE4 = 4] = "SEVERITY_NUMBER_TRACE4", ESeverityNumber2[ESeverityNumber2.SEVERITY_NUMBER_DEBUG = 5] = "SEVERITY_NUMBER_DEBUG", ESeverityNumber2[ESeverityNumber2.SEVERITY_NUMBER_DEBUG2 = 6] = "SEVERITY_NUMBER_DEBUG2", ESeverityNumber2[ESeverityNumber2.SEVERITY_NUMBER_DEBUG3 = 7] = "SEVERITY_NUMBER_DEBUG3", ESeverityNumber2[ESeverityNumber2.SEVERITY_NUMBER_DEBUG4 = 8] = "SEVERITY_NUMBER_DEBUG4", ESeverityNumber2[ESeverityNumber2.SEVERITY_NUMBER_INFO = 9] = "SEVERITY_NUMBER_INFO", ESeverityNumber2[ESeverityNumber2.SEVERITY_NUMBER_INFO2 = 10] = "SEVERITY_NUMBER_INFO2", ESeverityNumber2[ESeverityNumber2.SEVERITY_NUMBER_INFO3 = 11] = "SEVERITY_NUMBER_INFO3", ESeverityNumber2[ESeverityNumber2.SEVERITY_NUMBER_INFO4 = 12] = "SEVERITY_NUMBER_INFO4", ESeverityNumber2[ESeverityNumber2.SEVERITY_NUMBER_WARN = 13] = "SEVERITY_NUMBER_WARN", ESeverityNumber2[ESeverityNumber2.SEVERITY_NUMBER_WARN2 = 14] = "SEVERITY_NUMBER_WARN2", ESeverityNumber2[ESeverityNumber2.SEVERITY_NUMBER_WARN3 = 15] = "SEVERITY_NUMBER_WARN3", ESeverityNumber2[ESeverityNumber2.SEVERITY_NUMBER_WARN4 = 16] = "SEVERITY_NUMBER_WARN4", ESeverityNumber2[ESeverityNumber2.SEVERITY_NUMBER_ERROR = 17] = "SEVERITY_NUMBER_ERROR", ESeverityNumber2[ESeverityNumber2.SEVERITY_NUMBER_ERROR2 = 18] = "SEVERITY_NUMBER_ERROR2", ESeverityNumber2[ESeverityNumber2.SEVERITY_NUMBER_ERROR3 = 19] = "SEVERITY_NUMBER_ERROR3", ESeverityNumber2[ESeverityNumber2.SEVERITY_NUMBER_ERROR4 = 20] = "SEVERITY_NUMBER_ERROR4", ESeverityNumber2[ESeverityNumber2.SEVERITY_NUMBER_FATAL = 21] = "SEVERITY_NUMBER_FATAL", ESeverityNumber2[ESeverityNumber2.SEVERITY_NUMBER_FATAL2 = 22] = "SEVERITY_NUMBER_FATAL2", ESeverityNumber2[ESeverityNumber2.SEVERITY_NUMBER_FATAL3 = 23] = "SEVERITY_NUMBER_FATAL3", ESeverityNumber2[ESeverityNumber2.SEVERITY_NUMBER_FATAL4 = 24] = "SEVERITY_NUMBER_FATAL4";
})(ESeverityNumber || (ESeverityNumber = {}));

// node_modules/@effect/opentelemetry/dist/esm/OtlpMetrics.js
var make8 = /* @__PURE__ */ fnUntraced(function* (options) {
  let clock2 = yield* clock, startTime = String(clock2.unsafeCurrentTimeNanos()), resource = yield* fromConfig(options.resource), metricsScope = {
    name: unsafeServiceName(resource)
  }, serialization2 = yield* OtlpSerialization, snapshot = () => {
    let snapshot2 = unsafeSnapshot(), nowNanos = clock2.unsafeCurrentTimeNanos(), nowTime = String(nowNanos), metricData = [], metricDataByName = /* @__PURE__ */ new Map(), addMetricData = (data) => {
      metricData.push(data), metricDataByName.set(data.name, data);
    };
    for (let i = 0, len = snapshot2.length; i < len; i++) {
      let {
        metricKey,
        metricState
      } = snapshot2[i], unit = "1", attributes = reduce(metricKey.tags, [], (acc, label) => ((label.key === "unit" || label.key === "time_unit") && (unit = label.value), acc.push({
        key: label.key,
        value: {
          stringValue: label.value
        }
      }), acc));
      if (isCounterState(metricState)) {
        let dataPoint = {
          attributes,
          startTimeUnixNano: startTime,
          timeUnixNano: nowTime
        };
        if (typeof metricState.count == "bigint" ? dataPoint.asInt = Number(metricState.count) : dataPoint.asDouble = metricState.count, metricDataByName.has(metricKey.name))
          metricDataByName.get(metricKey.name).sum.dataPoints.push(dataPoint);
        else {
          let key = metricKey;
          addMetricData({
            name: metricKey.name,
            description: getOrEmpty(key.description),
            unit,
            sum: {
              aggregationTemporality: EAggregationTemporality.AGGREGATION_TEMPORALITY_CUMULATIVE,
              isMonotonic: key.keyType.incremental,
              dataPoints: [dataPoint]
            }
          });
        }
      } else if (isGaugeState(metricState)) {
        let dataPoint = {
          attributes,
          startTimeUnixNano: startTime,
          timeUnixNano: nowTime
        };
        typeof metricState.value == "bigint" ? dataPoint.asInt = Number(metricState.value) : dataPoint.asDouble = metricState.value, metricDataByName.has(metricKey.name) ? metricDataByName.get(metricKey.name).gauge.dataPoints.push(dataPoint) : addMetricData({
          name: metricKey.name,
          description: getOrEmpty(metricKey.description),
          unit,
          gauge: {
            dataPoints: [dataPoint]
          }
        });
      } else if (isHistogramState(metricState)) {
        let size = metricState.buckets.length, buckets = {
          boundaries: allocate(size - 1),
          counts: allocate(size)
        }, i2 = 0, prev = 0;
        for (let [boundary, value2] of metricState.buckets)
          i2 < size - 1 && (buckets.boundaries[i2] = boundary), buckets.counts[i2] = value2 - prev, prev = value2, i2++;
        let dataPoint = {
          attributes,
          startTimeUnixNano: startTime,
          timeUnixNano: nowTime,
          count: metricState.count,
          min: metricState.min,
          max: metricState.max,
          sum: metricState.sum,
          bucketCounts: buckets.counts,
          explicitBounds: buckets.boundaries
        };
        metricDataByName.has(metricKey.name) ? metricDataByName.get(metricKey.name).histogram.dataPoints.push(dataPoint) : addMetricData({
          name: metricKey.name,
          description: getOrEmpty(metricKey.description),
          unit,
          histogram: {
            aggregationTemporality: EAggregationTemporality.AGGREGATION_TEMPORALITY_CUMULATIVE,
            dataPoints: [dataPoint]
          }
        });
      } else if (isFrequencyState(metricState)) {
        let dataPoints = [];
        for (let [freqKey, value2] of metricState.occurrences)
          dataPoints.push({
            attributes: [...attributes, {
              key: "key",
              value: {
                stringValue: freqKey
              }
            }],
            startTimeUnixNano: startTime,
            timeUnixNano: nowTime,
            asInt: value2
          });
        metricDataByName.has(metricKey.name) ? metricDataByName.get(metricKey.name).sum.dataPoints.push(...dataPoints) : addMetricData({
          name: metricKey.name,
          description: getOrEmpty(metricKey.description),
          unit,
          sum: {
            aggregationTemporality: EAggregationTemporality.AGGREGATION_TEMPORALITY_CUMULATIVE,
            isMonotonic: !0,
            dataPoints
          }
        });
      } else if (isSummaryState(metricState)) {
        let dataPoints = [{
          attributes: [...attributes, {
            key: "quantile",
            value: {
              stringValue: "min"
            }
          }],
          startTimeUnixNano: startTime,
          timeUnixNano: nowTime,
          asDouble: metricState.min
        }];
        for (let [quantile, value2] of metricState.quantiles)
          dataPoints.push({
            attributes: [...attributes, {
              key: "quantile",
              value: {
                stringValue: quantile.toString()
              }
            }],
            startTimeUnixNano: startTime,
            timeUnixNano: nowTime,
            asDouble: value2._tag === "Some" ? value2.value : 0
          });
        dataPoints.push({
          attributes: [...attributes, {
            key: "quantile",
            value: {
              stringValue: "max"
            }
          }],
          startTimeUnixNano: startTime,
          timeUnixNano: nowTime,
          asDouble: metricState.max
        });
        let countDataPoint = {
          attributes,
          startTimeUnixNano: startTime,
          timeUnixNano: nowTime,
          asInt: metricState.count
        }, sumDataPoint = {
          attributes,
          startTimeUnixNano: startTime,
          timeUnixNano: nowTime,
          asDouble: metricState.sum
        };
        metricDataByName.has(`${metricKey.name}_quantiles`) ? (metricDataByName.get(`${metricKey.name}_quantiles`).sum.dataPoints.push(...dataPoints), metricDataByName.get(`${metricKey.name}_count`).sum.dataPoints.push(countDataPoint), metricDataByName.get(`${metricKey.name}_sum`).sum.dataPoints.push(sumDataPoint)) : (addMetricData({
          name: `${metricKey.name}_quantiles`,
          description: getOrEmpty(metricKey.description),
          unit,
          sum: {
            aggregationTemporality: EAggregationTemporality.AGGREGATION_TEMPORALITY_CUMULATIVE,
            isMonotonic: !1,
            dataPoints
          }
        }), addMetricData({
          name: `${metricKey.name}_count`,
          description: getOrEmpty(metricKey.description),
          unit: "1",
          sum: {
            aggregationTemporality: EAggregationTemporality.AGGREGATION_TEMPORALITY_CUMULATIVE,
            isMonotonic: !0,
            dataPoints: [countDataPoint]
          }
        }), addMetricData({
          name: `${metricKey.name}_sum`,
          description: getOrEmpty(metricKey.description),
          unit: "1",
          sum: {
            aggregationTemporality: EAggregationTemporality.AGGREGATION_TEMPORALITY_CUMULATIVE,
            isMonotonic: !0,
            dataPoints: [sumDataPoint]
          }
        }));
      }
    }
    let body = {
      resourceMetrics: [{
        resource,
        scopeMetrics: [{
          scope: metricsScope,
          metrics: metricData
        }]
      }]
    };
    return serialization2.metrics(body);
  };
  yield* make5({
    label: "OtlpMetrics",
    url: options.url,
    headers: options.headers,
    maxBatchSize: "disabled",
    exportInterval: options.exportInterval ?? seconds(10),
    body: snapshot,
    shutdownTimeout: options.shutdownTimeout ?? seconds(3)
  });
}), layer = (options) => scopedDiscard(make8(options)), getOrEmpty = /* @__PURE__ */ getOrElse(() => ""), EAggregationTemporality;
(function(EAggregationTemporality2) {
  EAggregationTemporality2[EAggregationTemporality2.AGGREGATION_TEMPORALITY_UNSPECIFIED = 0] = "AGGREGATION_TEMPORALITY_UNSPECIFIED", EAggregationTemporality2[EAggregationTemporality2.AGGREGATION_TEMPORALITY_DELTA = 1] = "AGGREGATION_TEMPORALITY_DELTA", EAggregationTemporality2[EAggregationTemporality2.AGGREGATION_TEMPORALITY_CUMULATIVE = 2] = "AGGREGATION_TEMPORALITY_CUMULATIVE";
})(EAggregationTemporality || (EAggregationTemporality = {}));

// node_modules/@effect/opentelemetry/dist/esm/OtlpTracer.js
var ATTR_EXCEPTION_TYPE = "exception.type", ATTR_EXCEPTION_MESSAGE = "exception.message", ATTR_EXCEPTION_STACKTRACE = "exception.stacktrace", make9 = /* @__PURE__ */ fnUntraced(function* (options) {
  let otelResource = yield* fromConfig(options.resource), scope2 = {
    name: unsafeServiceName(otelResource)
  }, serialization2 = yield* OtlpSerialization, exporter = yield* make5({
    label: "OtlpTracer",
    url: options.url,
    headers: options.headers,
    exportInterval: options.exportInterval ?? seconds(5),
    maxBatchSize: options.maxBatchSize ?? 1e3,
    body(spans) {
      let data = {
        resourceSpans: [{
          resource: otelResource,
          scopeSpans: [{
            scope: scope2,
            spans
          }]
        }]
      };
      return serialization2.traces(data);
    },
    shutdownTimeout: options.shutdownTimeout ?? seconds(3)
  }), exportFn = (span) => {
    exporter.push(makeOtlpSpan(span));
  };
  return make({
    span(name, parent, context, links, startTime, kind) {
      return makeSpan({
        name,
        parent,
        context,
        status: {
          _tag: "Started",
          startTime
        },
        attributes: /* @__PURE__ */ new Map(),
        links,
        sampled: !0,
        kind,
        export: exportFn
      });
    },
    context: options.context ? function(f, fiber) {
      return fiber.currentSpan === void 0 ? f() : options.context(f, fiber.currentSpan);
    } : defaultContext
  });
});
function defaultContext(f, _) {
  return f();
}
var SpanProto = {
  _tag: "Span",
  end(endTime, exit) {
    this.status = {
      _tag: "Ended",
      startTime: this.status.startTime,
      endTime,
      exit
    }, this.export(this);
  },
  attribute(key, value2) {
    this.attributes.set(key, value2);
  },
  event(name, startTime, attributes) {
    this.events.push([name, startTime, attributes]);
  },
  addLinks(links) {
    this.links.push(...links);
  }
}, makeSpan = (options) => {
  let self = Object.assign(Object.create(SpanProto), options);
  return isSome(self.parent) ? self.traceId = self.parent.value.traceId : self.traceId = generateId(32), self.spanId = generateId(16), self.events = [], self;
}, generateId = (len) => {
  let chars = "0123456789abcdef", result = "";
  for (let i = 0; i < len; i++)
    result += chars[Math.floor(Math.random() * chars.length)];
  return result;
}, makeOtlpSpan = (self) => {
  let status = self.status, attributes = entriesToAttributes(self.attributes.entries()), events = self.events.map(([name, startTime, attributes2]) => ({
    name,
    timeUnixNano: String(startTime),
    attributes: attributes2 ? entriesToAttributes(Object.entries(attributes2)) : [],
    droppedAttributesCount: 0
  })), otelStatus;
  if (status.exit._tag === "Success")
    otelStatus = constOtelStatusSuccess;
  else if (isInterruptedOnly(status.exit.cause))
    otelStatus = {
      code: StatusCode.Ok,
      message: pretty(status.exit.cause)
    };
  else {
    let firstError = prettyErrors(status.exit.cause)[0];
    otelStatus = {
      code: StatusCode.Error
    }, attributes.push({
      key: "span.label",
      value: {
        stringValue: "\u26A0\uFE0E Interrupted"
      }
    }, {
      key: "status.interrupted",
      value: {
        boolValue: !0
      }
    }), firstError && (otelStatus.message = firstError.message, events.push({
      name: "exception",
      timeUnixNano: String(status.endTime),
      droppedAttributesCount: 0,
      attributes: [{
        key: ATTR_EXCEPTION_TYPE,
        value: {
          stringValue: firstError.name
        }
      }, {
        key: ATTR_EXCEPTION_MESSAGE,
        value: {
          stringValue: firstError.message
        }
      }, {
        key: ATTR_EXCEPTION_STACKTRACE,
        value: {
          stringValue: pretty(status.exit.cause, {
            renderErrorCause: !0
          })
        }
      }]
    }));
  }
  return {
    traceId: self.traceId,
    spanId: self.spanId,
    parentSpanId: isSome(self.parent) ? self.parent.value.spanId : void 0,
    name: self.name,
    kind: SpanKind[self.kind],
    startTimeUnixNano: String(status.startTime),
    endTimeUnixNano: String(status.endTime),
    attributes,
    droppedAttributesCount: 0,
    events,
    droppedEventsCount: 0,
    status: otelStatus,
    links: self.links.map((link) => ({
      traceId: link.span.traceId,
      spanId: link.span.spanId,
      attributes: entriesToAttributes(Object.entries(link.attributes)),
      droppedAttributesCount: 0
    })),
    droppedLinksCount: 0
  };
}, StatusCode;
(function(StatusCode2) {
  StatusCode2[StatusCode2.Unset = 0] = "Unset", StatusCode2[StatusCode2.Ok = 1] = "Ok", StatusCode2[StatusCode2.Error = 2] = "Error";
})(StatusCode || (StatusCode = {}));
var SpanKind;
(function(SpanKind2) {
  SpanKind2[SpanKind2.unspecified = 0] = "unspecified", SpanKind2[SpanKind2.internal = 1] = "internal", SpanKind2[SpanKind2.server = 2] = "server", SpanKind2[SpanKind2.client = 3] = "client", SpanKind2[SpanKind2.producer = 4] = "producer", SpanKind2[SpanKind2.consumer = 5] = "consumer";
})(SpanKind || (SpanKind = {}));
var constOtelStatusSuccess = {
  code: StatusCode.Ok
};

// src/Telemetry/Export.ts
var batch = 512, interval = "2 seconds", metricsInterval = "15 seconds", shutdown = "2 seconds", failed = 2, mislabelled = /* @__PURE__ */ new Set(["span.label", "status.interrupted"]), relabelled = (data) => {
  for (let { scopeSpans } of data.resourceSpans)
    for (let span of scopeSpans.flatMap(({ spans }) => spans))
      span.status.code === failed && (span.attributes = span.attributes.filter(({ key }) => !mislabelled.has(key)));
  return data;
}, serialization = succeed2(OtlpSerialization, {
  traces: (data) => unsafeJson(relabelled(data)),
  metrics: unsafeJson,
  logs: unsafeJson
}), text = (value2) => typeof value2 == "number" || typeof value2 == "boolean" ? value2 : textOf(value2), cleanLog = (options) => ({
  ...options,
  message: Array.isArray(options.message) ? options.message.map(text) : text(options.message),
  cause: isEmpty(options.cause) ? options.cause : cleaned(options.cause),
  annotations: map(options.annotations, text)
}), layer2 = ({ attributes, endpoint, headers, serviceName, share, tell }) => {
  let base = endpoint.href.replace(/\/+$/, ""), common = {
    headers: Object.fromEntries(Object.entries(headers).map(([name, value2]) => [name, value(value2)])),
    resource: { serviceName, serviceVersion: version, attributes: { ...attributes } },
    shutdownTimeout: shutdown
  }, tracer = unwrapScoped(
    map2(
      make9({ ...common, url: `${base}/v1/traces`, exportInterval: interval, maxBatchSize: batch }),
      (exporting) => setTracer(guarded(exporting, share))
    )
  ), logger = addScoped(
    map2(
      make7({ ...common, url: `${base}/v1/logs`, exportInterval: interval, maxBatchSize: batch }),
      mapInputOptions(cleanLog)
    )
  ), metrics = layer({ ...common, url: `${base}/v1/metrics`, exportInterval: metricsInterval }), gauges = scopedDiscard(
    gen(function* () {
      yield* watch, yield* sample, yield* forkScoped(repeat(sample, spaced("10 seconds"))), yield* addFinalizer2(() => sample);
    })
  );
  return mergeAll(tracer, logger, provideMerge(gauges, metrics)).pipe(
    provide(scoped(HttpClient, makeDelivery({ host: endpoint.host, tell }))),
    provide(serialization)
  );
}, dropped = counter(
  "sluice_telemetry_dropped_total",
  "Batches of spans, metrics or log lines that no collector took.",
  ["signal"]
), most = 4, patience = seconds(5), farewell = seconds(2), busy = /* @__PURE__ */ new Set([429, 502, 503, 504]), pause = seconds(1), reasonOf = (error) => {
  if (!(error instanceof Error)) return String(error);
  let { cause } = error;
  return cause instanceof Error && cause.message !== "" ? reasonOf(cause) : error.message;
}, makeDelivery = ({
  host,
  tell
}) => gen(function* () {
  let underway = /* @__PURE__ */ new Set(), told = !1, lost = (signal, reason) => {
    dropped.add(1, signal), !told && (told = !0, tell(
      `traces, metrics and logs do not reach ${host}: ${scrub(reason)}. It is tried again every minute; what is done goes on. Check OTEL_EXPORTER_OTLP_ENDPOINT`
    ));
  };
  return yield* addFinalizer2(
    () => suspend(() => awaitAll([...underway])).pipe(
      interruptible,
      timeoutOption(farewell),
      zipRight(
        suspend(() => (underway.size > 0 && lost("all", "it does not answer"), interruptAll([...underway])))
      )
    )
  ), make3((request, url) => {
    let signal = url.pathname.split("/").at(-1) ?? "", refused = (reason) => (
      // Said like this nobody tries again by himself.
      new RequestError({ request, reason: "InvalidUrl", description: reason })
    );
    if (underway.size >= most)
      return sync(() => (dropped.add(1, signal), fromWeb(request, new Response(null, { status: 204 }))));
    let body = request.body._tag === "Uint8Array" ? Uint8Array.from(request.body.body) : new Uint8Array(), { "content-length": _, ...given } = request.headers, headers = { ...given, "content-type": "application/json" }, once = tryPromise({
      try: (abort) => fetch(url, {
        method: "POST",
        headers,
        body,
        signal: abort,
        // Its headers may hold a key, which is for this address alone.
        redirect: "error"
      }).then((response) => response.arrayBuffer().then(() => response)),
      catch: (cause) => refused(reasonOf(cause))
    }), delivered = once.pipe(
      flatMap2(
        (response) => busy.has(response.status) ? zipRight(sleep(pause), once) : succeed(response)
      ),
      timeoutFail({ duration: patience, onTimeout: () => refused("it does not answer") }),
      flatMap2(
        (response) => response.ok ? succeed(response) : fail(refused(`it answers with status ${response.status}`))
      ),
      tapError(({ description = "" }) => sync(() => lost(signal, description))),
      map2((response) => fromWeb(request, new Response(null, { status: response.status }))),
      withTracerEnabled(!1)
    );
    return flatMap2(forkDaemon(interruptible(delivered)), (fiber) => (underway.add(fiber), fiber.addObserver(() => underway.delete(fiber)), join(fiber)));
  });
});

// src/Cli/Telemetry.ts
var pairsOf = (text2) => {
  let pairs = {};
  for (let part of text2.split(",").map((each) => each.trim())) {
    if (part === "") continue;
    let at = part.indexOf("="), value2 = part.slice(at + 1).trim();
    if (at < 1) return;
    pairs[part.slice(0, at).trim()] = /^(?:[^%]|%[0-7][0-9a-f])*$/i.test(value2) ? decodeURIComponent(value2) : value2;
  }
  return pairs;
}, invalid = ({ env }, reason) => new SettingInvalid({ name: env, reason }), headerName = /^[!#$%&'*+.^_`|~\w-]+$/, headerValue = /^[\t\x20-\x7e]*$/, settings = all({
  endpoint: catalogue.otlpEndpoint.config,
  headers: catalogue.otlpHeaders.config,
  serviceName: catalogue.serviceName.config,
  attributes: catalogue.resourceAttributes.config,
  share: catalogue.traceShare.config
}), layerOf = ({ env, err }) => gen(function* () {
  concealSecrets(env);
  let given = new Map(Object.entries(env).flatMap(([name, value2]) => value2 === void 0 ? [] : [[name, value2]])), {
    attributes,
    endpoint = "",
    headers,
    serviceName,
    share
  } = yield* withConfigProvider(settings, fromMap(given));
  if (!canParse(endpoint) || !/^https?:$/.test(new URL(endpoint).protocol))
    return yield* invalid(catalogue.otlpEndpoint, "it is no address like http://127.0.0.1:4318");
  let url = new URL(endpoint);
  if (url.username !== "" || url.password !== "")
    return yield* invalid(
      catalogue.otlpEndpoint,
      `it contains a name or password: give them as a header in ${catalogue.otlpHeaders.env}`
    );
  if (url.search !== "" || url.hash !== "")
    return yield* invalid(
      catalogue.otlpEndpoint,
      "what is behind ? or # would be lost: a collector has its path only"
    );
  let named = pairsOf(headers === void 0 ? "" : value(headers)), isSendable = Object.entries(named ?? {}).every(
    ([name, value2]) => headerName.test(name) && headerValue.test(value2)
  );
  if (named === void 0 || !isSendable) return yield* invalid(catalogue.otlpHeaders, "it is not name=value,\u2026");
  let said = pairsOf(attributes);
  return said === void 0 ? yield* invalid(catalogue.resourceAttributes, "it is not name=value,\u2026") : layer2({
    endpoint: url,
    headers: Object.fromEntries(Object.entries(named).map(([name, value2]) => [name, make2(value2)])),
    serviceName,
    attributes: said,
    share,
    tell: (message) => warn(err, message)
  });
});
export {
  layerOf
};
