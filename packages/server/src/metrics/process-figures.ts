import { Counter, Registry } from "prom-client";
import type { LostLines } from "../cli/io.ts";

/** The kinds of errors that no code handled. */
export type UnhandledKind = "event" | "rejection" | "exception";

/** Metrics of what went wrong in this process as a whole. */
export interface ProcessFigures {
  /** Counts an error that no code handled. */
  noteUnhandled(kind: UnhandledKind): void;
  /** Counts a connection that was closed because its client wasted the server's work. */
  noteCut(reason: string): void;
  /** Counts a connection that could not be accepted. */
  noteNotAccepted(): void;
  /** All metrics in Prometheus' text format. */
  text(): Promise<string>;
}

/** Creates the metrics. @param lost the lines that the log has lost */
export function createProcessFigures(lost?: Pick<LostLines, "total">): ProcessFigures {
  const registry = new Registry();
  const registers = [registry];
  const counter = (name: string, help: string, labelNames: readonly string[] = []) =>
    new Counter({ name, help, labelNames: [...labelNames], registers });
  new Counter({
    name: "plimsoll_log_lines_lost_total",
    help: "Lines of the log that could not be written.",
    registers,
    collect() {
      this.reset();
      this.inc(lost?.total ?? 0);
    },
  });
  const unhandled = counter("plimsoll_unhandled_errors_total", "Errors that no code handled, by kind.", ["kind"]);
  for (const kind of ["event", "rejection", "exception"]) unhandled.inc({ kind }, 0);
  const cut = counter("plimsoll_connections_cut_total", "Connections closed for wasting work, by reason.", ["reason"]);
  const notAccepted = counter("plimsoll_connections_not_accepted_total", "Connections that could not be accepted.");
  return {
    noteUnhandled: (kind) => unhandled.inc({ kind }),
    noteCut: (reason) => cut.inc({ reason }),
    noteNotAccepted: () => notAccepted.inc(),
    text: () => registry.metrics(),
  };
}
