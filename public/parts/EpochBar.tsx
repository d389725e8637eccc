/** How far an epoch is. The browser's own progress bar: its value needs no style attribute, which the CSP forbids. */
export function EpochBar({ percent, label }: { percent: number; label: string }) {
  return <progress class="epoch-bar" max={100} value={percent} aria-label={label} />;
}
