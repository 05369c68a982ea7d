import type { Command } from "commander";
import {
  affectedHelp,
  diffHelp,
  explainHelp,
  helpBelow,
  indexHelp,
  licensesHelp,
  reportHelp,
  sourceHelp,
  whyHelp,
} from "../help-texts.ts";
import {
  affectedFormats,
  diffFormats,
  explainFormats,
  indexFormats,
  licenseFormats,
  sbomFormats,
  scanFormats,
  whyFormats,
} from "../output-format.ts";
import {
  collect,
  withAnswerFlags,
  withAsOfFlag,
  withAttestFlag,
  withGateFlags,
  withGlobalFlags,
  withImageFlags,
  withJavaIndexFlag,
  withLoginFlags,
  withOutputFlags,
  withStatementFlags,
  withVexFlag,
} from "./flags.ts";
import type { Run } from "./run.ts";

/** Adds the commands about images: `scan`, `index`, `sbom`, `licenses`, `why`, `report`, `explain`, `affected` and `diff`. */
export function addImageCommands(program: Command, run: Run): void {
  run(scanCommand(program.command("scan <source>").alias("image")), async (session, [source = ""], options) => {
    const { scan } = await import("../../commands/scan.ts");
    return scan(session, source, { asOf: textOf(options.asOf), attest: options.attest });
  });
  run(indexCommand(program.command("index <source>")), async (session, [source = ""]) => {
    const { index } = await import("../../commands/scan.ts");
    return index(session, source);
  });
  run(sbomCommand(program.command("sbom <source>")), async (session, [source = ""], options) => {
    const { sbom } = await import("../../commands/sbom.ts");
    return sbom(session, source, options);
  });
  run(licensesCommand(program.command("licenses <source>")), async (session, [source = ""], options) => {
    const { licenses } = await import("../../commands/licenses.ts");
    return licenses(session, source, options);
  });
  run(whyCommand(program.command("why <source> <package>")), async (session, [source = "", name = ""]) => {
    const { why } = await import("../../commands/why.ts");
    return why(session, source, name);
  });
  run(reportCommand(program.command("report <reference>")), async (session, [reference = ""], options) => {
    const { report } = await import("../../commands/report.ts");
    return report(session, reference, options);
  });
  run(explainCommand(program.command("explain <source> <vulnerability>")), async (session, words, options) => {
    const { explain } = await import("../../commands/explain.ts");
    const [source = "", vulnerability = ""] = words;
    const asOf = textOf(options.asOf);
    return explain(session, source, {
      vulnerability,
      packageName: options.package,
      asOf,
    });
  });
  run(affectedCommand(program.command("affected <vulnerability>")), async (session, [vulnerability = ""]) => {
    const { affected } = await import("../../commands/affected.ts");
    return affected(session, vulnerability);
  });
  run(diffCommand(program.command("diff <source> [source]")), async (session, words, options) => {
    const { diff } = await import("../../commands/diff.ts");
    return diff(session, words, [options.asOf ?? []].flat());
  });
}

/** The value of a flag that was given once. */
function textOf(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function scanCommand(command: Command): Command {
  const described = command
    .description("index an image, match it against advisories and report")
    .addHelpText("after", helpBelow(sourceHelp));
  return withAttestFlag(
    withAsOfFlag(
      withStatementFlags(withGateFlags(withJavaIndexFlag(withGlobalFlags(withImageFlags(described, scanFormats))))),
    ),
  );
}

function reportCommand(command: Command): Command {
  const described = command
    .description("show a registry's report on one of its images")
    .addHelpText("after", helpBelow(reportHelp));
  const reported = withLoginFlags(withAnswerFlags(withImageFlags(described, scanFormats))).option(
    "--wait <seconds>",
    "how long to wait for a queued scan (by default 300)",
  );
  return withGateFlags(reported);
}

function indexCommand(command: Command): Command {
  const described = command.description("list the packages in an image").addHelpText("after", helpBelow(indexHelp));
  return withJavaIndexFlag(withGlobalFlags(withImageFlags(described, indexFormats)));
}

function sbomCommand(command: Command): Command {
  const described = command
    .description("write the bill of materials of an image: CycloneDX or SPDX")
    .addHelpText("after", helpBelow(indexHelp));
  return withAttestFlag(withJavaIndexFlag(withGlobalFlags(withImageFlags(described, sbomFormats))))
    .option(
      "--sbom-author <name>",
      "the organization that makes the document: 'Acme <sbom@acme.example>'; repeatable",
      collect,
    )
    .option("--sbom-supplier <name>", "the organization that supplies the image: 'Acme <https://acme.example>'")
    .option("--files", "list the files of each package, as dpkg, rpm, apk, pacman and Python record them")
    .option("--attach", "attach the documents to the image in its registry, and print their addresses");
}

function licensesCommand(command: Command): Command {
  const described = command
    .description("list the licences that the packages of an image state, and fail for those that are not allowed")
    .addHelpText("after", helpBelow(licensesHelp));
  return withJavaIndexFlag(withGlobalFlags(withImageFlags(described, licenseFormats)))
    .option(
      "--deny-license <id>",
      "exit with 1 if a package has this licence: an SPDX identifier, or GPL-*; repeatable",
      collect,
    )
    .option("--allow-license <id>", "exit with 1 if a package has another licence than these; repeatable", collect)
    .option("--allow-incomplete", "let the rules pass if a licence is not stated or not known");
}

function whyCommand(command: Command): Command {
  const described = command
    .description("show by which packages a package of an image is needed")
    .addHelpText("after", helpBelow(whyHelp));
  return withJavaIndexFlag(withGlobalFlags(withImageFlags(described, whyFormats)));
}

function explainCommand(command: Command): Command {
  const described = command.description("explain why a vulnerability affects an image, or why not");
  return withStatementFlags(
    withVexFlag(withAsOfFlag(withJavaIndexFlag(withImageFlags(withGlobalFlags(described), explainFormats)))),
  )
    .option("--max-db-age-days <days>", "the age from which advisory data are too old (by default 7)")
    .option("--package <name>", "consider only packages (or source packages) of this name")
    .addHelpText("after", helpBelow(explainHelp));
}

function affectedCommand(command: Command): Command {
  const described = command
    .description("list the scanned images that have a vulnerability")
    .addHelpText("after", helpBelow(affectedHelp));
  return withGateFlags(withJavaIndexFlag(withGlobalFlags(withOutputFlags(described, affectedFormats))));
}

function diffCommand(command: Command): Command {
  const described = command
    .description("show which packages and findings differ between two images, reports or dates")
    .addHelpText("after", helpBelow(diffHelp));
  return withGateFlags(withJavaIndexFlag(withGlobalFlags(withImageFlags(described, diffFormats)))).option(
    "--as-of <date>",
    "use the advisories of that date: for one source, compare that date with today; given twice, one date for each side",
    collect,
  );
}
