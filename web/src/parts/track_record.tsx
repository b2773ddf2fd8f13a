// How often work started when it was first said to: what is said of starts now is worth as much.
// Nothing at all where no history is kept, or nothing could be judged yet.
import { urlOf } from '../api/client';
import { usePoll } from '../api/poll';
import type { Basis, EstimateScore, EstimatesAnswer } from '../api/types';
import { count, counted, percent } from '../text/amounts';
import { duration } from '../text/time';
import { Panel, QueueLink } from './bits';

const kEveryMs = 30_000; // the server goes through all that was said

const kRestedOn: Record<Basis, string> = {
  Limits: 'limits',
  Expected: 'announced ends',
  History: 'past runs',
};

// Of a queue and those below it, what could be judged.
function useScores(queue: string): EstimateScore[] {
  const url = urlOf('/api/v1/history/estimates', { queue });
  const { data, ofUrl } = usePoll<EstimatesAnswer>(queue ? url : null, { everyMs: kEveryMs });
  return data && ofUrl === url ? data.rows.filter(({ judged }) => judged > 0) : [];
}

// Beside an expected start: how often such came true in its queue.
export function TrackRecordLine({ queue, basis }: { queue: string; basis: Basis }) {
  const score = useScores(queue).find((each) => each.queue === queue && each.basis === basis);
  if (!score) return null;
  const { judged, within, medianErrorSeconds: error } = score;
  return (
    <p class="quiet track-record">
      Of {counted(judged, 'start')} said this way of queue {queue}, {percent(within, judged)} came
      {basis === 'History' ? ` within ${judged === 1 ? 'its' : 'their'} range` : ' no later than that'}
      {error !== undefined && <>, median error {duration(error)}</>}.
    </p>
  );
}

export function TrackRecordPanel({ queue }: { queue: string }) {
  const scores = useScores(queue);
  if (scores.length === 0) return null;
  const several = scores.some((score) => score.queue !== '' && score.queue !== queue);
  const rows = scores.filter((score) => several || score.queue !== '');
  return (
    <Panel title="Did work start when it was said to?">
      <table class="plain track-record">
        <caption class="hidden">Starts that were said, by what that rested on, and what came</caption>
        <thead>
          <tr>
            {several && <th scope="col">Queue</th>}
            <th scope="col">By</th>
            <th scope="col" class="num">Came as said</th>
            <th scope="col" class="num">Median error</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((score) => (
            <tr key={`${score.queue} ${score.basis}`}>
              {several && <th scope="row">{score.queue
                ? <QueueLink name={score.queue} /> : 'all of these'}</th>}
              <td>{kRestedOn[score.basis]}</td>
              <td class="num">{percent(score.within, score.judged)} <span class="quiet">of{' '}
                {count(score.judged)}</span></td>
              <td class="num">{score.medianErrorSeconds === undefined
                ? '–' : duration(score.medianErrorSeconds)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="quiet track-record">As said: within the range that was said, or no later where none
        was. Half of those that started were no further off than the median error, early or late.</p>
    </Panel>
  );
}
