package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"

	"github.com/spf13/pflag"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/tools/cache"
	"k8s.io/kubernetes/pkg/scheduler/apis/config/latest"
	schedulercache "k8s.io/kubernetes/pkg/scheduler/backend/cache"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins"
	frameworkruntime "k8s.io/kubernetes/pkg/scheduler/framework/runtime"
	"k8s.io/kubernetes/pkg/scheduler/metrics"
)

// filters asks Kubernetes' own scheduler, its default profile, onto which nodes the pod of each of
// many random worlds may go, and a command of ours the same. The command reads a world a line, as a
// JSON List of which the last item is the pod, and answers with a line of names of nodes.
func filters(args []string) error {
	flags := pflag.NewFlagSet("filters", pflag.ExitOnError)
	worlds := flags.Uint64("worlds", 20000, "how many, of seeds from the first on")
	first := flags.Uint64("first", 1, "the first seed")
	show := flags.Bool("show", false, "print each world")
	_ = flags.Parse(args)
	if flags.NArg() == 0 {
		return errors.New("filters: which command is to be asked?")
	}
	ours, err := startAsker(flags.Args())
	if err != nil {
		return err
	}
	theirs, err := newFilterer(*first, *worlds)
	if err != nil {
		return err
	}
	differ, none, fitting := 0, 0, 0
	alone := map[string]int{}
	for seed := *first; seed < *first+*worlds; seed++ {
		w := makeWorld(seed)
		line, err := w.list()
		if err != nil {
			return err
		}
		expected, why, only := theirs.fits(w)
		for _, plugin := range only {
			alone[plugin]++
		}
		got, err := ours.ask(line)
		if err != nil {
			return fmt.Errorf("seed %d: %w", seed, err)
		}
		if len(expected) == 0 {
			none++
		}
		fitting += len(expected)
		if *show {
			fmt.Printf("seed %d: %s\n", seed, line)
		}
		if slices.Equal(expected, got) {
			continue
		}
		if differ++; differ <= 5 {
			fmt.Printf("seed %d: kube-scheduler says [%s], Fairlead [%s]\n  %s\n  %s\n", seed,
				strings.Join(expected, " "), strings.Join(got, " "), strings.Join(why, "\n  "), line)
		}
	}
	fmt.Printf("filters: %d worlds, %d differ; in %d no node fits, in the others %.1f\n", *worlds,
		differ, none, float64(fitting)/float64(max(1, *worlds-uint64(none))))
	if err := ours.end(); err != nil {
		return err
	}
	for _, plugin := range asked {
		if fmt.Printf("  nodes that %s alone refused: %d\n", plugin, alone[plugin]); alone[plugin] == 0 && *worlds >= 1000 {
			return fmt.Errorf("filters: no world asks %s", plugin)
		}
	}
	if differ > 0 {
		return fmt.Errorf("filters: %d of %d worlds differ", differ, *worlds)
	}
	return nil
}

// Kubernetes' filters ----------------------------------------------------------------------------

// The snapshot of the world that is asked about.
type currentWorld struct{ *schedulercache.Snapshot }

type filterer struct {
	world      *currentWorld
	namespaces cache.Indexer
	plugins    framework.Framework
}

// newFilterer tells of all worlds' volumes at once: those who keep them follow by watching. Their
// names tell the worlds apart.
func newFilterer(first, worlds uint64) (*filterer, error) {
	var volumes []runtime.Object
	for seed := first; seed < first+worlds; seed++ {
		volumes = append(volumes, makeWorld(seed).volumes...)
	}
	metrics.Register()
	factory := informers.NewSharedInformerFactory(fake.NewClientset(volumes...), 0)
	config, err := latest.Default()
	if err != nil {
		return nil, err
	}
	ctx := context.Background()
	f := &filterer{world: &currentWorld{schedulercache.NewEmptySnapshot()}}
	f.plugins, err = frameworkruntime.NewFramework(ctx, plugins.NewInTreeRegistry(),
		&config.Profiles[0], frameworkruntime.WithInformerFactory(factory),
		frameworkruntime.WithClientSet(fake.NewClientset()),
		frameworkruntime.WithSnapshotSharedLister(f.world))
	if err != nil {
		return nil, err
	}
	f.namespaces = factory.Core().V1().Namespaces().Informer().GetIndexer()
	factory.Start(ctx.Done())
	factory.WaitForCacheSync(ctx.Done())
	return f, nil
}

// Those of whom every run must come across a node that nobody else refuses.
var asked = []string{"NodeUnschedulable", "TaintToleration", "NodeAffinity", "NodePorts", "NodeResourcesFit",
	"VolumeBinding", "VolumeZone", "NodeVolumeLimits", "PodTopologySpread", "InterPodAffinity"}

// fits gives the names of the nodes that fit, sorted, why the others do not, and the plugins that
// refused a node by which all others let it.
func (f *filterer) fits(w *world) (names, why, only []string) {
	namespaces := make([]any, 0, len(w.namespaces))
	for _, namespace := range w.namespaces {
		namespaces = append(namespaces, namespace)
	}
	_ = f.namespaces.Replace(namespaces, "")
	f.world.Snapshot = schedulercache.NewSnapshot(w.running, w.nodes)
	ctx, state := context.Background(), framework.NewCycleState()
	narrowed, status, _ := f.plugins.RunPreFilterPlugins(ctx, state, w.pod)
	if !status.IsSuccess() {
		return nil, []string{"no node: " + status.Plugin() + ": " + status.Message()}, nil
	}
	all, _ := f.world.NodeInfos().List()
	for _, info := range all {
		name := info.Node().Name
		if !narrowed.AllNodes() && !narrowed.NodeNames.Has(name) {
			why = append(why, name+": not among those of its fields")
		} else if status := f.plugins.RunFilterPlugins(ctx, state, w.pod, info); !status.IsSuccess() {
			why = append(why, name+": "+status.Plugin()+": "+status.Message())
			state.GetSkipFilterPlugins().Insert(status.Plugin())
			if f.plugins.RunFilterPlugins(ctx, state, w.pod, info).IsSuccess() {
				only = append(only, status.Plugin())
			}
			state.GetSkipFilterPlugins().Delete(status.Plugin())
		} else {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	slices.Sort(why)
	return names, why, only
}

// Ours -------------------------------------------------------------------------------------------

type asker struct {
	command *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Scanner
}

func startAsker(command []string) (*asker, error) {
	a := &asker{command: exec.Command(command[0], command[1:]...)}
	a.command.Stderr = os.Stderr
	var err error
	if a.in, err = a.command.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := a.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	a.out = bufio.NewScanner(out)
	return a, a.command.Start()
}

func (a *asker) ask(line []byte) ([]string, error) {
	if _, err := a.in.Write(append(line, '\n')); err != nil {
		return nil, err
	}
	if !a.out.Scan() {
		return nil, errors.New("it gave no answer")
	}
	names := strings.Fields(a.out.Text())
	slices.Sort(names)
	return names, nil
}

func (a *asker) end() error {
	_ = a.in.Close()
	return a.command.Wait()
}

func (w *world) list() ([]byte, error) {
	var items []any
	for _, namespace := range w.namespaces {
		items = append(items, namespace)
	}
	for _, volume := range w.volumes {
		items = append(items, volume)
	}
	for _, node := range w.nodes {
		items = append(items, node)
	}
	for _, pod := range append(slices.Clone(w.running), w.pod) {
		items = append(items, pod)
	}
	return json.Marshal(map[string]any{"apiVersion": "v1", "kind": "List", "items": items})
}
