import { randomBytes } from "node:crypto";
import { safeText } from "@plimsoll/core/internal/safe-text";
import { RegistryError, type RegistryStore } from "@plimsoll/registry";
import { createOperatorUser, resetOperatorPassword } from "@plimsoll/registry-api";
import { openStore } from "@plimsoll/store";
import { type ExitCode, exitCodes, UsageError } from "../../cli/exit-code.ts";
import type { CliIo } from "../../cli/io.ts";
import { readPassword } from "../../cli/read-password.ts";
import type { ServiceFlags } from "../../config/resolve-service-settings.ts";
import { allMigrations, openExisting, readRegistrySettings } from "./operated-registry.ts";

/** Which user, and where the password comes from. */
export interface UserFlags {
  readonly username: string;
  readonly email?: string;
  /** Read the password from standard input; otherwise a random one is generated and printed. */
  readonly passwordStdin?: true;
}

/** `plimsoll admin create-user NAME`: creates an account, beside a running server or before the first start. */
export async function createUser(
  io: CliIo,
  flags: ServiceFlags,
  { username, email, ...from }: UserFlags,
): Promise<ExitCode> {
  const { database, registry } = await readRegistrySettings(io, flags);
  await using store: RegistryStore = await openStore(database, { migrations: allMigrations });
  const { password, isMade } = await passwordOf(io, from);
  const user = { username, password, email };
  await orUsageError(() => createOperatorUser({ store, settings: registry.settings, now: io.now() }, user));
  io.stdout.write(`created ${safeText(username)}\n`);
  if (isMade) io.stdout.write(`password: ${password}\n`);
  const { superusers } = registry.settings;
  if (superusers.includes(username)) io.stdout.write("a superuser, because the setting superusers lists the name\n");
  return exitCodes.ok;
}

/** `plimsoll admin reset-password NAME`: sets a user's password, and ends the user's sessions and tokens. */
export async function resetPassword(
  io: CliIo,
  flags: ServiceFlags,
  { username, ...from }: UserFlags,
): Promise<ExitCode> {
  const { database } = await readRegistrySettings(io, flags);
  await using store = await openExisting(database);
  const { password, isMade } = await passwordOf(io, from);
  await orUsageError(() => resetOperatorPassword({ store, now: io.now() }, { username, password }));
  io.stdout.write(`changed the password of ${safeText(username)}\n`);
  if (isMade) io.stdout.write(`password: ${password}\n`);
  return exitCodes.ok;
}

/** 120 random bits. */
const madeBytes = 15;

async function passwordOf(io: CliIo, { passwordStdin }: Pick<UserFlags, "passwordStdin">) {
  if (passwordStdin) return { password: await readPassword(io.stdin), isMade: false };
  return { password: randomBytes(madeBytes).toString("base64url"), isMade: true };
}

/** An error of the registry means a wrong argument. */
async function orUsageError(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw error instanceof RegistryError ? new UsageError(error.message, { cause: error }) : error;
  }
}
