import { collectDefaultMetrics, Gauge, Registry } from "prom-client";
import { type AnsweredRequest, RequestFigures } from "./request-figures.ts";

/** Counts requests. */
export interface RequestMetrics {
  observe(request: AnsweredRequest): void;
}

/** The figures of one process. */
export interface Metrics extends RequestMetrics {
  /** A gauge that is read when metrics are asked for. */
  gauge(name: string, help: string, read: () => number): void;
  /** In Prometheus' text format. */
  text(): Promise<string>;
  readonly contentType: string;
}

/** Figures of this process and of its requests. */
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
