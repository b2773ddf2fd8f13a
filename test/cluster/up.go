package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/pflag"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

type upOptions struct {
	dir           string
	nodes         nodeOptions
	controllers   []string
	scheduler     bool
	bench         bool
	endAtOnce     bool
	apiServerArgs []string
	with          []string
}

// Those that make, count and remove pods, and what service accounts need. Not the one that watches
// nodes' heartbeats: there are none.
var usualControllers = []string{
	"clusterrole-aggregation-controller",
	"cronjob-controller",
	"daemonset-controller",
	"deployment-controller",
	"disruption-controller",
	"garbage-collector-controller",
	"job-controller",
	"namespace-controller",
	"persistentvolume-binder-controller",
	"pod-garbage-collector-controller",
	"replicaset-controller",
	"resourcequota-controller",
	"root-ca-certificate-publisher-controller",
	"serviceaccount-controller",
	"serviceaccount-token-controller",
	"statefulset-controller",
	"ttl-after-finished-controller",
}

const noControllers = "none"

// Of test/controllers.
var otherControllers = []string{"jobset", "lws", "mpi", "ray", "training"}

func (o *upOptions) parse(args []string) error {
	flags := pflag.NewFlagSet("up", pflag.ExitOnError)
	flags.StringVar(&o.dir, "dir", "", "a new or empty directory for kubeconfig, data and logs"+
		" (default: a temporary one, removed at the end)")
	o.nodes.addTo(flags)
	flags.StringSliceVar(&o.controllers, "controllers", usualControllers,
		"of kube-controller-manager; \""+noControllers+"\": it does not run, and pods need no "+
			"ServiceAccount")
	flags.BoolVar(&o.scheduler, "scheduler", false,
		"run kube-scheduler too, without a limit of its rate")
	flags.BoolVar(&o.bench, "bench", false,
		"for measurements: no fsync, no priority and fairness, no limit of requests in flight")
	flags.BoolVar(&o.endAtOnce, "end-at-once", false,
		"pods that are deleted do not take their grace period")
	flags.StringArrayVar(&o.apiServerArgs, "apiserver-arg", nil,
		"one more argument of kube-apiserver; may be repeated")
	flags.StringSliceVar(&o.with, "with", nil,
		"controllers of other projects: "+strings.Join(otherControllers, ", "))
	if err := parse(flags, args); err != nil {
		return err
	}
	_, err := o.nodes.size()
	return err
}

// cluster is what `up` runs.
type cluster struct {
	options   upOptions
	dir       string
	server    string // URLs
	etcd      string
	ready     map[string]string // of those from elsewhere
	processes map[string]*process
	givenUp   chan error
}

