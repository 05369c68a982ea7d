import { useQuery } from "@tanstack/react-query";
import type { ComponentType, ReactNode } from "react";
import { texts } from "../texts/texts.ts";
import { Answered } from "./answered.tsx";

interface Props<PartProps> {
  /** Unique among the parts. */
  readonly name: string;
  readonly load: () => Promise<ComponentType<PartProps>>;
  readonly children: (Part: ComponentType<PartProps>) => ReactNode;
}

/** A part of the console that is loaded when it is first opened. If loading fails, as it does after an update of the registry, which has other files, the page says so and has a retry button. */
export function Lazily<PartProps>({ name, load, children }: Props<PartProps>) {
  const part = useQuery({
    queryKey: ["part", name],
    queryFn: async () => ({ Part: await loaded(load()) }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return <Answered query={part}>{({ Part }) => children(Part)}</Answered>;
}

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
