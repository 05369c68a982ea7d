import { createFileBlobStore } from "@plimsoll/registry-adapters/files";
import { guardFolder, verifyBlobs } from "@plimsoll/registry-api";
import { type ExitCode, exitCodes } from "../../cli/exit-code.ts";
import type { CliIo } from "../../cli/io.ts";
import type { ServiceFlags } from "../../config/resolve-service-settings.ts";
import { openRegistryBlobs } from "../../registry/open-registry.ts";
import { counted } from "../../render/terminal-text.ts";
import { backupFiles } from "./backup-files.ts";
import { openExisting, readRegistrySettings, writeProblems } from "./operated-registry.ts";

/** The flags of `admin verify`. */
export interface VerifyFlags {
  /** Compare only sizes. */
  readonly quick?: true;
  /** The folder of a backup to verify instead of the registry. */
  readonly backup?: string;
}

/**
 * `plimsoll admin verify`: checks that every blob of a repository exists, with the right size and digest. It lists the other blobs
 * with their repositories, and records them as damaged, so that clients and mirrors send them again. It may run beside a server.
 */
export async function verify(io: CliIo, flags: ServiceFlags, { quick, backup }: VerifyFlags): Promise<ExitCode> {
  const place = backup === undefined ? await registryOf(io, flags) : backupOf(backup);
  await using store = await openExisting(place.database, { readOnly: backup !== undefined });
  const verified = { blobs: 0, bytes: 0 };
  const { signal } = io;
  const recording = backup === undefined && { recordIn: { store, now: io.now } };
  const how = { quick: quick === true, ...recording, signal };
  const options = { db: store.db, blobs: guardFolder(place.blobs, store), verified, ...how };
  const problems = await writeProblems(io, verifyBlobs(options));
  const means = quick ? "by their sizes" : "by their digests";
  io.stdout.write(`checked ${counted(verified.blobs, "blob")} of ${counted(verified.bytes, "byte")} ${means}: `);
  io.stdout.write(problems === 0 ? "no problem\n" : `${counted(problems, "problem")}\n`);
  return problems === 0 ? exitCodes.ok : exitCodes.gate;
}

async function registryOf(io: CliIo, flags: ServiceFlags) {
  const { database, registry } = await readRegistrySettings(io, flags);
  return { database, blobs: await openRegistryBlobs(registry) };
}

function backupOf(folder: string) {
  return { database: backupFiles(folder).database, blobs: createFileBlobStore(folder) };
}
