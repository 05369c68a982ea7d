import type { Command } from "commander";
import { databaseHelp, helpBelow, javaIndexHelp, statusHelp, updateHelp } from "../help-texts.ts";
import { joinOutputs, statusFormats } from "../output-format.ts";
import { collect, withGlobalFlags, withJavaIndexFlag, withLoginFlags, withOutputFlags } from "./flags.ts";
import type { Run } from "./run.ts";

/** Adds the `db` commands. */
export function addDatabaseCommands(program: Command, run: Run): void {
  const database = program.command("db").description("the advisory database");
  const commands = () => import("../../commands/database.ts");
  const artifacts = () => import("../../commands/database-artifact.ts");
  const update = database.command("update").description("update the advisories that images need");
  run(
    withLoginFlags(
      withJavaIndexFlag(withGlobalFlags(update.addHelpText("after", helpBelow(updateHelp))))
        .option(
          "--feed <name[=path|url]>",
          "update only this feed, from its own address or from this place; repeatable",
          collect,
        )
        .option("--all", "update every feed, also those that no image needs")
        .option("--from <reference>", "read all advisories from a registry, after db push"),
    ),
    async (session, _words, { feed = [], all = false, from, ...login }) => {
      if (from === undefined) return (await commands()).databaseUpdate(session, { feed, all, login });
      return (await artifacts()).databasePull(session, from, { feed, all, login });
    },
  );
  const status = database
    .command("status")
    .description("list the loaded feeds")
    .addHelpText("after", helpBelow(statusHelp));
  const written = withOutputFlags(withJavaIndexFlag(withGlobalFlags(status)), statusFormats);
  run(written, async (session, _words, { output = [], format = [] }) =>
    (await commands()).databaseStatus(session, joinOutputs(output, format)),
  );
  const pushing = database
    .command("push <reference>")
    .description("push all advisories to a registry, for db update --from on other machines")
    .addHelpText("after", helpBelow(databaseHelp));
  run(withLoginFlags(withGlobalFlags(pushing)), async (session, [reference = ""], login) =>
    (await artifacts()).databasePush(session, reference, login),
  );
  const index = database.command("java-index").description("the index of published Java archives");
  const building = index
    .command("build <folder>")
    .description("build an index of the Java archives in a folder, such as a local repository")
    .addHelpText("after", helpBelow(javaIndexHelp))
    .option("-o, --output-file <file>", "the file of the index (by default beside the database)");
  run(withJavaIndexFlag(withGlobalFlags(building)), async (session, [folder = ""], { outputFile }) =>
    (await import("../../commands/java-index.ts")).javaIndexBuild(session, folder, outputFile),
  );
  const exporting = database
    .command("export <file>")
    .description("write all advisories to a file")
    .addHelpText("after", helpBelow(databaseHelp));
  run(withGlobalFlags(exporting), async (session, [file = ""]) => (await commands()).databaseExport(session, file));
  const importing = database
    .command("import <file>")
    .description("read advisories from a file of db export")
    .addHelpText("after", helpBelow(databaseHelp));
  run(withGlobalFlags(importing), async (session, [file = ""]) => (await commands()).databaseImport(session, file));
}
