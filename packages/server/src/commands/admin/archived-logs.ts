import { readArchivedLog } from "@plimsoll/registry-api";
import { type ExitCode, exitCodes } from "../../cli/exit-code.ts";
import type { CliIo } from "../../cli/io.ts";
import type { ServiceFlags } from "../../config/resolve-service-settings.ts";
import { openRegistryBlobs } from "../../registry/open-registry.ts";
import { openExisting, readRegistrySettings } from "./operated-registry.ts";

/** `plimsoll admin archived-logs`: prints the usage log that was moved into the blob store, the oldest entry first. */
export async function printArchivedLogs(io: CliIo, flags: ServiceFlags): Promise<ExitCode> {
  const { database, registry } = await readRegistrySettings(io, flags);
  await using store = await openExisting(database);
  const blobs = await openRegistryBlobs(registry);
  const decoder = new TextDecoder();
  for await (const bytes of readArchivedLog(store, blobs)) {
    io.signal?.throwIfAborted();
    io.stdout.write(decoder.decode(bytes, { stream: true }));
  }
  return exitCodes.ok;
}