func up(args []string) error {
	var options upOptions
	if err := options.parse(args); err != nil {
		return err
	}
	ctx, cancel := signal.NotifyContext(
		context.Background(), syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	defer cancel()
	dir, temporary, err := directory(options.dir)
	if err != nil {
		return err
	}
	if temporary {
		defer os.RemoveAll(dir)
	}
	c := &cluster{
		options:   options,
		dir:       dir,
		ready:     map[string]string{},
		processes: map[string]*process{},
		givenUp:   make(chan error, 8), // one a process at most
	}
	defer c.stopAll()

	begun := time.Now()
	if err := c.prepare(); err != nil {
		return err
	}
	started := make(chan error, 1)
	go func() { started <- c.start(ctx) }()
	for {
		select {
		case <-ctx.Done():
			return nil
		case err := <-c.givenUp:
			return err
		case err := <-started:
			if err != nil {
				if ctx.Err() != nil {
					return nil
				}
				return err
			}
			c.printHowTo(time.Since(begun))
		}
	}
}

// directory makes the one that was asked for, or a temporary one, and returns its full path.
func directory(asked string) (dir string, temporary bool, err error) {
	if asked == "" {
		dir, err = os.MkdirTemp("", "fairlead-cluster-")
		return dir, true, err
	}
	if dir, err = filepath.Abs(asked); err != nil {
		return "", false, err
	}
	if err = os.MkdirAll(dir, 0o700); err != nil {
		return "", false, err
	}
	entries, err := os.ReadDir(dir)
	if err == nil && len(entries) > 0 {
		err = fmt.Errorf("--dir %s: not empty, holds %s", dir, entries[0].Name())
	}
	return dir, false, err
}

// start returns when nodes are there and pods may be created. REQUIRES: prepare.
func (c *cluster) start(ctx context.Context) error {
	listener, err := c.listenControl()
	if err != nil {
		return err
	}
	context.AfterFunc(ctx, func() { listener.Close() })
	go serveControl(listener, c.handle)

	client, err := clientOf(c.path("kubeconfig"))
	if err != nil {
		return err
	}
	for _, name := range []string{"etcd", "apiserver"} {
		if err := c.processes[name].start(); err != nil {
			return err
		}
	}
	if err := waitFor(ctx, "the apiserver to be ready", serverReady(client)); err != nil {
		return err
	}
	for _, process := range c.processes {
		if err := process.start(); err != nil {
			return err
		}
	}
	if err := c.options.nodes.create(ctx, client); err != nil {
		return err
	}
	for name := range c.ready {
		if err := waitFor(ctx, name+" to be ready", c.isReady(name)); err != nil {
			return err
		}
	}
	if !c.admitsServiceAccounts() {
		return nil
	}
	return waitFor(ctx, "the default service account", func(ctx context.Context) error {
		accounts := client.CoreV1().ServiceAccounts(metav1.NamespaceDefault)
		_, err := accounts.Get(ctx, "default", metav1.GetOptions{})
		return err
	})
}

// prepare writes certificates and kubeconfigs, and says which processes there are.
func (c *cluster) prepare() error {
	ports, err := freePorts(3)
	if err != nil {
		return err
	}
	c.server = fmt.Sprintf("https://127.0.0.1:%d", ports[0])
	c.etcd = fmt.Sprintf("http://127.0.0.1:%d", ports[1])
	peers := fmt.Sprintf("http://127.0.0.1:%d", ports[2])
	for _, folder := range []string{"logs", "certs"} {
		if err := os.Mkdir(c.path(folder), 0o700); err != nil {
			return err
		}
	}
	if err := c.writeCredentials(); err != nil {
		return err
	}
	c.add("etcd", "etcd", "--data-dir="+c.path("etcd"), "--clients="+c.etcd, "--peers="+peers,
		fmt.Sprintf("--no-fsync=%t", c.options.bench))
	c.add("apiserver", append([]string{"kube-apiserver"}, c.apiServerArgs(ports[0])...)...)
	c.add("kubelets", "kubelets", "--kubeconfig="+c.path("kubelets.kubeconfig"),
		fmt.Sprintf("--end-at-once=%t", c.options.endAtOnce))
	if c.runsControllers() {
		c.add("controllers", append([]string{"kube-controller-manager"}, c.controllerArgs()...)...)
	}
	if c.options.scheduler {
		if err := os.WriteFile(c.path("scheduler.yaml"), c.schedulerConfig(), 0o600); err != nil {
			return err
		}
		c.add("scheduler", "kube-scheduler", "--config="+c.path("scheduler.yaml"), "--secure-port=0")
	}
	return c.addOthers()
}

// addOthers is for the controllers of other projects. The apiserver's certificate is good for their
// webhooks too, which it calls on the same address.
func (c *cluster) addOthers() error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	ports, err := freePorts(2 * len(c.options.with))
	if err != nil {
		return err
	}
	for i, name := range c.options.with {
		if !slices.Contains(otherControllers, name) || c.processes[name] != nil {
			return fmt.Errorf("--with: %q is named twice, or is none of %s", name,
				strings.Join(otherControllers, ", "))
		}
		ready := fmt.Sprintf("127.0.0.1:%d", ports[2*i])
		c.ready[name] = "http://" + ready + "/readyz"
		c.add(name, name, "--kubeconfig="+c.path("others.kubeconfig"), "--certs="+c.path("certs"),
			fmt.Sprintf("--webhooks=%d", ports[2*i+1]), "--ready="+ready)
		c.processes[name].program = filepath.Join(filepath.Dir(self), "controllers")
	}
	return nil
}

