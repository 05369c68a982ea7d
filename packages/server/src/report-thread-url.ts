/**
 * The address of the program of threads that write reports in the formats of other tools. It is beside this module, as source and in every
 * bundle (`tsup.config.ts` and `tsup.command.config.ts` have an entry for it).
 */
const isSource = import.meta.url.endsWith(".ts");

export const reportThreadUrl = new URL(isSource ? "./report-thread.ts" : "./report-thread.js", import.meta.url);

/** Node's options for the program. */
export const reportThreadOptions: readonly string[] = isSource ? ["--conditions=plimsoll-source"] : [];
