/** The files of the console and how a server sends them. The pages themselves are in `web/`. */
export { type ConsoleFile, type ConsoleFiles, openConsoleFiles } from "./console-files.ts";
export { consoleOperations } from "./operations.ts";
export { accountPage, type ConsoleOptions, registerConsole } from "./register-console.ts";
