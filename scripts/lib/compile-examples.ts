import { join } from "node:path";
import ts from "typescript-5";
import { type SourceProgram, sourceOptions } from "./source-program.ts";

/** An example as a program, with the name of the export that it belongs to. */
export interface ExampleProgram {
  readonly name: string;
  readonly text: string;
}

/** Compiles the examples against the sources. @returns one line for each compiler error */
export function compileExamples(
  examples: readonly ExampleProgram[],
  sources: SourceProgram,
  folder: string,
): readonly string[] {
  const byFile = new Map(examples.map((each, index) => [join(folder, `example-${index}.ts`), each]));
  const options = { ...sourceOptions, types: ["node"], typeRoots: [join(folder, "../node_modules/@types")] };
  const host = ts.createCompilerHost(options);
  const { fileExists, getSourceFile } = host;
  host.fileExists = (path) => byFile.has(path) || fileExists(path);
  host.getSourceFile = (path, version, ...rest) => {
    const example = byFile.get(path);
    const known = sources.program.getSourceFile(path);
    if (example === undefined) return known ?? getSourceFile(path, version, ...rest);
    return ts.createSourceFile(path, `${example.text}\nexport {};\n`, version);
  };
  const program = ts.createProgram({ rootNames: [...byFile.keys()], options, host, oldProgram: sources.program });
  return [...byFile].flatMap(([path, { name }]) => {
    const file = program.getSourceFile(path);
    const problems = [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
    return problems.map((each) => `${name}: ${ts.flattenDiagnosticMessageText(each.messageText, " ")}`);
  });
}
