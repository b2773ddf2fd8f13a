// The controllers of other projects that make pods, unchanged, for Fairlead's tests and `make
// cluster`: JobSet, LeaderWorkerSet, Kubeflow's training operator and MPI operator, KubeRay. Each is
// a process of its own, beside a cluster of test/cluster, which starts it by `up --with NAME`. It
// brings its CustomResourceDefinitions and its webhooks, and listens on 127.0.0.1 only.
package main

import (
	"context"
	"crypto/tls"
	"errors"
	"flag"
	"fmt"
	"maps"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
)

// project is one of them: what it knows, and how its own reconcilers and webhooks are set up.
type project struct {
	addToScheme []func(*runtime.Scheme) error
	setUp       func(ctx context.Context, mgr ctrl.Manager) error
	without     []string // of its manifests, by name
}

var projects = map[string]project{
	"jobset":   jobSet,
	"lws":      leaderWorkerSet,
	"mpi":      mpiOperator,
	"ray":      kubeRay,
	"training": trainingOperator,
}

type settings struct {
	kubeconfig string
	manifests  string
	certs      string
	webhooks   int
	ready      string
}

func main() {
	names := strings.Join(slices.Sorted(maps.Keys(projects)), ", ")
	if len(os.Args) < 2 || projects[os.Args[1]].setUp == nil {
		fail(fmt.Errorf("usage: controllers NAME [FLAG…]; there are %s", names))
	}
	name := os.Args[1]
	var o settings
	// Libraries have put flags of theirs into the usual set.
	flags := flag.NewFlagSet(name, flag.ExitOnError)
	flags.StringVar(&o.kubeconfig, "kubeconfig", "", "the cluster")
	flags.StringVar(&o.manifests, "manifests", defaultManifests(name),
		"a directory with its CustomResourceDefinitions and webhooks")
	flags.StringVar(&o.certs, "certs", "",
		"a directory with ca.crt, and apiserver.crt and .key for 127.0.0.1")
	flags.IntVar(&o.webhooks, "webhooks", 0, "the port of its webhooks")
	flags.StringVar(&o.ready, "ready", "0", "where /readyz answers once it works")
	_ = flags.Parse(os.Args[2:])
	if err := run(ctrl.SetupSignalHandler(), projects[name], name, o); err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "controllers:", err)
	os.Exit(1)
}

func defaultManifests(name string) string {
	self, err := os.Executable()
	if err != nil {
		return name
	}
	return filepath.Join(filepath.Dir(self), "manifests", name)
}

func run(ctx context.Context, p project, name string, o settings) error {
	log := zap.New(zap.UseDevMode(true))
	ctrl.SetLogger(log)
	klog.SetLogger(log)
	config, err := clientcmd.BuildConfigFromFlags("", o.kubeconfig)
	if err != nil {
		return err
	}
	config.QPS, config.Burst = 500, 500
	if webhooks, err := install(ctx, config, name, o); err != nil {
		return err
	} else if !webhooks {
		o.webhooks = 0
	}
	mgr, err := newManager(config, p, o)
	if err != nil {
		return err
	}
	if err := p.setUp(ctx, mgr); err != nil {
		return err
	}
	if err := reportReady(mgr, o); err != nil {
		return err
	}
	return mgr.Start(ctx)
}

func newManager(config *rest.Config, p project, o settings) (ctrl.Manager, error) {
	scheme := runtime.NewScheme()
	for _, add := range append(p.addToScheme, clientgoscheme.AddToScheme) {
		if err := add(scheme); err != nil {
			return nil, err
		}
	}
	return ctrl.NewManager(config, ctrl.Options{
		Scheme:                 scheme,
		Metrics:                metricsserver.Options{BindAddress: "0"},
		HealthProbeBindAddress: o.ready,
		WebhookServer: webhook.NewServer(webhook.Options{
			Host:     loopback,
			Port:     o.webhooks,
			CertDir:  o.certs,
			CertName: "apiserver.crt",
			KeyName:  "apiserver.key",
		}),
	})
}

// reportReady answers on /readyz that caches are filled and the webhooks are served.
func reportReady(mgr ctrl.Manager, o settings) error {
	started := make(chan struct{})
	// The manager runs it after it has filled its caches.
	err := mgr.Add(manager.RunnableFunc(func(context.Context) error {
		close(started)
		return nil
	}))
	if err != nil {
		return err
	}
	return mgr.AddReadyzCheck("started", func(*http.Request) error {
		select {
		case <-started:
			return webhooksAnswer(o)
		default:
			return errors.New("caches are being filled")
		}
	})
}

func webhooksAnswer(o settings) error {
	if o.webhooks == 0 {
		return nil
	}
	// Whether somebody serves TLS is asked, not who.
	connection, err := tls.Dial("tcp", net.JoinHostPort(loopback, strconv.Itoa(o.webhooks)),
		&tls.Config{InsecureSkipVerify: true})
	if err != nil {
		return err
	}
	return connection.Close()
}
