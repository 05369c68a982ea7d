import type { Command } from "commander";
import type { UserFlags } from "../../commands/admin/users.ts";
import type { ServiceFlags } from "../../config/resolve-service-settings.ts";
import type { ExitCode } from "../exit-code.ts";
import { adminHelp, backupHelp, collectHelp, helpBelow } from "../help-texts.ts";
import type { CliIo } from "../io.ts";
import { withStoreFlags } from "./flags.ts";

/** Adds the `admin` commands for operators of a registry. They work whether or not its server runs. */
export function addAdminCommands(program: Command, io: CliIo, end: (code: ExitCode) => void): void {
  const admin = program.command("admin").description("operate a registry: users, storage, backups");
  const described = (words: string, description: string, help = adminHelp) =>
    withStoreFlags(admin.command(words).description(description).addHelpText("after", helpBelow(help)));
  addUserCommands(described, io, end);
  addStorageCommands(described, io, end);
  addCopyCommands(described, io, end);
}

type Described = (words: string, description: string, help?: string) => Command;

function addUserCommands(described: Described, io: CliIo, end: (code: ExitCode) => void): void {
  const users = () => import("../../commands/admin/users.ts");
  type Given = ServiceFlags & Omit<UserFlags, "username">;
  const splitFlags = (username: string, { email, passwordStdin, ...flags }: Given) => {
    const user = { username, email, passwordStdin: passwordStdin || undefined };
    return [flags as ServiceFlags, user] as const;
  };
  described("create-user <name>", "create a user, and print the user's password")
    .option("--email <address>", "the user's e-mail address, which counts as confirmed")
    .option("--password-stdin", "read the password from standard input")
    .action(async (name: string, given: Given) =>
      end(await (await users()).createUser(io, ...splitFlags(name, given))),
    );
  described("reset-password <name>", "set a user's password, and end the user's sessions and tokens")
    .option("--password-stdin", "read the password from standard input")
    .action(async (name: string, given: Given) =>
      end(await (await users()).resetPassword(io, ...splitFlags(name, given))),
    );
}

function addStorageCommands(described: Described, io: CliIo, end: (code: ExitCode) => void): void {
  described("gc", "remove unused data, and print what was removed, why, and its size", collectHelp)
    .option("--dry-run", "only print what would be removed")
    .action(async ({ dryRun = false, ...flags }: ServiceFlags & { readonly dryRun?: boolean }) => {
      const { collect } = await import("../../commands/admin/storage.ts");
      end(await collect(io, flags, { dryRun }));
    });
  described("archived-logs", "print the usage log that was moved to the blob store, one JSON entry per line").action(
    async (flags: ServiceFlags) => {
      const { printArchivedLogs } = await import("../../commands/admin/storage.ts");
      end(await printArchivedLogs(io, flags));
    },
  );
  described("verify", "check that every blob exists and has its digest", backupHelp)
    .option("--quick", "compare only sizes, without reading the blobs")
    .option("--backup <folder>", "check a backup instead of the registry")
    .action(async ({ quick, backup, ...flags }: ServiceFlags & { readonly quick?: true; readonly backup?: string }) => {
      const { verify } = await import("../../commands/admin/storage.ts");
      end(await verify(io, flags, { quick: quick || undefined, backup }));
    });
}

function addCopyCommands(described: Described, io: CliIo, end: (code: ExitCode) => void): void {
  described("backup <folder>", "copy database, blobs and key into a folder while the registry runs", backupHelp).action(
    async (folder: string, flags: ServiceFlags) => {
      const { backup } = await import("../../commands/admin/backup.ts");
      end(await backup(io, flags, folder));
    },
  );
  described("restore <folder>", "write a backup to the database and the blob store of the settings", backupHelp).action(
    async (folder: string, flags: ServiceFlags) => {
      const { restore } = await import("../../commands/admin/backup.ts");
      end(await restore(io, flags, folder));
    },
  );
  const move = () => import("../../commands/admin/storage.ts");
  described("copy-database <location>", "copy the database, for example from SQLite to PostgreSQL").action(
    async (to: string, flags: ServiceFlags) => end(await (await move()).copyDatabaseTo(io, flags, to)),
  );
  described(
    "copy-blobs <storage>",
    "copy the blobs, for example from a folder to s3://BUCKET/PREFIX",
    backupHelp,
  ).action(async (to: string, flags: ServiceFlags) => end(await (await move()).copyBlobsTo(io, flags, to)));
}
