// A `fairlead run` that reaches no API server: it reads nothing, and still answers. Ends with stop().
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const kKubeconfig = `{apiVersion: v1, kind: Config, current-context: c,
  clusters: [{name: c, cluster: {server: "http://127.0.0.1:9"}}],
  contexts: [{name: c, context: {cluster: c, user: u}}], users: [{name: u, user: {}}]}`;

export async function startRun() {
  const folder = await mkdtemp(join(tmpdir(), 'fairlead-run-'));
  const kubeconfig = join(folder, 'kubeconfig');
  await writeFile(kubeconfig, kKubeconfig);
  const run = spawn(process.env.FAIRLEAD, ['run', '--kubeconfig', kubeconfig, '--port', '0'], {
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  const url = await new Promise((resolve, reject) => {
    let log = '';
    run.once('exit', (code) => reject(new Error(`fairlead run ended with ${code}: ${log}`)));
    run.stderr.on('data', (some) => {
      log += some;
      const found = /explanations on (http:\/\/[0-9.]+:\d+)/.exec(log);
      if (found) resolve(found[1]);
    });
  });
  return {
    url,
    stop: async () => {
      if (run.exitCode === null && run.signalCode === null) {
        run.kill('SIGTERM');
        await once(run, 'exit');
      }
      await rm(folder, { recursive: true });
    },
  };
}
