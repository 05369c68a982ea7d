import { safeText } from "@plimsoll/core/safe-text";
import { type CollectionOptions, collectGarbage, planCollection, registryMigrations } from "@plimsoll/registry-api";
import { openStore } from "@plimsoll/store";
import { type ExitCode, exitCodes, UsageError } from "../../cli/exit-code.ts";
import type { CliIo } from "../../cli/io.ts";
import { readServiceSettings, type ServiceFlags } from "../../config/resolve-service-settings.ts";
import { openRegistryStorage } from "../../registry/open-registry.ts";
import { counted } from "../../render/counted.ts";

type Collected = ReturnType<typeof collectGarbage> extends AsyncIterable<infer Item> ? Item : never;

/**
 * `plimsoll admin gc`: removes unreferenced data of the registry, and prints what, why and how many bytes. It may run beside the
 * processes of the service. A worker does the same every few minutes.
 */
export async function collect(
  io: CliIo,
  flags: ServiceFlags,
  { dryRun }: { readonly dryRun: boolean },
): Promise<ExitCode> {
  const { database, registry } = await readServiceSettings(flags, io);
  if (registry === undefined) throw new UsageError("there is no registry in these settings");
  await using store: CollectionOptions["store"] = await openStore(database, { migrations: [registryMigrations] });
  const { blobs } = await openRegistryStorage(registry, { store });
  const { signal } = io;
  const options: CollectionOptions = { store, blobs, now: io.now(), since: 0, ...(signal && { signal }) };
  let bytes = 0;
  for await (const item of dryRun ? planCollection(options) : collectGarbage(options)) {
    bytes += item.sizeBytes;
    io.stdout.write(`${lineOf(item)}\n`);
  }
  io.stdout.write(`${dryRun ? "would free" : "freed"} ${counted(bytes, "byte")}\n`);
  return exitCodes.ok;
}

function lineOf({ kind, what, why, sizeBytes }: Collected): string {
  return `${kind}\t${safeText(what)}\t${safeText(why)}\t${sizeBytes}`;
}
