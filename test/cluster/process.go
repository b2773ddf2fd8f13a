package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// process is one child of `up`. One that ends, or is killed by a test, is started again, as a real
// cluster would; one that ends itself again and again is reported instead. Safe for use from
// several goroutines.
type process struct {
	name    string
	program string // empty: this binary
	args    []string
	dir     string // gets NAME.pid and logs/NAME.log
	givenUp func(error)

	mutex sync.Mutex
	run   *run // nil: stopped on purpose
	short int  // runs in a row that ended soon, and not by a signal
}

// run is one life of a process.
type run struct {
	cmd   *exec.Cmd
	ended chan struct{}
}

const (
	restartDelay = 200 * time.Millisecond
	// A process that ends this soon so many times in a row will not stay up.
	soon      = 10 * time.Second
	mostShort = 3
)

// start does nothing where it runs.
func (p *process) start() error {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.run != nil {
		return nil
	}
	p.short = 0
	return p.startLocked()
}

// stop kills it by SIGKILL and waits until it is gone. Nothing, where it is stopped.
func (p *process) stop() {
	p.mutex.Lock()
	current := p.run
	p.run = nil
	p.mutex.Unlock()
	if current != nil {
		_ = os.Remove(p.pidPath())
		_ = current.cmd.Process.Kill()
		<-current.ended
	}
}

func (p *process) startLocked() error {
	log, err := os.OpenFile(p.logPath(), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	program := p.program
	if program == "" {
		if program, err = os.Executable(); err != nil {
			return err
		}
	}
	cmd := exec.Command(program, p.args...)
	cmd.Dir = p.dir
	cmd.Stdout = log
	cmd.Stderr = log
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := startOnLastingThread(cmd); err != nil {
		return fmt.Errorf("%s cannot be started: %w", p.name, err)
	}
	p.run = &run{cmd: cmd, ended: make(chan struct{})}
	go p.watch(p.run, time.Now())
	pid := strconv.Itoa(cmd.Process.Pid) + "\n"
	return os.WriteFile(p.pidPath(), []byte(pid), 0o600)
}

// Waits for the end of one life, and begins another unless the end was wanted.
func (p *process) watch(ended *run, begin time.Time) {
	_ = ended.cmd.Wait()
	state := ended.cmd.ProcessState
	close(ended.ended)
	time.Sleep(restartDelay)

	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.run != ended {
		return
	}
	p.run = nil
	if time.Since(begin) > soon || !state.Exited() {
		p.short = 0
	} else if p.short++; p.short == mostShort {
		p.givenUp(fmt.Errorf("%s does not stay up (%v); its log ends with\n%s", p.name, state,
			p.logEnd()))
		return
	}
	fmt.Fprintf(os.Stderr, "cluster: %s ended (%v), started again\n", p.name, state)
	if err := p.startLocked(); err != nil {
		p.givenUp(err)
	}
}

func (p *process) logPath() string { return filepath.Join(p.dir, "logs", p.name+".log") }

func (p *process) pidPath() string { return filepath.Join(p.dir, p.name+".pid") }

func (p *process) logEnd() string {
	text, err := os.ReadFile(p.logPath())
	if err != nil {
		return err.Error()
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return strings.Join(lines[max(0, len(lines)-10):], "\n")
}

// The kernel sends Pdeathsig when the thread that made the child ends, not only when the process
// does. Children are therefore made by one thread that lasts.
var starts = sync.OnceValue(func() chan func() {
	work := make(chan func())
	go func() {
		runtime.LockOSThread()
		for todo := range work {
			todo()
		}
	}()
	return work
})

func startOnLastingThread(cmd *exec.Cmd) error {
	result := make(chan error)
	starts() <- func() { result <- cmd.Start() }
	return <-result
}
