import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

/** One answered request. */
export interface AnsweredRequest {
  /** The route, never the path: paths are without end. */
  readonly operation: string;
  readonly method: string;
  readonly status: number;
  readonly seconds: number;
}

/** Counts requests. */
export interface RequestMetrics {
  observe(request: AnsweredRequest): void;
}

/** The figures of one process. */
export interface Metrics extends RequestMetrics {
  /** A gauge that is read when somebody asks. */
  gauge(name: string, help: string, read: () => number): void;
  /** In Prometheus' text format. */
  text(): Promise<string>;
  readonly contentType: string;
}

/** Figures of this process and of its requests. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const labelNames = ["operation", "method", "status"] as const;
  const registers = [registry];
  const requests = new Counter({ name: "plimsoll_requests_total", help: "Answered requests.", labelNames, registers });
  const seconds = new Histogram({
    name: "plimsoll_request_seconds",
    help: "From a request's first byte to its answer's last.",
    labelNames: ["operation", "method"],
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10, 60, 300],
    registers,
  });
  return {
    observe: ({ operation, method, status, seconds: duration }) => {
      requests.inc({ operation, method, status });
      seconds.observe({ operation, method }, duration);
    },
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
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}
