import { collectDefaultMetrics, Gauge, Registry } from "prom-client";
import { type AnsweredRequest, RequestFigures } from "./request-figures.ts";

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
