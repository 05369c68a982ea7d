import { Link } from "wouter";
import { useCurrentUser } from "../api/current-user.ts";

/** The name of a feed. Superusers, whom alone the registry tells of feeds, are led to how old it is and why its last update failed. */
export function FeedLink({ name }: { readonly name: string }) {
  const user = useCurrentUser().data;
  if (!user?.super_user && !user?.global_readonly_super_user) return name;
  return <Link href={`/admin?${new URLSearchParams({ view: "feeds", feed: name })}`}>{name}</Link>;
}
