import { useQuery } from "@tanstack/react-query";
import type { ComponentType, ReactNode } from "react";
import { Answered } from "./answered.tsx";
import { loaded } from "./loaded.ts";

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
