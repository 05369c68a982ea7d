import { type Command, Option } from "commander";
import type { ImportFlags } from "../../commands/import/import-registry.ts";
import type { ServiceFlags } from "../../config/resolve-service-settings.ts";
import type { ExitCode } from "../exit-code.ts";
import { helpBelow, importHelp } from "../help-texts.ts";
import type { CliIo } from "../io.ts";
import { collect, withStoreFlags } from "./flags.ts";

/** Adds the `import` commands, which copy the data of another registry. */
export function addImportCommands(program: Command, io: CliIo, end: (code: ExitCode) => void): void {
  const group = program.command("import").description("copy data from another registry");
  withStoreFlags(
    group
      .command("registry <url>")
      .description("copy organizations from a running registry with the same management API; it can be repeated")
      .addHelpText("after", helpBelow(importHelp)),
  )
    .requiredOption("--token-file <file>", "a file with an access token of the other registry")
    .option(
      "--namespace <organization>",
      "the organization; repeatable (by default all that the token's user administers)",
      collect,
    )
    .option("--as <user>", "the user who creates everything here (by default the first of superusers)")
    .option(
      "--credentials <file>",
      "where new tokens and passwords are written (by default plimsoll-import-credentials.jsonl)",
    )
    .option("--create-users", "create accounts for members who have no account here")
    .option("--move-tags", "move tags that point to another image here")
    .option("--dry-run", "only print what would be copied")
    .addOption(new Option("-o, --output <format>", "how the report is written").choices(["table", "json"]))
    .action(async (url: string, given: ServiceFlags & ImportFlags) => {
      const { importRegistry } = await import("../../commands/import/import-registry.ts");
      const { tokenFile, namespace, as, credentials, createUsers, moveTags, dryRun, output, ...flags } = given;
      const importFlags = {
        ...{ url, tokenFile },
        namespace,
        as,
        credentials,
        createUsers: createUsers || undefined,
        moveTags: moveTags || undefined,
        dryRun: dryRun || undefined,
        output,
      };
      end(await importRegistry(io, flags, importFlags));
    });
}
