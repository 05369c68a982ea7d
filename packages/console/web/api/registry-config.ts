import { useQuery } from "@tanstack/react-query";
import { readApiError } from "./api-error.ts";

/** The public configuration of the registry. */
export interface RegistryConfig {
  readonly config: { readonly REGISTRY_TITLE: string; readonly SERVER_HOSTNAME: string };
  readonly features: Readonly<Record<string, boolean>>;
  readonly registry_state: "readonly" | "normal";
  /** Whether somebody has signed in with this browser. */
  readonly signed_in: boolean;
  /** Present only while the registry has no account. */
  readonly first_user?: { readonly superusers: readonly string[] };
}

/** Queries the public configuration of the registry. */
export function useRegistryConfig() {
  return useQuery({ queryKey: ["config"], queryFn: readConfig, staleTime: 60_000 });
}

/** Fetches the public configuration. */
export async function readConfig({ signal }: { readonly signal?: AbortSignal | undefined }): Promise<RegistryConfig> {
  const response = await fetch("/config", { signal, headers: { "x-requested-with": "XMLHttpRequest" } });
  if (!response.ok) throw await readApiError(response);
  return (await response.json()) as RegistryConfig;
}
