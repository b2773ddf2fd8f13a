package main

import (
	"context"
	"io"
	"net/url"
	"os"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/server/v3/embed"
	"google.golang.org/grpc/grpclog"
	"k8s.io/component-base/cli"
	"k8s.io/component-base/logs"
	kubectlcmd "k8s.io/kubectl/pkg/cmd"
	kubectlutil "k8s.io/kubectl/pkg/cmd/util"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllermanager "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"

	_ "k8s.io/client-go/plugin/pkg/client/auth" // exec plugins in kubectl's kubeconfigs
)

// What is not ours, as its own main would run it.

func kubeAPIServer([]string) error { return runToEnd(apiserver.NewAPIServerCommand()) }
func kubeControllerManager([]string) error {
	return runToEnd(controllermanager.NewControllerManagerCommand())
}
func kubeScheduler([]string) error { return runToEnd(scheduler.NewSchedulerCommand()) }

func runToEnd(command *cobra.Command) error {
	os.Exit(cli.Run(command))
	return nil
}

func kubectl([]string) error {
	_, _ = logs.GlogSetter(kubectlcmd.GetLogVerbosity(os.Args))
	if err := cli.RunNoErrOutput(kubectlcmd.NewDefaultKubectlCommand()); err != nil {
		kubectlutil.CheckErr(err)
	}
	return nil
}

// The size at which etcd refuses to write, which a storm of events can reach in an hour.
const etcdQuotaBytes = 8 << 30

func etcd(args []string) error {
	flags := pflag.NewFlagSet("etcd", pflag.ExitOnError)
	dir := flags.String("data-dir", "", "where it keeps its data")
	clients := flags.String("clients", "", "URL that clients use")
	peers := flags.String("peers", "", "URL that other members would use")
	noFsync := flags.Bool("no-fsync", false, "lose data when the machine fails, not when etcd does")
	if err := parse(flags, args); err != nil {
		return err
	}
	config := embed.NewConfig()
	config.Dir = *dir
	config.QuotaBackendBytes = etcdQuotaBytes
	config.UnsafeNoFsync = *noFsync
	config.EnableGRPCGateway = false
	config.LogLevel = "warn"
	// Its own main sets it; left at zero, every request is logged as slow.
	config.WarningUnaryRequestDuration = embed.DefaultWarningUnaryRequestDuration
	for flag, target := range map[*string][]*[]url.URL{
		clients: {&config.ListenClientUrls, &config.AdvertiseClientUrls},
		peers:   {&config.ListenPeerUrls, &config.AdvertisePeerUrls},
	} {
		parsed, err := url.Parse(*flag)
		if err != nil {
			return err
		}
		for _, urls := range target {
			*urls = []url.URL{*parsed}
		}
	}
	config.InitialCluster = config.InitialClusterFromName(config.Name)
	server, err := embed.StartEtcd(config)
	if err != nil {
		return err
	}
	return <-server.Err()
}

// compactEtcd makes etcd forget all revisions before its newest. The apiserver remembers some of them
// itself: only once it is restarted too is every watch from before answered with 410.
func compactEtcd(clients string) error {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	// It warns of connections that the end of a client cuts off.
	grpclog.SetLoggerV2(grpclog.NewLoggerV2(io.Discard, io.Discard, io.Discard))
	client, err := clientv3.New(clientv3.Config{Endpoints: []string{clients}, Context: ctx})
	if err != nil {
		return err
	}
	defer client.Close()
	answer, err := client.Get(ctx, "any key: the answer names the newest revision")
	if err != nil {
		return err
	}
	_, err = client.Compact(ctx, answer.Header.Revision, clientv3.WithCompactPhysical())
	return err
}
