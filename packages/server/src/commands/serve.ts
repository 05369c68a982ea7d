import { once } from "node:events";
import { type ExitCode, exitCodes } from "../cli/exit-code.ts";
import type { CliIo } from "../cli/io.ts";
import { readServiceSettings, type ServiceFlags } from "../config/resolve-service-settings.ts";
import { keepHeapSmall } from "../keep-heap-small.ts";
import { createLogger } from "../logging/logger.ts";
import { startServing } from "../serve/start-serving.ts";

/** `plimsoll serve`: runs the scanner service and the registry until the process is interrupted. */
export async function serve(io: CliIo, flags: ServiceFlags): Promise<ExitCode> {
  keepHeapSmall();
  const settings = await readServiceSettings(flags, io);
  const logger = createLogger(io.stderr, settings.logLevel);
  await using _serving = await startServing(settings, {
    logger,
    accessOutput: io.stderr,
    clock: { now: io.now },
    ...(io.engine && { engine: io.engine }),
  });
  if (io.signal !== undefined && !io.signal.aborted) await once(io.signal, "abort");
  return exitCodes.ok;
}
