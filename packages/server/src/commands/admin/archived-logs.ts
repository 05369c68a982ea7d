import { type RegistryTables, readArchivedLog, registryMigrations } from "@plimsoll/registry-api";
import { openStore } from "@plimsoll/store";
import { type ExitCode, exitCodes, UsageError } from "../../cli/exit-code.ts";
import type { CliIo } from "../../cli/io.ts";
import { readServiceSettings, type ServiceFlags } from "../../config/resolve-service-settings.ts";
import { openRegistryStorage } from "../../registry/open-registry.ts";

/** `plimsoll admin archived-logs`: prints the usage log that was moved into the blob store, the oldest entry first. */
export async function printArchivedLogs(io: CliIo, flags: ServiceFlags): Promise<ExitCode> {
  const { database, registry } = await readServiceSettings(flags, io);
  if (registry === undefined) throw new UsageError("there is no registry in these settings");
  const { blobs } = await openRegistryStorage(registry);
  await using store = await openStore<RegistryTables>(database, { migrations: [registryMigrations] });
  const decoder = new TextDecoder();
  for await (const bytes of readArchivedLog(store, blobs)) {
    io.signal?.throwIfAborted();
    io.stdout.write(decoder.decode(bytes, { stream: true }));
  }
  return exitCodes.ok;
}