// isReady is for the controllers of other projects.
func (c *cluster) isReady(name string) func(context.Context) error {
	return func(ctx context.Context) error {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, c.ready[name], nil)
		if err != nil {
			return err
		}
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			return err
		}
		defer answer.Body.Close()
		if answer.StatusCode != http.StatusOK {
			return errors.New(answer.Status)
		}
		return nil
	}
}

func (c *cluster) writeCredentials() error {
	authority, err := newAuthority()
	if err != nil {
		return err
	}
	if err := authority.writeServerFiles(c.path("certs")); err != nil {
		return err
	}
	const everything = "system:masters"
	return errors.Join(
		authority.writeKubeconfig(c.path("kubeconfig"), c.server, "admin", everything),
		authority.writeKubeconfig(c.path("kubelets.kubeconfig"), c.server, "kubelets", everything),
		authority.writeKubeconfig(c.path("others.kubeconfig"), c.server, "controllers", everything),
		authority.writeKubeconfig(
			c.path("controllers.kubeconfig"), c.server, "system:kube-controller-manager", everything),
		authority.writeKubeconfig(c.path("scheduler.kubeconfig"), c.server, "system:kube-scheduler"))
}

func (c *cluster) apiServerArgs(port int) []string {
	// Nodes carry a not-ready taint for ever with the first: nobody writes heartbeats.
	withoutAdmission := []string{"TaintNodesByCondition"}
	if !c.admitsServiceAccounts() {
		withoutAdmission = append(withoutAdmission, "ServiceAccount")
	}
	args := []string{
		"--etcd-servers=" + c.etcd,
		"--bind-address=127.0.0.1",
		// Given, or it looks for a route to the outside, which a machine may not have.
		"--advertise-address=127.0.0.1",
		"--endpoint-reconciler-type=none",
		fmt.Sprintf("--secure-port=%d", port),
		"--tls-cert-file=" + c.path("certs/apiserver.crt"),
		"--tls-private-key-file=" + c.path("certs/apiserver.key"),
		"--client-ca-file=" + c.path("certs/ca.crt"),
		"--service-account-issuer=https://kubernetes.default.svc",
		"--service-account-key-file=" + c.path("certs/tokens.key"),
		"--service-account-signing-key-file=" + c.path("certs/tokens.key"),
		"--service-cluster-ip-range=10.0.0.0/16",
		"--authorization-mode=RBAC",
		"--disable-admission-plugins=" + strings.Join(withoutAdmission, ","),
	}
	if c.options.bench {
		args = append(args, "--enable-priority-and-fairness=false", "--max-requests-inflight=0",
			"--max-mutating-requests-inflight=0")
	}
	return append(args, c.options.apiServerArgs...)
}

func (c *cluster) controllerArgs() []string {
	return []string{
		"--kubeconfig=" + c.path("controllers.kubeconfig"),
		"--controllers=" + strings.Join(c.options.controllers, ","),
		"--root-ca-file=" + c.path("certs/ca.crt"),
		"--service-account-private-key-file=" + c.path("certs/tokens.key"),
		"--leader-elect=false",
		"--secure-port=0",
		"--kube-api-qps=5000",
		"--kube-api-burst=5000",
	}
}

func (c *cluster) schedulerConfig() []byte {
	return fmt.Appendf(nil, `apiVersion: kubescheduler.config.k8s.io/v1
kind: KubeSchedulerConfiguration
clientConnection: {kubeconfig: %q, qps: 100000, burst: 100000}
leaderElection: {leaderElect: false}
`, c.path("scheduler.kubeconfig"))
}

