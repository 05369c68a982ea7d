import { texts } from "../texts/texts.ts";

/**
 * A module of the console that is loaded when it is needed.
 * @throws Error with a message for the visitor if it cannot be loaded: the registry may have been updated, so that it has other files
 */
export async function loaded<Module>(loading: Promise<Module>): Promise<Module> {
  try {
    return await loading;
  } catch (cause) {
    throw new Error(texts.failure.partMissing, { cause });
  }
}
