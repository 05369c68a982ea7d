/** Conflicts between the changes of two users. */
export const conflict = {
  title: "This was changed by someone else meanwhile.",
  meaning:
    "Your change was not made; your input is still in the form. “Keep mine” replaces the current value with your input. “Take theirs” discards your input.",
  theirs: "Current value",
  differs: "Differs from your form",
  nothing: "It was removed.",
  keepMine: "Keep mine",
  takeTheirs: "Take theirs",
  choice: (mine: string, theirs: string) => `You chose “${mine}”; now it is “${theirs}”. Your change was not made.`,
} as const;
