/** Two who change the same. */
export const conflict = {
  title: "This was changed by someone else meanwhile.",
  meaning:
    "Your change was not made; what you typed is still in the form. “Keep mine” replaces what is there now by what you typed; “Take theirs” drops what you typed.",
  theirs: "What is there now",
  differs: "Not as in your form",
  nothing: "It was removed.",
  keepMine: "Keep mine",
  takeTheirs: "Take theirs",
  choice: (mine: string, theirs: string) => `You chose “${mine}”; now it is “${theirs}”. Your change was not made.`,
} as const;
