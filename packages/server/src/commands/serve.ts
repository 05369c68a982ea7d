import { once } from "node:events";
import { setFlagsFromString } from "node:v8";
import { type ExitCode, exitCodes } from "../cli/exit-code.ts";
import type { CliIo } from "../cli/io.ts";
import { readServiceSettings, type ServiceFlags } from "../config/resolve-service-settings.ts";
import { createLogger } from "../logging/logger.ts";
import { startServing } from "../serve/start-serving.ts";

/**
 * V8 keeps up to three times so much for objects that have just been made, in each thread. A large report would make it keep
 * 100 MB and more, for as long as the process lives.
 */
const youngGeneration = "--max-semi-space-size=8";

/** `plimsoll serve`: answers the scanner API until the process is told to stop. */
export async function serve(io: CliIo, flags: ServiceFlags): Promise<ExitCode> {
  setFlagsFromString(youngGeneration);
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
