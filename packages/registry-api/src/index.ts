/** The package holds nothing yet: see its README. */
export {};
