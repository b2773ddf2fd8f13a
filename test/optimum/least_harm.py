#!/usr/bin/env python3
"""Who has to go for a gang, beside the optimum of an integer program.

    test/optimum/least_harm.py FAIRLEAD [--nodes N] [--worlds N] [--gangs PERCENT] [--first SEED]

Full clusters of nodes of 8 GPUs and 64 CPUs run pods of 1 to 8 GPUs, a part of them in gangs of 2
to 6, of three priorities; a gang of 2 to 16 pods of a higher one asks in the same queue, so that
priority alone decides whom it may ask (semantics.md 4.4: the lowest highest priority, then the
fewest workloads, then the least work lost). `fairlead plan` says who goes; CBC says what is least:

    fewest   min  sum x_w
             over x_w in {0,1} (the workload goes), k_n in 0, 1, ... (pods on node n)
             s.t. asked_r k_n <= free_nr + sum of what the x_w have on n, of each resource r
                  sum k_n >= the gang's pods
    cheapest min  sum lost_w x_w, the same with sum x_w = the fewest

A proof must hold: with leastProven (fewestProven) no less (no fewer) is possible. Exit code 1: one
does not, or fewer than 99 of 100 plans stop the fewest workloads, or where they do, more than 1 %
is lost beyond the least in the mean, or less than a half of the numbers is proven.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
from collections import Counter
from datetime import datetime, timedelta, timezone
from pathlib import Path

CPUS, GPUS = 64, 8
NOW = datetime(2026, 3, 2, 12, tzinfo=timezone.utc)


def at(age):
    return (NOW - timedelta(seconds=age)).strftime('%Y-%m-%dT%H:%M:%SZ')


class World:
    """Victims: {'priority', 'pods': [(node, cpus, gpus, age)]}."""

    def __init__(self, seed, nodes, gang_percent):
        self.random = random.Random(seed)
        self.nodes = nodes
        self.victims = []
        self.fill(gang_percent)
        self.asked = (self.random.choice([1, 4]), self.random.choice([1, 2, 4, 8]))
        self.count = self.random.randint(2, 16)

    def fill(self, gang_percent):
        gang, wanted = None, 0
        for node in range(self.nodes):
            left = GPUS
            while left > 0:
                gpus = min(left, self.random.choice([1, 1, 2, 2, 4, 8]))
                left -= gpus
                pod = (node, gpus * self.random.choice([1, 4, 8]), gpus,
                       self.random.randint(60, 3 * 86400))
                if self.random.randrange(100) >= gang_percent:
                    self.victims.append(self.victim([pod]))
                    continue
                if gang is None:
                    gang, wanted = [], self.random.randint(2, 6)
                gang.append(pod)
                if len(gang) == wanted:
                    self.victims.append(self.victim(gang))
                    gang = None
        if gang:
            self.victims.append(self.victim(gang))

    def victim(self, pods):
        return {'priority': self.random.choice([0, 10, 20]), 'pods': pods}

    def manifests(self):
        items = [{'apiVersion': 'v1', 'kind': 'Node', 'metadata': {'name': f'n{n}'},
                  'status': {'allocatable': {'cpu': str(CPUS), 'nvidia.com/gpu': str(GPUS),
                                             'pods': '110'}}}
                 for n in range(self.nodes)]
        items.append({'apiVersion': 'fairlead.dev/v1alpha1', 'kind': 'Queue',
                      'metadata': {'name': 'q'}, 'spec': {}})
        for v, victim in enumerate(self.victims):
            items += gang(f'v{v}', victim['priority'],
                          [(cpus, gpus, node, age) for node, cpus, gpus, age in victim['pods']])
        items += gang('asks', 100, [(*self.asked, None, 0)] * self.count)
        return {'apiVersion': 'v1', 'kind': 'List', 'items': items}


def gang(name, priority, pods):
    """A pod by itself, or a Workload with its pods."""
    labels = {'fairlead.dev/queue': 'q'}
    items = []
    if len(pods) > 1:
        oldest = max(age for *_, age in pods)
        labels = {'fairlead.dev/workload': name}
        running = pods[0][2] is not None
        items.append({
            'apiVersion': 'fairlead.dev/v1alpha1', 'kind': 'Workload',
            'metadata': {'name': name, 'namespace': 'lab', 'creationTimestamp': at(oldest)},
            'spec': {'queueName': 'q', 'priority': priority,
                     'podSets': [{'name': 'main', 'count': len(pods)}]},
            'status': {'admission': {'queue': 'q', 'podSetAssignments': [
                {'name': 'main', 'count': len(pods)}]}} if running else {}})
    for p, (cpus, gpus, node, age) in enumerate(pods):
        pod = {'apiVersion': 'v1', 'kind': 'Pod',
               'metadata': {'name': f'{name}-{p}', 'namespace': 'lab', 'labels': labels,
                            'creationTimestamp': at(age)},
               'spec': {'schedulerName': 'fairlead', 'priority': priority, 'containers': [
                   {'name': 'main', 'image': 'none', 'resources': {
                       'requests': {'cpu': str(cpus), 'nvidia.com/gpu': str(gpus)},
                       'limits': {'nvidia.com/gpu': str(gpus)}}}]}}
        if node is not None:
            pod['spec']['nodeName'] = f'n{node}'
            pod['status'] = {'phase': 'Running', 'startTime': at(age), 'conditions': [
                {'type': 'PodScheduled', 'status': 'True', 'lastTransitionTime': at(age)}]}
        items.append(pod)
    return items


def lost(victim):
    """Of a cluster whose GPUs are the scarcer: GPU seconds."""
    return sum(gpus * age for _, _, gpus, age in victim['pods'])


def program(world, priority, objective, number=None):
    """CPLEX's LP format."""
    free = [[CPUS, GPUS] for _ in range(world.nodes)]
    given = [[Counter(), Counter()] for _ in range(world.nodes)]
    for v, victim in enumerate(world.victims):
        for node, *size, _ in victim['pods']:
            for r in range(2):
                free[node][r] -= size[r]
                if victim['priority'] <= priority:
                    given[node][r][v] += size[r]
    who = [v for v, victim in enumerate(world.victims) if victim['priority'] <= priority]
    lines = ['Minimize', 'obj: ' + '\n + '.join(f'{objective(world.victims[v])} x{v}' for v in who),
             'Subject To']
    for n in range(world.nodes):
        for r in range(2):
            left = ' '.join([f'{world.asked[r]} k{n}',
                             *(f'- {size} x{v}' for v, size in given[n][r].items())])
            lines.append(f'n{n}r{r}: {left} <= {free[n][r]}')
    lines.append('all: ' + '\n + '.join(f'k{n}' for n in range(world.nodes)) + f' >= {world.count}')
    if number is not None:
        lines.append('number: ' + '\n + '.join(f'x{v}' for v in who) + f' = {number}')
    lines += ['Generals', *(f'k{n}' for n in range(world.nodes)), 'Binaries',
              *(f'x{v}' for v in who), 'End']
    return '\n'.join(lines) + '\n'


