// How much of something is used. The figures stand beside it, so it says nothing to those who
// do not see it.

export interface MeterProps {
  part: number;
  whole: number;
  wanted?: number; // beyond `part`: asked for, and not there
}

const share = (part: number, whole: number) =>
  `${whole > 0 ? Math.min(100, (100 * part) / whole) : 0}%`;

export function Meter({ part, whole, wanted = 0 }: MeterProps) {
  return (
    <div class="meter" aria-hidden="true">
      {wanted > part && <div class="meter-wanted" style={{ width: share(wanted, whole) }} />}
      <div class="meter-part" style={{ width: share(part, whole) }} />
    </div>
  );
}
