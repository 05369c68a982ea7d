import type { Command } from "commander";
import { allSettings, type SettingName } from "../../config/all-settings.ts";
import type { ServiceFlags } from "../../config/resolve-service-settings.ts";
import type { ExitCode } from "../exit-code.ts";
import { helpBelow } from "../help-layout.ts";
import { serveHelp } from "../help-texts.ts";
import type { CliIo } from "../io.ts";
import { configFlag, settingFlag } from "./flags.ts";

/** Adds the `serve` command. Its flags are those of the settings that declare one. */
export function addServeCommand(program: Command, io: CliIo, end: (code: ExitCode) => void): void {
  const command = program
    .command("serve")
    .description("run the scanner service and the registry")
    .addHelpText("after", helpBelow(serveHelp));
  for (const name of Object.keys(allSettings) as SettingName[]) {
    const flag = settingFlag(name);
    if (flag !== undefined) command.addOption(flag);
  }
  command.option(...configFlag).action(async (flags: ServiceFlags) => {
    const { serve } = await import("../../commands/serve.ts");
    end(await serve(io, flags));
  });
}
