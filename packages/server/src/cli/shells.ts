/** The shells that a completion script can be printed for. */
export const shells = ["bash", "zsh", "fish"] as const;
