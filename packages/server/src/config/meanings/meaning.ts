/** The description of a setting, and its default in words if the code has no default value. */
export type Meaning = readonly [meaning: string, otherwise?: string];

/** The default of a setting that has none. */
export const none = "none";
