import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Card } from "./Card.tsx";

interface WhenNearProps {
  /** Of the card that stands there until then. */
  card: { title: string; anchor?: string; class?: string };
  children: ComponentChildren;
}

/** Less than the height of a phone. */
const NEAR = "400px";

/**
 * What lies below the first screen is read when somebody comes near it: each document counts for
 * the limit of requests.
 */
export function WhenNear({ card, children }: WhenNearProps) {
  const [isNear, setNear] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setNear(true),
      { rootMargin: NEAR },
    );
    if (place.current !== null) observer.observe(place.current);
    return () => observer.disconnect();
  }, []);
  if (isNear) return <>{children}</>;
  return (
    <Card {...card}>
      <div class="when-near" ref={place} />
    </Card>
  );
}
