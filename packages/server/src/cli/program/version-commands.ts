import type { Command } from "commander";
import { helpBelow } from "../help-layout.ts";
import { wordsHelp } from "../help-texts.ts";
import type { CliIo } from "../io.ts";

/** Adds `version`, which prints the program's version, and `version compare` for versions of packages. */
export function addVersionCommands(program: Command, io: CliIo, version: string): void {
  program
    .command("version")
    .description("print the version of plimsoll, or compare two versions of a package")
    .addHelpText("after", helpBelow(wordsHelp))
    .action(() => void io.stdout.write(`${version}\n`))
    .command("compare <scheme> <a> <b>")
    .description("say which of two versions is newer")
    .addHelpText("after", helpBelow(wordsHelp))
    .action(async (scheme: string, a: string, b: string) => {
      const { versionCompare } = await import("../../commands/version-compare.ts");
      versionCompare(io, { schemeName: scheme, a, b });
    });
}
