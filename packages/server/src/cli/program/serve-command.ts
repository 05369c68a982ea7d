import { type Command, Option } from "commander";
import type { ServiceFlags } from "../../config/resolve-service-settings.ts";
import { serviceModes } from "../../config/service-modes.ts";
import { logLevels } from "../../config/settings/running-settings.ts";
import { compatibilityProfiles } from "../../config/settings/service-settings.ts";
import type { ExitCode } from "../exit-code.ts";
import { helpBelow } from "../help-layout.ts";
import { serveHelp } from "../help-texts.ts";
import type { CliIo } from "../io.ts";
import { collect, configFlag, databaseFlag, dataFlag } from "./flags.ts";

/** Adds the `serve` command. */
export function addServeCommand(program: Command, io: CliIo, end: (code: ExitCode) => void): void {
  serveCommand(program.command("serve")).action(async (flags: ServiceFlags) => {
    const { serve } = await import("../../commands/serve.ts");
    end(await serve(io, flags));
  });
}

function serveCommand(command: Command): Command {
  return command
    .description("run the scanner service and the registry")
    .addHelpText("after", helpBelow(serveHelp))
    .option(...dataFlag)
    .option(...databaseFlag)
    .option("--host <host>", "the address to listen on (by default 127.0.0.1)")
    .option("--port <port>", "the port of the API (by default 6060)")
    .option("--health-port <port>", "the port of /healthz, /readyz and /metrics (by default the next one)")
    .option("--mode <modes>", `services to run, comma-separated: ${serviceModes.join(", ")}; repeatable`, collect)
    .option("--indexer-address <url>", "the address of the indexer, for a process without an indexer")
    .option("--matcher-address <url>", "the address of the matcher, for a process without a matcher")
    .option("--vendor <name>", "the vendor segment of media types and headers (by default scanner)")
    .addOption(
      new Option(
        "--compatibility <profile>",
        "answer as documented, or like the known implementation if clients need that",
      ).choices(compatibilityProfiles),
    )
    .option("--tls-certificate <file>", "certificate chain in PEM")
    .option("--tls-key <file>", "its key in PEM")
    .addOption(new Option("--log-level <level>", "how much to log").choices(logLevels))
    .option(...configFlag);
}
