import { once } from "node:events";
import type { Logger } from "pino";
import { type ExitCode, exitCodes } from "../cli/exit-code.ts";
import type { CliIo, OwnProcess } from "../cli/io.ts";
import { readServiceSettings, type ServiceFlags } from "../config/resolve-service-settings.ts";
import type { ServiceSettings } from "../config/service-settings.ts";
import { unknownVariables } from "../config/unknown-variables.ts";
import { keepHeapSmall } from "../keep-heap-small.ts";
import { createLogger, lostLinesLine } from "../logging/logger.ts";
import { createProcessFigures } from "../metrics/process-figures.ts";
import { type Serving, startServing } from "../serve/start-serving.ts";
import { watchUnhandledErrors } from "../serve/unhandled-errors.ts";

/** `plimsoll serve`: runs the scanner service and the registry until the process is interrupted, or until it cannot go on. */
export async function serve(io: CliIo, flags: ServiceFlags): Promise<ExitCode> {
  keepHeapSmall();
  const settings = await readServiceSettings(flags, io);
  const logger = createLogger(io.stderr, settings.logLevel);
  for (const unknown of unknownVariables(io.env)) logger.warn(unknown, "setting_unknown");
  const { lost } = io.stderr;
  if (lost !== undefined) lost.describe = (lines) => lostLinesLine(lines, io.now());
  const processFigures = createProcessFigures(lost);
  const failure = new AbortController();
  const fail = (error: unknown) => {
    if (failure.signal.aborted) return;
    failure.abort(error);
    if (io.process !== undefined) endLater(io.process, settings, logger);
  };
  using _watched =
    io.process &&
    watchUnhandledErrors({ process: io.process, logger, note: processFigures.noteUnhandled, onFatal: fail });
  const starting = startServing(settings, {
    logger,
    accessOutput: io.stderr,
    clock: { now: io.now },
    processFigures,
    onFailure: fail,
    signal: io.signal,
    engine: io.engine,
  });
  await using serving = await unlessStopped(starting, io, logger);
  if (serving === undefined) return exitCodes.ok;
  const until = io.signal === undefined ? failure.signal : AbortSignal.any([io.signal, failure.signal]);
  if (!until.aborted) await once(until, "abort");
  return failure.signal.aborted ? exitCodes.failed : exitCodes.ok;
}

/** How long what a start has left behind, such as a connection that is not accepted, may keep the process. */
const leftMs = 3_000;

/** The started service; undefined if it was told to stop before. */
async function unlessStopped(
  starting: Promise<Serving>,
  { signal, process }: Pick<CliIo, "signal" | "process">,
  logger: Logger,
): Promise<Serving | undefined> {
  try {
    return await starting;
  } catch (error) {
    if (signal?.aborted !== true || error !== signal.reason) throw error;
    logger.info({ reason: "it has not started yet" }, "stopping");
    logger.info("stopped");
    if (process !== undefined) setTimeout(() => process.exit(exitCodes.ok), leftMs).unref();
    return undefined;
  }
}

/** How long running requests and jobs may take to end after a failure, besides `drainSeconds`. */
const endMs = 25_000;

/** Ends the process after a failure even if its work does not end. */
function endLater(process: OwnProcess, { drainSeconds }: Pick<ServiceSettings, "drainSeconds">, logger: Logger): void {
  setTimeout(
    () => {
      logger.fatal("stopping_took_too_long");
      process.exit(exitCodes.failed);
    },
    1000 * drainSeconds + endMs,
  ).unref();
}
