import { Gauge, type Registry } from "prom-client";
import type { HeldPlace, OnPlace } from "../memory.ts";

/** Shows how full the places of memory.ts are; those of one name, and of many processes, are added up. */
export function createPlaceObserver(registry: Registry): OnPlace {
  const places: HeldPlace[] = [];
  const show = (name: string, help: string, getBytes: (place: HeldPlace) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ["place"],
      registers: [registry],
      collect() {
        this.reset();
        for (const place of places) this.inc({ place: place.name }, getBytes(place));
      },
    });
  show("rugwatch_held_bytes", "Bytes remembered of what can be read or made again, by place.", (place) =>
    place.getBytes(),
  );
  show("rugwatch_held_max_bytes", "The most bytes that may be remembered, by place.", ({ maxBytes }) => maxBytes);
  return (place) => void places.push(place);
}
