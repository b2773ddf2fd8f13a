// A Kubernetes control plane on one machine, in one binary, for Fairlead's tests, its benchmarks
// and `make cluster`: etcd and Kubernetes' own apiserver, controller manager, scheduler and kubectl,
// all unchanged, and fake kubelets of ours. It needs no containers and listens on 127.0.0.1 only.
//
// Which of them runs is said by the name that the binary was called by (kubectl is a link to it),
// or by the first argument.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/pflag"
)

const usage = `A Kubernetes control plane on this machine, for trying and testing Fairlead.

  cluster up [--nodes N] [--dir D] ...         starts it all, prints a kubeconfig, ends by Ctrl-C
  cluster nodes --kubeconfig F --nodes N ...   adds nodes, of another size for example
  cluster restart|stop|start NAME --dir D      of a running cluster: etcd, apiserver, controllers,
                                               kubelets or scheduler; stopped by SIGKILL
  cluster compact --dir D                      forgets etcd's history, all of it until now
  cluster provision --kubeconfig F ...         makes volumes for claims, as a CSI driver's provisioner
  cluster filters [--worlds N] COMMAND...      compares nodes that fit with kube-scheduler's verdict
  cluster kubectl ...                          Kubernetes' own kubectl

up and nodes list their flags with --help. The processes that up runs are commands of this binary
too: etcd, kube-apiserver, kube-controller-manager, kube-scheduler, kubelets.
`

// Each runs until it is done, and may end the process itself.
var commands = map[string]func(args []string) error{
	"up":        up,
	"nodes":     nodes,
	"restart":   func(args []string) error { return control("restart", args) },
	"stop":      func(args []string) error { return control("stop", args) },
	"start":     func(args []string) error { return control("start", args) },
	"provision": provision,
	"filters":   filters,
	"compact":   func(args []string) error { return control("compact", args) },

	"etcd":                    etcd,
	"kubelets":                kubelets,
	"kube-apiserver":          kubeAPIServer,
	"kube-controller-manager": kubeControllerManager,
	"kube-scheduler":          kubeScheduler,
	"kubectl":                 kubectl,
}

func main() {
	arguments := os.Args
	if commands[filepath.Base(arguments[0])] == nil {
		arguments = arguments[1:]
	}
	if len(arguments) == 0 || slices.Contains([]string{"help", "--help", "-h"}, arguments[0]) {
		fmt.Print(usage)
		return
	}
	command := commands[filepath.Base(arguments[0])]
	if command == nil {
		fail(fmt.Errorf("there is no command %q, \"cluster --help\" lists them", arguments[0]))
	}
	// Kubernetes' commands read the process's arguments.
	os.Args = arguments
	if err := command(arguments[1:]); err != nil {
		fail(err)
	}
}

// parse is for commands that take flags only. It ends the process where one is wrong, or is --help.
func parse(flags *pflag.FlagSet, args []string) error {
	_ = flags.Parse(args)
	if flags.NArg() > 0 {
		return fmt.Errorf("%s: %q is no flag", flags.Name(), flags.Arg(0))
	}
	return nil
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "cluster:", err)
	os.Exit(1)
}
