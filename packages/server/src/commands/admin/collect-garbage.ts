import { safeText } from "@plimsoll/core/internal/safe-text";
import { type CollectionOptions, collectGarbage, planCollection } from "@plimsoll/registry-api";
import { type ExitCode, exitCodes } from "../../cli/exit-code.ts";
import type { CliIo } from "../../cli/io.ts";
import type { ServiceFlags } from "../../config/resolve-service-settings.ts";
import { openRegistryBlobs } from "../../registry/open-registry.ts";
import { counted } from "../../render/terminal-text.ts";
import { openExisting, readRegistrySettings } from "./operated-registry.ts";

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
  const { database, registry } = await readRegistrySettings(io, flags);
  await using store = await openExisting(database);
  const blobs = await openRegistryBlobs(registry, { store });
  const { signal } = io;
  const options: CollectionOptions = { store, blobs, now: io.now(), since: 0, signal };
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
