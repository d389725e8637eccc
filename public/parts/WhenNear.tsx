import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Card, type CardProps } from "./Card.tsx";

interface WhenNearProps {
  card: Omit<CardProps, "children">;
  /** Of the card. */
  children: ComponentChildren;
}

/** Less than the height of a phone. */
const NEAR = "400px";

/**
 * A card below the first screen reads its documents when somebody comes near it, or opens it:
 * each counts for the limit of requests.
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
  return <Card {...card}>{isNear ? children : <div class="when-near" ref={place} />}</Card>;
}
