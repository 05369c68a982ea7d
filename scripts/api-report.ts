import ts from "typescript-5";
import { type LibraryEntry, libraryEntries } from "./lib/library-exports.ts";
import { isInternalMember } from "./lib/signature.ts";
import type { promisedPackages, SourceProgram } from "./lib/source-program.ts";

/**
 * The text of packages/NAME/api.txt: every promised name of a package with its declaration, without comments. A change of this file
 * is a change for users.
 */
export function apiReport(sources: SourceProgram, name: (typeof promisedPackages)[number]): string {
  const entries = libraryEntries(sources, `@plimsoll/${name}`).filter(({ isInternal }) => !isInternal);
  return [
    `What @plimsoll/${name} promises: its names and their declarations. npm run docs writes this file.`,
    "A name that is removed or changed is a change for users: it needs a file in .changeset, and a new major version after 1.0.",
    "",
    ...entries.flatMap(linesOf),
  ].join("\n");
}

function linesOf({ specifier, exports }: LibraryEntry): string[] {
  return [
    `# ${specifier}`,
    "",
    ...exports.flatMap(({ name, kind, signature, documentedAt }) =>
      documentedAt === undefined ? [promisedPart(signature)] : [`${kind} ${name} of ${documentedAt}`],
    ),
    "",
  ];
}

const printer = ts.createPrinter({ removeComments: true });

/** The declaration without comments, and without members that are not promised. */
function promisedPart(declaration: string): string {
  const file = ts.createSourceFile("api.d.ts", declaration, ts.ScriptTarget.ESNext, true);
  const { transformed } = ts.transform(file, [
    (context) => (root) => {
      const visit = (node: ts.Node): ts.Node | undefined =>
        isInternalMember(node) ? undefined : ts.visitEachChild(node, visit, context);
      return ts.visitEachChild(root, visit, context);
    },
  ]);
  return transformed
    .map((each) => printer.printFile(each))
    .join("")
    .trimEnd();
}
