import { type Command, Option } from "commander";
import type { ListJobsFlags, ShowJobsFlags } from "../../commands/jobs.ts";
import type { ServiceFlags } from "../../config/resolve-service-settings.ts";
import type { ExitCode } from "../exit-code.ts";
import { helpBelow } from "../help-layout.ts";
import { jobStates, jobsHelp } from "../help-texts.ts";
import type { CliIo } from "../io.ts";
import { withStoreFlags } from "./flags.ts";

/** Adds the `jobs` commands for operators. */
export function addJobCommands(program: Command, io: CliIo, end: (code: ExitCode) => void): void {
  const jobs = program
    .command("jobs")
    .description("the jobs of a service: those that wait, run or have failed for good (dead)");
  const commands = () => import("../../commands/jobs.ts");
  const described = (command: Command, description: string) =>
    withStoreFlags(command.description(description).addHelpText("after", helpBelow(jobsHelp)));
  described(jobs.command("list"), "list jobs")
    .option("--kind <kind>", "only jobs of this kind")
    .addOption(new Option("--state <state>", "only jobs in this state").choices(jobStates))
    .option("--limit <number>", "how many at most (by default 100)")
    .option("--json", "as JSON")
    .action(async ({ json, kind, state, limit, ...flags }: ServiceFlags & ListJobsFlags) =>
      end(
        await (await commands()).jobsList(io, flags, {
          json: json || undefined,
          kind,
          state,
          limit,
        }),
      ),
    );
  described(jobs.command("show <id>"), "show a job and its payload")
    .option("--json", "as JSON")
    .action(async (id: string, { json, ...flags }: ServiceFlags & ShowJobsFlags) =>
      end(await (await commands()).jobsShow(io, flags, { id, json: json || undefined })),
    );
  for (const [action, description] of [
    ["retry", "give dead jobs all their attempts again"],
    ["cancel", "remove jobs that wait, and stop those that run; a recurring job skips one run"],
    ["delete", "remove dead jobs"],
  ] as const)
    described(jobs.command(`${action} <id...>`), description).action(async (ids: string[], flags: ServiceFlags) =>
      end(await (await commands()).jobsAct(io, flags, { action, ids })),
    );
}
