/** A sentence; and the default in words, where the code's own default does not say it. */
export type Meaning = readonly [meaning: string, otherwise?: string];

/** The default of a setting that has none. */
export const none = "none";
