/**
 * The addresses of the programs of threads: one writes reports in the formats of other tools, one answers questions about large images. They
 * are beside this module, as source and in every bundle (`tsup.config.ts` and `tsup.command.config.ts` have an entry for each).
 */
const isSource = import.meta.url.endsWith(".ts");

const ending = isSource ? "ts" : "js";

export const reportThreadUrl = new URL(`./report-thread.${ending}`, import.meta.url);

export const imageThreadUrl = new URL(`./image-thread.${ending}`, import.meta.url);

/** Node's options for the programs. */
export const threadOptions: readonly string[] = isSource ? ["--conditions=plimsoll-source"] : [];
