import { Link } from "wouter";
import { useCurrentUser } from "../api/current-user.ts";

/** The name of a feed. For superusers, who alone may see feeds, it links to the feed's age and the error of its last update. */
export function FeedLink({ name }: { readonly name: string }) {
  const user = useCurrentUser().data;
  if (!user?.super_user && !user?.global_readonly_super_user) return name;
  return <Link href={`/admin?${new URLSearchParams({ view: "feeds", feed: name })}`}>{name}</Link>;
}
