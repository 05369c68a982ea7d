/** Organizations whose name is not the Maven group of any of their artifacts: where it stands for one, it is a guess. */
export const organizations: ReadonlySet<string> = new Set([
  "com.google",
  "com.ibm",
  "com.oracle",
  "com.sun",
  "org.apache",
  "org.eclipse",
  "org.jboss",
]);