func (c *cluster) add(name string, args ...string) {
	c.processes[name] = &process{name: name, args: args, dir: c.dir, givenUp: func(err error) {
		c.givenUp <- err
	}}
}

func (c *cluster) path(name string) string { return filepath.Join(c.dir, name) }

func (c *cluster) runsControllers() bool {
	return len(c.options.controllers) > 0 && c.options.controllers[0] != noControllers
}

// Without a controller that makes them, a pod could not be created for want of its account.
func (c *cluster) admitsServiceAccounts() bool {
	for _, name := range c.options.controllers {
		if c.runsControllers() && (name == "*" || name == "serviceaccount-controller") {
			return true
		}
	}
	return false
}

// Its path, as others reach it, may be too long for a socket; relative to the directory it is not.
func (c *cluster) listenControl() (net.Listener, error) {
	if err := os.Chdir(c.dir); err != nil {
		return nil, err
	}
	return net.Listen("unix", controlSocket)
}

// handle does what `cluster VERB NAME` asks for.
func (c *cluster) handle(verb, name string) error {
	if verb == "compact" {
		return compactEtcd(c.etcd)
	}
	process := c.processes[name]
	if process == nil {
		return fmt.Errorf("no process %q", name)
	}
	if verb == "stop" || verb == "restart" {
		process.stop()
	}
	if verb == "start" || verb == "restart" {
		if err := process.start(); err != nil {
			return err
		}
	}
	if verb == "stop" {
		return nil
	}
	if c.ready[name] != "" {
		return waitFor(context.Background(), name+" to be ready", c.isReady(name))
	}
	if name != "apiserver" && name != "etcd" {
		return nil
	}
	client, err := clientOf(c.path("kubeconfig"))
	if err != nil {
		return err
	}
	return waitFor(context.Background(), "the apiserver to be ready", serverReady(client))
}

func serverReady(client kubernetes.Interface) func(context.Context) error {
	return func(ctx context.Context) error {
		return client.Discovery().RESTClient().Get().AbsPath("/readyz").Do(ctx).Error()
	}
}

const (
	startTimeout = 60 * time.Second
	pollInterval = 50 * time.Millisecond
)

// waitFor polls, and says after a minute what it waited for in vain.
func waitFor(ctx context.Context, what string, done func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	for {
		err := done(ctx)
		if err == nil {
			return nil
		}
		if apierrors.IsUnauthorized(err) || apierrors.IsForbidden(err) {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("waited %v for %s: %w", startTimeout, what, err)
		case <-time.After(pollInterval):
		}
	}
}

// freePorts returns ports below those that the kernel gives to outgoing connections: one of these
// could take the apiserver's while it is restarted.
func freePorts(count int) ([]int, error) {
	const first, number = 20000, 10000
	var ports []int
	for offset, start := 0, rand.IntN(number); offset < number && len(ports) < count; offset++ {
		port := first + (start+offset)%number
		listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
		if err != nil {
			continue
		}
		listener.Close()
		ports = append(ports, port)
	}
	if len(ports) < count {
		return nil, fmt.Errorf("no %d free ports from %d on", count, first)
	}
	return ports, nil
}

func (c *cluster) stopAll() {
	for _, process := range c.processes {
		process.stop()
	}
}

func (c *cluster) printHowTo(took time.Duration) {
	self, err := os.Executable()
	if err != nil {
		self = "cluster"
	}
	fmt.Printf(`Kubernetes with %d nodes is up after %.1f s; logs in %s/logs
kubeconfig: %s

  export KUBECONFIG=%s
  %s get nodes

Ctrl-C ends it.
`, c.options.nodes.count, took.Seconds(), c.dir, c.path("kubeconfig"), c.path("kubeconfig"),
		filepath.Join(filepath.Dir(self), "kubectl"))
}