def solve(text, scratch):
    """The optimum; None: there is no solution."""
    model, solution = scratch / 'model.lp', scratch / 'solution'
    model.write_text(text)
    solution.unlink(missing_ok=True)
    subprocess.run(['cbc', str(model), 'ratioGap', '0', 'allowableGap', '0', 'solve', 'solution',
                    str(solution)], check=True, stdout=subprocess.DEVNULL)
    first = solution.read_text().splitlines()[0]
    if not first.startswith('Optimal'):
        return None
    return round(float(first.split()[-1]))


def optimum(world, scratch):
    for priority in (0, 10, 20):
        fewest = solve(program(world, priority, lambda _: 1), scratch)
        if fewest is not None:
            return priority, fewest, solve(program(world, priority, lost, fewest), scratch)
    return None


def decided(world, fairlead, scratch):
    """(priority, workloads, lost), and what is proven of it."""
    state = scratch / 'world.json'
    state.write_text(json.dumps(world.manifests()))
    out = subprocess.run([fairlead, 'plan', '-f', str(state), '--now', at(0), '-o', 'json'],
                         check=True, stdout=subprocess.PIPE, text=True).stdout
    gone = [d for d in json.loads(out)['decisions'] if d['type'] == 'Evict']
    if not gone:
        return None, False, False
    victims = [world.victims[v] for v in
               sorted({int(d['workload'].removeprefix('lab/v').split('-')[0]) for d in gone})]
    cost = (max(v['priority'] for v in victims), len(victims), sum(map(lost, victims)))
    least = all(d.get('leastProven', True) for d in gone)
    return cost, least, least or all(d.get('fewestProven', False) for d in gone)


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split('\n\n')[1].strip())
    parser.add_argument('fairlead')
    parser.add_argument('--nodes', type=int, default=100)
    parser.add_argument('--worlds', type=int, default=12)
    parser.add_argument('--gangs', type=int, default=40)
    parser.add_argument('--first', type=int, default=1)
    parser.add_argument('--verbose', action='store_true')
    args = parser.parse_args()
    served = fewest = least = proven = 0
    beyond, faults = [], []
    with tempfile.TemporaryDirectory() as directory:
        for seed in range(args.first, args.first + args.worlds):
            world = World(seed, args.nodes, args.gangs)
            cost, all_proven, number_proven = decided(world, args.fairlead, Path(directory))
            best = optimum(world, Path(directory))
            if args.verbose:
                print(seed, world.count, world.asked, cost, best, all_proven, number_proven)
            if (cost is None) != (best is None):
                faults.append(f'seed {seed}: {cost} where {best} is least')
            if cost is None or best is None:
                continue
            served += 1
            fewest += cost[:2] == best[:2]
            least += cost == best
            proven += number_proven
            if cost[:2] == best[:2]:
                beyond.append(cost[2] / best[2] - 1)
            if all_proven and cost != best or number_proven and cost[:2] != best[:2]:
                faults.append(f'seed {seed}: {cost} is called proven, {best} is least')
    mean = 100 * sum(beyond) / max(1, len(beyond))
    if fewest < 0.99 * served:
        faults.append('too often others stop fewer')
    if mean > 1:
        faults.append('too much is lost')
    if proven < 0.5 * served:
        faults.append('too little is proven')
    print('\n'.join(faults + [
        f'{served} of {args.worlds} worlds served: the fewest stop in {fewest}, and lose the least '
        f'in {least} ({mean:.2f} % beyond it); {proven} numbers proven']))
    return 1 if faults else 0


if __name__ == '__main__':
    sys.exit(main())
