// One line under the header when figures are not to be taken for what is so now.
import { useEffect, useState } from 'preact/hooks';

import { currentConnection, onConnection } from '../api/client';
import type { Summary } from '../api/types';

const kStates: Record<string, string> = {
  Reading: 'The cluster is being read. Figures are not complete yet.',
  Standby: 'This one is on standby and shows nothing of the cluster: another replica decides.',
  Stopped: 'The scheduler has stopped. Nothing is decided any more.',
};

export function useConnection() {
  const [connection, setConnection] = useState(currentConnection);
  useEffect(() => onConnection(() => setConnection(currentConnection())), []);
  return connection;
}

export function Banner({ summary }: { summary: Summary | null }) {
  const { lost, lastAnswer } = useConnection();
  const text = lost
    ? lastAnswer
      ? `The server is gone. What you see is of ${new Date(lastAnswer).toLocaleTimeString('en-GB')}; `
        + 'trying again every second.'
      : 'The server does not answer; trying again every second.'
    : (summary && kStates[summary.state]) ?? '';
  return (
    <div class={`banner ${lost ? 'banner-lost' : ''}`} role="status" hidden={text === ''}>
      {text}
    </div>
  );
}
