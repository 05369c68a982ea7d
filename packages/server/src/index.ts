export { type ExitCode, exitCodes } from "./cli/exit-code.ts";
export type { CliIo, Output } from "./cli/io.ts";
export { runCli } from "./cli/run-cli.ts";
