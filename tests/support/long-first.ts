import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take long, small as some of them are: those that start programs, and the one that reads all sources. */
const long = /^(?:tests\/|scripts\/library\.test\.ts$)/;

/**
 * The order of files: by the times of the last run, or in a fresh clone, where there are none, by size; but the long ones first of all, so
 * that none is alone at the end while the other cores have nothing to do.
 */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const ordered = await super.sort(files);
    const isLong = ({ moduleId, project }: TestSpecification) => long.test(relative(project.config.root, moduleId));
    return [...ordered.filter(isLong), ...ordered.filter((file) => !isLong(file))];
  }
}
