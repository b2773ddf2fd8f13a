#!/usr/bin/env python3
"""Computes every figure of a report again from its CSV files, slowly and by other means.

    recompute.py DIRECTORY

Written from the definitions in src/account/figures.h alone. Exits 1 where a figure differs, is missing, or is
one that nobody defined. Amounts and times are exact fractions here; only the last step is a floating-point
number, as in figures.csv.
"""

import bisect
import csv
import itertools
import math
import sys
from collections import defaultdict
from fractions import Fraction
from pathlib import Path

UNITS = {"nvidia.com/gpu": (1000, "GPU"), "cpu": (1000, "core"), "memory": (2**30, "GiB")}
HOUR = 3600


def rows(directory, name):
    with open(directory / name, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def time(text):
    return None if text == "" else Fraction(text)


class Run:
    def __init__(self, directory):
        self.stays = rows(directory, "stays.csv")
        self.workloads = rows(directory, "workloads.csv")
        self.capacity = rows(directory, "capacity.csv")
        self.shares = rows(directory, "shares.csv")
        self.domains = rows(directory, "domains.csv") if (directory / "domains.csv").exists() else []
        self.end = Fraction(rows(directory, "run.csv")[0]["seconds"])
        with open(directory / "capacity.csv", newline="", encoding="utf-8") as file:
            self.resources = next(csv.reader(file))[2:]
        self.decisive = next((r for r in ("nvidia.com/gpu", "cpu") if r in self.resources), None)


def unit_of(resource):
    return UNITS.get(resource, (1, resource))


def percentile(values, percent):
    """The smallest value that at least `percent` percent of the values do not exceed."""
    ordered = sorted(values)
    for value in ordered:
        if 100 * bisect.bisect_right(ordered, value) >= percent * len(ordered):
            return value
    raise AssertionError("no values")


class Figures(dict):
    def spread(self, name, of, values):
        if not values:
            return
        self[name + ".mean", of] = sum(values) / len(values)
        for percent in (50, 95, 99):
            self[f"{name}.p{percent}", of] = percentile(values, percent)
        self[name + ".max", of] = max(values)


def size_class(workload):
    gpus = Fraction(workload.get("nvidia.com/gpu") or 0) / 1000
    if gpus == 0:
        return "no GPU"
    if gpus < 1:
        return "part of a GPU"
    if gpus == 1:
        return "1 GPU"
    most = 2 ** math.ceil(math.log2(gpus))
    return "2 GPUs" if most == 2 else f"{most // 2 + 1}-{most} GPUs"


def own_work(stays):
    """Seconds in which pods ran to a good end, and what checkpoints saved of those that were stopped."""
    work, covered, saved = Fraction(0), None, defaultdict(Fraction)
    for s in sorted(stays, key=lambda s: time(s["begin"])):
        if s["how"] == "finished":
            begin, end = time(s["begin"]), time(s["end"])
            first = begin if covered is None else max(covered, begin)
            work += max(0, end - first)
            covered = end if covered is None else max(covered, end)
        elif s["evicted"]:
            saved[s["evicted"]] = max(saved[s["evicted"]], time(s["saved"]))
    return work + sum(saved.values())


def times(run, figures):
    waiting, completion, delay, slowdown = (defaultdict(list) for _ in range(4))
    stays = defaultdict(list)
    for s in run.stays:
        stays[s["workload"]].append(s)
    for w in run.workloads:
        submitted, started, finished = (time(w[k]) for k in ("submitted", "started", "finished"))
        if started is None or w["began_before"] == "1":
            continue
        for of in ("", "queue " + w["queue"], "size " + size_class(w)):
            waiting[of].append(started - submitted)
            if finished is not None:
                completion[of].append(finished - submitted)
                delay[of].append(max(0, finished - submitted - own_work(stays[w["workload"]])))
                slowdown[of].append(max(1, (finished - submitted) / max(10, finished - started)))
    started = sum(1 for w in run.workloads if w["started"])
    figures["workloads.submitted", ""] = len(run.workloads)
    figures["workloads.started", ""] = started
    figures["workloads.finished", ""] = sum(1 for w in run.workloads if w["finished"])
    figures["workloads.pending", ""] = len(run.workloads) - started
    for name, groups in (("waiting", waiting), ("completion", completion), ("delay", delay),
                         ("slowdown", slowdown)):
        for of, values in groups.items():
            figures.spread(name, of, values)
    if run.workloads:
        first = max(0, min(time(w["submitted"]) for w in run.workloads))
        last = max([Fraction(0)] + [min(time(s["end"]) or run.end, run.end) for s in run.stays])
        figures["makespan", ""] = max(0, last - first)


def offered(run, resource):
    total = 0
    nodes = defaultdict(list)
    for row in run.capacity:
        nodes[row["node"]].append((time(row["time"]), int(row[resource])))
    for changes in nodes.values():
        for (begin, amount), (end, _) in zip(changes, changes[1:] + [(run.end, 0)]):
            total += amount * (end - begin)
    return total


def stayed(run, stay):
    end = time(stay["end"])
    return min(run.end if end is None else end, run.end) - time(stay["begin"])


AGES = (("under 1h", 1), ("1h to 4h", 4), ("4h to 1d", 24), ("1d to 7d", 168), ("over 7d", math.inf))


def lost_time(stay):
    return time(stay["evicted"]) - time(stay["begin"]) - time(stay["saved"])


def use(run, figures):
    for resource in run.resources:
        of = "resource " + resource
        per_hour = unit_of(resource)[0] * HOUR
        used = sum(int(s[resource]) * stayed(run, s) for s in run.stays)
        lost = sum(int(s[resource]) * lost_time(s) for s in run.stays if s["evicted"])
        room = offered(run, resource)
        figures["utilisation", of] = 100 * used / room if room else 0
        figures["goodput", of] = 100 * (used - lost) / room if room else 0
        figures["used", of] = used / per_hour
        figures["lost", of] = lost / per_hour
        figures["lost.percent", of] = 100 * lost / used if used else 0
    if run.decisive:
        per_hour = unit_of(run.decisive)[0] * HOUR
        used = sum(int(s[run.decisive]) * stayed(run, s) for s in run.stays)
        by_age = defaultdict(int)
        for s in run.stays:
            if s["evicted"]:
                age = time(s["evicted"]) - time(s["begin"])
                name = next(name for name, hours in AGES if age < hours * HOUR)
                by_age[name] += int(s[run.decisive]) * lost_time(s)
        for name, lost in by_age.items():
            if lost:
                figures["lost.percent", "age " + name] = 100 * lost / used
        for queue in {s["queue"] for s in run.stays}:
            own = [s for s in run.stays if s["queue"] == queue]
            figures["used", "queue " + queue] = sum(int(s[run.decisive]) * stayed(run, s) for s in own) / per_hour


def evictions(run, figures):
    victims = [s for s in run.stays if s["evicted"]]
    figures["evictions", ""] = len(victims)
    for action in {s["action"] for s in victims}:
        figures["evictions", "action " + action] = sum(1 for s in victims if s["action"] == action)
    stops = defaultdict(set)
    for s in victims:
        stops[s["workload"]].add(time(s["evicted"]))
    figures["stops.count", ""] = sum(len(moments) for moments in stops.values())
    figures["stops.most", ""] = max((len(moments) for moments in stops.values()), default=0)
    figures["stops.again", ""] = sum(
        1 for moments in stops.values() for a, b in zip(sorted(moments), sorted(moments)[1:]) if b - a < HOUR)


def fairness(run, figures):
    if not run.decisive:
        return
    changes = defaultdict(dict)
    for row in run.shares:
        if row["resource"] == run.decisive:
            changes[time(row["time"])][row["queue"]] = tuple(
                int(row[k]) for k in ("guaranteed", "fair", "requested", "allocated"))
    moments = sorted(changes)
    standing = {}
    deviation, jain, compared = 0, 0.0, 0
    missing, open_since, lacks = defaultdict(int), {}, []
    for now, until in zip(moments, moments[1:] + [run.end]):
        standing.update(changes[now])
        passed = until - now
        shares = []
        for queue, (guaranteed, fair, requested, allocated) in standing.items():
            lack = min(requested, guaranteed) - allocated
            if lack > 0:
                open_since.setdefault(queue, now)
                if passed > 0:
                    missing[queue] += lack * passed
            elif queue in open_since:
                lacks.append(now - open_since.pop(queue))
            if requested >= fair:
                deviation += abs(allocated - fair) * passed
            if requested > 0 and fair > 0:
                shares.append(Fraction(allocated, fair))
        if len(shares) >= 2 and passed > 0:
            squares = sum(x * x for x in shares)
            jain += float((sum(shares) ** 2 / (len(shares) * squares) if squares else 1) * passed)
            compared += passed
    lacks += [run.end - since for since in open_since.values()]
    room = offered(run, run.decisive)
    per_hour = unit_of(run.decisive)[0] * HOUR
    if compared:
        figures["fairness.jain", ""] = jain / float(compared)
    if room:
        figures["fairness.deviation", ""] = 100 * deviation / (2 * room)
    figures["guarantee.missing", ""] = sum(missing.values()) / per_hour
    for queue, amount in missing.items():
        figures["guarantee.missing", "queue " + queue] = amount / per_hour
    figures["reclaim.count", ""] = len(lacks)
    figures.spread("reclaim", "", lacks)


def waits(run):
    """(queue, size, from, until) of each time in which a workload waited: until it started, and
    each time that others had stopped it."""
    stays = defaultdict(list)
    for s in run.stays:
        stays[s["workload"]].append(s)
    for w in run.workloads:
        started, size = time(w["started"]), int(w[run.decisive] or 0)
        if started is None or size == 0:
            continue
        if w["began_before"] != "1":
            yield w["queue"], size, time(w["submitted"]), started
        runs_until, stopped = started, False
        for s in sorted(stays[w["workload"]], key=lambda s: time(s["begin"])):
            if stopped and time(s["begin"]) > runs_until:
                yield w["queue"], size, runs_until, time(s["begin"])
            evicted = s["how"] == "evicted"
            ends = min(run.end, time(s["evicted" if evicted else "end"]) or run.end)
            if ends >= runs_until:
                runs_until, stopped = ends, evicted
        if stopped:
            yield w["queue"], size, runs_until, run.end


def late_guarantees(run, figures):
    if not run.decisive:
        return
    headroom = defaultdict(dict)
    for row in run.shares:
        if row["resource"] == run.decisive:
            headroom[row["queue"]][time(row["time"])] = int(row["guaranteed"]) - int(row["allocated"])
    late = []
    for queue, size, begin, until in waits(run):
        since = None
        for now in sorted({begin, until} | {t for t in headroom[queue] if begin < t < until}):
            before = [t for t in headroom[queue] if t <= now]
            due = now < until and bool(before) and size <= headroom[queue][max(before)]
            if due and since is None:
                since = now
            elif not due and since is not None:
                late.append(now - since)
                since = None
    figures["guarantee.late.count", ""] = len(late)
    figures.spread("guarantee.late", "", late)


def device_room(run, node, moment):
    """CPU that is free on the node, and what is free on each of its devices."""
    offered_now = [r for r in run.capacity if r["node"] == node and time(r["time"]) <= moment][-1]
    here = [s for s in run.stays
            if s["node"] == node and time(s["begin"]) <= moment
            and (s["end"] == "" or time(s["end"]) > moment)]
    shared = defaultdict(int)
    for s in here:
        if s["gpu_device"]:
            shared[s["gpu_device"]] += int(s["nvidia.com/gpu"])
    whole = sum(int(s["nvidia.com/gpu"]) for s in here if not s["gpu_device"]) // 1000
    devices = [max(0, 1000 - used) for used in shared.values()]
    devices += [1000] * max(0, int(offered_now["nvidia.com/gpu"]) // 1000 - whole - len(shared))
    cpu = int(offered_now.get("cpu") or 0) - sum(int(s.get("cpu") or 0) for s in here)
    return cpu, devices, int(offered_now["nvidia.com/gpu"])


def unusable(cpu, gpu, room):
    free_cpu, devices, _ = room
    enough = [d for d in devices if d >= min(gpu, 1000)]
    if gpu == 0 or free_cpu < cpu or len(enough) * 1000 < gpu or not enough:
        return sum(devices)
    return sum(devices) - sum(enough)


def fragmentation(run, figures):
    if "nvidia.com/gpu" not in run.resources:
        return
    kinds = defaultdict(set)
    for s in run.stays:
        kinds[int(s.get("cpu") or 0), int(s["nvidia.com/gpu"])].add(s["pod"])
    pods = sum(len(of) for of in kinds.values())
    parts = []
    for i in range(1, 101):
        moment = Fraction(int(run.end * 10**6) * i // 100, 10**6)
        nodes = {r["node"] for r in run.capacity if time(r["time"]) <= moment}
        rooms = [device_room(run, node, moment) for node in nodes]
        there = sum(room[2] for room in rooms)
        lost = sum(unusable(cpu, gpu, room) * len(of)
                   for (cpu, gpu), of in kinds.items() for room in rooms if room[2])
        if there:
            parts.append(Fraction(100 * lost, pods * there))
    if pods and parts:
        figures["fragmentation", ""] = sum(parts) / len(parts)


def nearness(run, figures):
    """Pair by pair, and moment by moment."""
    topologies = defaultdict(dict)  # name -> level -> node -> domain; levels in their order
    for row in run.domains:
        topologies[row["topology"]].setdefault(row["level"], {})[row["node"]] = row["domain"]
    keys = [level for levels in topologies.values() for level in levels]

    def of(topology, level):
        if level is None:
            return "no level" if len(topologies) == 1 else f"no level of {topology}"
        return f"level {level}" if keys.count(level) == 1 else f"level {level} of {topology}"

    def begin_and_end(s):
        end = time(s["end"])
        return time(s["begin"]), min(run.end if end is None else end, run.end)

    pairs = defaultdict(list)
    for a, b in itertools.combinations(run.stays, 2):
        if a["workload"] and a["workload"] == b["workload"]:
            (a_begin, a_end), (b_begin, b_end) = begin_and_end(a), begin_and_end(b)
            if max(a_begin, b_begin) < min(a_end, b_end):
                pairs[a["workload"]].append((a["node"], b["node"]))
    count = sum(len(each) for each in pairs.values())
    changes = sorted({time(row["time"]) for row in run.capacity} | {t for s in run.stays for t in begin_and_end(s)}
                     | {Fraction(0), run.end})
    for topology, levels in topologies.items():
        def share(level, pair):
            a, b = (levels[level].get(node) for node in pair)
            return a is not None and a == b
        nearest = defaultdict(int)
        for pair in itertools.chain(*pairs.values()):
            nearest[next((level for level in reversed(levels) if share(level, pair)), None)] += 1
        for level, domains in levels.items():
            if count:
                figures["gangs.within", of(topology, level)] = Fraction(
                    100 * sum(all(share(level, pair) for pair in each) for each in pairs.values()), len(pairs))
                figures["pairs.nearest", of(topology, level)] = Fraction(100 * nearest[level], count)
            free = there = 0
            for now, until in zip(changes, changes[1:]):
                offering = {domains[n] for n in domains if offered_at(run, n, now) > 0}
                used = {domains.get(s["node"]) for s in run.stays
                        if int(s[run.decisive]) and begin_and_end(s)[0] <= now < begin_and_end(s)[1]}
                free += len(offering - used) * (until - now)
                there += len(offering) * (until - now)
            if there:
                figures["domains.free", of(topology, level)] = free / run.end
                figures["domains.free.percent", of(topology, level)] = 100 * free / there
        if count:
            figures["pairs.nearest", of(topology, None)] = Fraction(100 * nearest[None], count)


def offered_at(run, node, moment):
    rows_of = [r for r in run.capacity if r["node"] == node and time(r["time"]) <= moment]
    return int(rows_of[-1][run.decisive]) if rows_of else 0


def main():
    directory = Path(sys.argv[1])
    run = Run(directory)
    expected = Figures()
    for part in (times, use, evictions, fairness, late_guarantees, fragmentation, nearness):
        part(run, expected)
    faults = 0
    shown = rows(directory, "figures.csv")
    for row in shown:
        key = row["figure"], row["of"]
        if key not in expected:
            print(f"{key}: nobody can compute it")
            faults += 1
            continue
        value = float(expected.pop(key))
        if not math.isclose(float(row["value"]), value, rel_tol=1e-9, abs_tol=1e-9):
            print(f"{key}: the report says {row['value']}, its rows say {value!r}")
            faults += 1
    for key in expected:
        print(f"{key}: not in the report")
        faults += 1
    print(f"{len(shown) - faults} passed, {faults} failed")
    return 1 if faults or not shown else 0


sys.exit(main())
