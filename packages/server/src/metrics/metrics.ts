import { collectDefaultMetrics, Gauge, Registry } from "prom-client";

/** Metrics of requests. */
export interface RequestMetrics {
  observe(request: AnsweredRequest): void;
}

/** The metrics of one process. */
export interface Metrics extends RequestMetrics {
  /** Adds a gauge, which is read whenever metrics are requested. */
  gauge(name: string, help: string, read: () => number): void;
  /** All metrics in Prometheus' text format. */
  text(): Promise<string>;
  readonly contentType: string;
}

/** Creates the metrics of this process and of its requests. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const requests = new RequestFigures();
  return {
    observe: (request) => requests.observe(request),
    gauge: (name, help, read) => {
      new Gauge({
        name,
        help,
        registers,
        collect() {
          this.set(read());
        },
      });
    },
    text: async () => `${await registry.metrics()}${requests.text()}`,
    contentType: registry.contentType,
  };
}

/** One answered request. */
interface AnsweredRequest {
  /** The operation's id and never the path, because the number of paths is unlimited. */
  readonly operation: string;
  readonly method: string;
  readonly status: number;
  readonly seconds: number;
}

/** Upper bounds of the buckets of the histogram. */
const boundsSeconds = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10, 60, 300];

/** The requests of one operation. */
interface Figures {
  readonly labels: string;
  readonly byStatus: Map<number, number>;
  /** For each bound, the requests that took at most that long, and longer than the bound before. */
  readonly buckets: number[];
  count: number;
  seconds: number;
}

/**
 * Counts requests by status, and by duration in a histogram. It runs at every request, so it only reads two maps and counts. A
 * client library builds and hashes a text of the labels each time, which costs as much as the rest of the kernel.
 */
export class RequestFigures {
  readonly #operations = new Map<string, Map<string, Figures>>();

  observe({ operation, method, status, seconds }: AnsweredRequest): void {
    const figures = this.#operations.get(operation)?.get(method) ?? this.#add(operation, method);
    const bucket = boundsSeconds.findIndex((bound) => seconds <= bound);
    if (bucket >= 0) figures.buckets[bucket] = (figures.buckets[bucket] ?? 0) + 1;
    figures.byStatus.set(status, (figures.byStatus.get(status) ?? 0) + 1);
    figures.count += 1;
    figures.seconds += seconds;
  }

  #add(operation: string, method: string): Figures {
    const labels = `operation="${operation}",method="${method}"`;
    const figures = { labels, byStatus: new Map(), buckets: boundsSeconds.map(() => 0), count: 0, seconds: 0 };
    const methods = this.#operations.get(operation) ?? new Map<string, Figures>();
    this.#operations.set(operation, methods.set(method, figures));
    return figures;
  }

  /**
   * All requests in Prometheus' text format.
   * @see https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format
   */
  text(): string {
    const all = [...this.#operations.values()].flatMap((methods) => [...methods.values()]);
    const lines = [
      "# HELP plimsoll_requests_total Answered requests.",
      "# TYPE plimsoll_requests_total counter",
      ...all.flatMap(counterLines),
      "# HELP plimsoll_request_seconds From a request's first byte to its answer's last.",
      "# TYPE plimsoll_request_seconds histogram",
      ...all.flatMap(histogramLines),
    ];
    return `${lines.join("\n")}\n`;
  }
}

function counterLines({ labels, byStatus }: Figures): string[] {
  return [...byStatus].map(([status, count]) => `plimsoll_requests_total{${labels},status="${status}"} ${count}`);
}

function histogramLines({ labels, buckets, count, seconds }: Figures): string[] {
  let upTo = 0;
  const bucketLines = boundsSeconds.map((bound, index) => {
    upTo += buckets[index] ?? 0;
    return `plimsoll_request_seconds_bucket{le="${bound}",${labels}} ${upTo}`;
  });
  return [
    ...bucketLines,
    `plimsoll_request_seconds_bucket{le="+Inf",${labels}} ${count}`,
    `plimsoll_request_seconds_sum{${labels}} ${seconds}`,
    `plimsoll_request_seconds_count{${labels}} ${count}`,
  ];
}

/** Caches the result of `read` for `everyMs`. Failures are not cached. */
export function readAtMostEvery<T>(
  everyMs: number,
  read: () => Promise<T>,
  now: () => number = () => performance.now(),
): () => Promise<T> {
  let last: { readonly at: number; readonly value: Promise<T> } | undefined;
  return () => {
    if (last !== undefined && now() - last.at < everyMs) return last.value;
    const value = read();
    const mine = { at: now(), value };
    last = mine;
    value.catch(() => {
      if (last === mine) last = undefined;
    });
    return value;
  };
}
