// Times and durations for people. Times are shown in UTC, as the command line prints them.

const kMinute = 60;
const kHour = 60 * kMinute;
const kDay = 24 * kHour;

// "42s", "12m", "3h5m", "2d4h": two units at most.
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  if (whole < kMinute) return `${whole}s`;
  const two = (large: number, unit: string, small: number, below: string) => {
    const rest = Math.floor((whole % large) / small);
    return `${Math.floor(whole / large)}${unit}${rest ? `${rest}${below}` : ''}`;
  };
  if (whole < 10 * kMinute) return two(kMinute, 'm', 1, 's');
  if (whole < kHour) return `${Math.floor(whole / kMinute)}m`;
  if (whole < kDay) return two(kHour, 'h', kMinute, 'm');
  return two(kDay, 'd', kHour, 'h');
}

export const secondsOf = (time: string) => Date.parse(time) / 1000;

export const secondsBetween = (from: string, to: string) => secondsOf(to) - secondsOf(from);

const format = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC', hourCycle: 'h23' });
const clockFormat = format({ hour: '2-digit', minute: '2-digit', second: '2-digit' });
const dayFormat = format({ weekday: 'short', day: 'numeric', month: 'short' });
const yearFormat = format({ day: 'numeric', month: 'short', year: 'numeric' });

// "09:20:00"
export const clock = (time: string) => clockFormat.format(new Date(time));

// "Mon 2 Mar"
export const day = (time: string) => dayFormat.format(new Date(time)).replace(',', '');

// "Mon 2 Mar 09:20:00", or with the year where `now` is in another.
export function moment(time: string, now: string): string {
  const sameYear = time.slice(0, 4) === now.slice(0, 4);
  const date = sameYear ? day(time) : yearFormat.format(new Date(time));
  return time.slice(0, 10) === now.slice(0, 10) ? clock(time) : `${date} ${clock(time)}`;
}

// "12m ago", "in 3h5m", "now"
export function relative(time: string, now: string): string {
  const seconds = Math.round(secondsBetween(time, now));
  if (seconds === 0) return 'now';
  return seconds > 0 ? `${duration(seconds)} ago` : `in ${duration(-seconds)}`;
}

// RFC 3339 to the second.
export const stamp = (seconds: number) =>
  new Date(Math.floor(seconds) * 1000).toISOString().replace('.000Z', 'Z');
