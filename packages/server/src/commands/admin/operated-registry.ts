import { safeText } from "@plimsoll/core/internal/safe-text";
import { indexerMigrations } from "@plimsoll/indexer";
import { matcherMigrations } from "@plimsoll/matcher";
import { notifierMigrations } from "@plimsoll/notifier";
import { type RegistryStore, registryMigrations } from "@plimsoll/registry";
import type { BlobProblem } from "@plimsoll/registry-api";
import { copyDatabase, openStore } from "@plimsoll/store";
import { UsageError } from "../../cli/exit-code.ts";
import type { CliIo } from "../../cli/io.ts";
import type { RegistryServiceSettings } from "../../config/registry-settings.ts";
import { readServiceSettings, type ServiceFlags } from "../../config/resolve-service-settings.ts";
import type { ServiceSettings } from "../../config/service-settings.ts";

/** The migrations of all schemas in the database of a server. */
export const allMigrations = [indexerMigrations, matcherMigrations, notifierMigrations, registryMigrations];

/** The settings of an installation with a registry. @throws UsageError */
export async function readRegistrySettings(
  io: CliIo,
  flags: ServiceFlags,
): Promise<ServiceSettings & { readonly registry: RegistryServiceSettings }> {
  const settings = await readServiceSettings(flags, io);
  const { registry } = settings;
  if (registry === undefined) throw new UsageError("there is no registry in these settings");
  return { ...settings, registry };
}

/** Opens the database of an installation, and does not create one. @throws StoreError `not_found`, `older_schema` and others */
export async function openExisting(location: string, { readOnly = false } = {}): Promise<RegistryStore> {
  await (await openStore(location, { migrations: [], readOnly: true })).close(); // fails for a missing database, which the next line would create
  return openStore(location, { migrations: allMigrations, readOnly });
}

/** Writes each problem as a line: digest, bytes, problem, repositories. @returns the number of problems */
export async function writeProblems(io: CliIo, problems: AsyncIterable<BlobProblem>): Promise<number> {
  let count = 0;
  for await (const { digest, sizeBytes, problem, repositories } of problems) {
    count += 1;
    io.stdout.write(`${digest}\t${sizeBytes}\t${problem}\t${repositories.map(safeText).join(", ")}\n`);
  }
  return count;
}

/** Copies a snapshot of a database. @returns the number of rows */
export async function copyWhole({ signal }: Pick<CliIo, "signal">, from: string, to: string): Promise<number> {
  const tables = await copyDatabase(from, to, { migrations: allMigrations, signal });
  return [...tables.values()].reduce((sum, rows) => sum + rows, 0);
}
