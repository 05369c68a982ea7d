import { type Command, Option } from "commander";
import type { ImportFlags } from "../../commands/import/import-registry.ts";
import type { ServiceFlags } from "../../config/resolve-service-settings.ts";
import type { ExitCode } from "../exit-code.ts";
import { helpBelow } from "../help-layout.ts";
import { importHelp } from "../help-texts.ts";
import type { CliIo } from "../io.ts";
import { collect, withStoreFlags } from "./flags.ts";

/** Adds the commands that take over what another registry has. */
export function addImportCommands(program: Command, io: CliIo, end: (code: ExitCode) => void): void {
  const group = program.command("import").description("take over what another registry has");
  withStoreFlags(
    group
      .command("registry <url>")
      .description("take organizations over from a running registry with the same management API; repeatable")
      .addHelpText("after", helpBelow(importHelp)),
  )
    .requiredOption("--token-file <file>", "a file with an access token of the other registry")
    .option(
      "--namespace <organization>",
      "which organization; repeatable (by default all that the token's user administers)",
      collect,
    )
    .option("--as <user>", "the user here who makes everything (by default the first of superusers)")
    .option(
      "--credentials <file>",
      "where new tokens and passwords are written (by default plimsoll-import-credentials.jsonl)",
    )
    .option("--create-users", "make accounts for members that have none here")
    .option("--move-tags", "let tags that lead elsewhere here follow the other registry")
    .option("--dry-run", "only say what would be taken")
    .addOption(new Option("-o, --output <format>", "how the report is written").choices(["table", "json"]))
    .action(async (url: string, given: ServiceFlags & ImportFlags) => {
      const { importRegistry } = await import("../../commands/import/import-registry.ts");
      const { tokenFile, namespace, as, credentials, createUsers, moveTags, dryRun, output, ...flags } = given;
      const asked = {
        ...{ url, tokenFile },
        ...(namespace && { namespace }),
        ...(as !== undefined && { as }),
        ...(credentials !== undefined && { credentials }),
        ...(createUsers && { createUsers }),
        ...(moveTags && { moveTags }),
        ...(dryRun && { dryRun }),
        ...(output && { output }),
      };
      end(await importRegistry(io, flags, asked));
    });
}
