package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"
)

// A running `up` takes requests on a socket in its directory: one line "VERB NAME" a connection,
// answered with "ok" or what went wrong, once it is done.
const controlSocket = "control.sock"

// serveControl returns when the listener is closed.
func serveControl(listener net.Listener, handle func(verb, name string) error) {
	for {
		connection, err := listener.Accept()
		if err != nil {
			return
		}
		go func() {
			defer connection.Close()
			line, err := bufio.NewReader(connection).ReadString('\n')
			if err != nil {
				return
			}
			verb, name, _ := strings.Cut(strings.TrimSpace(line), " ")
			answer := "ok"
			if err := handle(verb, name); err != nil {
				answer = err.Error()
			}
			fmt.Fprintln(connection, answer)
		}()
	}
}

// control sends one request and waits until it is done.
func control(verb string, args []string) error {
	flags := pflag.NewFlagSet(verb, pflag.ExitOnError)
	dir := flags.String("dir", "", "the cluster's directory")
	_ = flags.Parse(args)
	if *dir == "" {
		return errors.New("--dir is missing: the directory of a cluster that is up")
	}
	// The path of a socket has room for a hundred characters, and directories may be deeper.
	if err := os.Chdir(*dir); err != nil {
		return err
	}
	connection, err := net.Dial("unix", controlSocket)
	if err != nil {
		return fmt.Errorf("no cluster is up in %s: %w", filepath.Clean(*dir), err)
	}
	defer connection.Close()
	fmt.Fprintln(connection, verb, strings.Join(flags.Args(), " "))
	answer, err := io.ReadAll(connection)
	if err != nil {
		return err
	}
	if text := strings.TrimSpace(string(answer)); text != "ok" {
		return fmt.Errorf("%s: %s", verb, text)
	}
	return nil
}
