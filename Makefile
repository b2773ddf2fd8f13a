# Fairlead. `make help` lists what can be made; the work is done by scripts/ and CMakePresets.json.
.DEFAULT_GOAL := help
.PHONY: help run cluster test soak optimum bench bench-e2e bench-page placement-table backfill-table starts-table topology-table moves-table package image plugin docs lint format fuzz asan tsan clean setup setup-lint setup-package setup-cluster
MAKEFLAGS += --no-print-directory

help: ## this list
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-15s %s\n", $$1, $$2 }' Makefile

run: setup ## build, then a cluster of one's own with its page on http://127.0.0.1:8484
	@scripts/build.sh release fairlead
	@exec build/release/bin/fairlead up -f examples/research-lab --speed 60

cluster: setup-cluster ## etcd, Kubernetes' apiserver and controllers, fake nodes; CLUSTER='--nodes 9 --with jobset,ray'
	@exec scripts/cluster.sh up $(CLUSTER)

test: setup-cluster ## build with assertions and run every test; ONLY=unit/state picks some; ROOM=state: that room alone
	@scripts/build.sh test $(if $(ROOM),$(tests_of_room)_test)
	@$(build_cluster)
	@scripts/test.sh test $(if $(ROOM),-R '^unit/$(tests_of_room)$$',$(if $(ONLY),-R '$(ONLY)'))

soak: setup ## as test, random clusters, small worlds and faults only, SOAK=25 times as many
	@scripts/build.sh test engine_test live_test
	@scripts/soak.sh test $(or $(SOAK),25)

optimum: setup-cluster ## who has to go in larger clusters, beside an integer program; WORLDS=100 NODES=400 GANGS=40
	@scripts/build.sh release fairlead
	@python3 test/optimum/least_harm.py build/release/bin/fairlead --worlds $(or $(WORLDS),100) \
	  --nodes $(or $(NODES),400) --gangs $(or $(GANGS),40)

asan: setup-cluster ## the same tests under AddressSanitizer and UndefinedBehaviorSanitizer
	@scripts/build.sh asan
	@$(build_cluster)
	@scripts/test.sh asan $(if $(ONLY),-R '$(ONLY)')

tsan: setup ## the tests of what has threads, under ThreadSanitizer
	@scripts/build.sh tsan threaded_tests
	@FAIRLEAD_SEED=$(or $(FAIRLEAD_SEED),1-50) scripts/test.sh tsan -L threads $(if $(ONLY),-R '$(ONLY)')

bench: setup ## build and run the benchmarks; BENCH='--benchmark_filter=Place' picks some
	@scripts/build.sh release fairlead fairlead_bench
	@FAIRLEAD_BINARY=build/release/bin/fairlead build/release/bin/fairlead_bench $(BENCH)

placement-table: setup ## openb by six placements, beside what was published; TABLE='default gpuspec33'
	@scripts/build.sh release placement_table
	@build/release/bin/placement_table $(TABLE)

backfill-table: setup ## jobs under policies of the literature and our own; TABLE='--config on=on.yaml model'
	@scripts/build.sh release backfill_table
	@build/release/bin/backfill_table $(TABLE)

starts-table: setup ## Philly replayed: how often work starts when it was said to; TABLE='--every 25h'
	@scripts/build.sh release starts_table
	@build/release/bin/starts_table $(TABLE)

topology-table: setup ## a day on racks, by our order of domains and by others'; DAYS=30
	@scripts/build.sh release topology_table
	@build/release/bin/topology_table $(DAYS)

moves-table: setup ## days with fragmentation, nobody moving, as ours and by KAI's rule; TABLE='10 openb'
	@scripts/build.sh release moves_table
	@build/release/bin/moves_table $(TABLE)

bench-e2e: setup-cluster ## on a control plane, beside others; ROUNDS=3 NODES=1000 PODS=10000
	@scripts/build.sh release fairlead load
	@$(build_cluster)
	@bench/e2e/run.sh $(or $(ROUNDS),3) $(or $(NODES),1000) $(or $(PODS),10000)
	@bench/e2e/start.sh

bench-page: setup-cluster ## the web page over a large cluster; NODES=5000 PODS=50000
	@scripts/build.sh release fairlead
	@scripts/build.sh test page_modules
	@FAIRLEAD=build/release/bin/fairlead PAGE_MODULES=build/test/web/node_modules \
	  PAGE_OUT=build/test/page node bench/page/bench.mjs $(or $(NODES),5000) $(or $(PODS),50000)

package: setup-package ## a Debian package: build/release/package/fairlead_VERSION_ARCH.deb
	@scripts/build.sh release fairlead
	@scripts/package.sh release

image: setup-package ## an OCI image, without a daemon: build/release/package/fairlead_VERSION_ARCH.oci.tar
	@scripts/build.sh release fairlead
	@scripts/image.sh release

plugin: setup-package ## kubectl's plug-in for any Linux; RELEASES=https://… writes Krew's manifest, too
	@scripts/build.sh release fairlead
	@scripts/plugin.sh release $(RELEASES)

docs: setup ## run the commands that the documents show, and write down what they print
	@scripts/build.sh release fairlead
	@python3 test/docs/run.py --update build/release/bin/fairlead

lint: setup-lint ## check format and run clang-tidy on what changed since it last passed; SINCE=COMMIT
	@scripts/lint.sh $(if $(SINCE),--since '$(SINCE)')

format: setup-lint ## rewrite the sources with clang-format
	@scripts/format.sh

fuzz: setup-lint ## run each fuzz target; FUZZ_SECONDS=60 says how long, FUZZ_SEED=1 which way
	@scripts/build.sh fuzz fuzzers
	@scripts/fuzz.sh

clean: ## remove everything that was built
	@rm -rf build

setup:
	@scripts/setup.sh

setup-lint:
	@scripts/setup.sh lint

setup-package:
	@scripts/setup.sh package

setup-cluster:
	@scripts/setup.sh cluster

# The end-to-end tests would build it too, but not within their time.
build_cluster = $(if $(ROOM)$(filter-out e2e%,$(ONLY)),true,scripts/controllers.sh build && scripts/chart.sh build)

# Those of a room in a room are with it.
tests_of_room = $(firstword $(subst /, ,$(ROOM)))
