"""A SLURM of this machine alone: a controller and a node on loopback, as whoever runs the tests, in a folder of its own."""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import time

CONFIGURATION = """
ClusterName=hauberk
SlurmctldHost={host}(127.0.0.1)
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
SlurmUser={user}
SlurmdUser={user}
SlurmctldPort={controller_port}
SlurmdPort={node_port}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
JobRequeue=0
SlurmctldTimeout=10
SlurmdTimeout=10
MinJobAge=300
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
NodeName={host} NodeAddr=127.0.0.1 CPUs={cores} RealMemory={memory} State=UNKNOWN
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""
NEEDED = ["munged", "slurmctld", "slurmd", "sinfo", "sbatch"]


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class LoopbackSlurm:
    """`environment` is that of a process which submits jobs."""

    def __init__(self, folder):
        self.folder = folder
        path = os.pathsep.join([os.path.join(folder, "bin"), os.environ["PATH"], "/usr/sbin", "/sbin"])
        self.environment = {**os.environ, "SLURM_CONF": os.path.join(folder, "slurm.conf"), "PATH": path}
        self.daemons = {}

    def path(self, name):
        return os.path.join(self.folder, name)

    def daemon(self, name, *command):
        with open(self.path(name + ".out"), "a") as out:
            self.daemons[name] = subprocess.Popen(command, env=self.environment, stdin=subprocess.DEVNULL, stdout=out, stderr=out)

    def start(self):
        for name in ("state", "spool", "bin"):
            os.mkdir(self.path(name))
        # Snakemake hides from a step what SLURM set for its job, and this with it
        with open(os.open(self.path("bin/srun"), os.O_CREAT | os.O_WRONLY, 0o755), "w") as file:
            file.write(f"#!/bin/sh\nSLURM_CONF={self.path('slurm.conf')} exec {shutil.which('srun')} \"$@\"\n")
        with open(os.open(self.path("munge.key"), os.O_CREAT | os.O_WRONLY, 0o600), "wb") as file:
            file.write(os.urandom(1024))
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2 ** 20
        with open(self.path("slurm.conf"), "w") as file:
            file.write(CONFIGURATION.format(
                folder=self.folder, host=socket.gethostname().partition(".")[0], user=os.environ.get("USER") or "root",
                controller_port=free_port(), node_port=free_port(), cores=os.cpu_count(), memory=memory))
        self.daemon("munged", "munged", "--foreground", "--force", *(
            f"--{option}={self.path(name)}" for option, name in (("key-file", "munge.key"), ("socket", "munge.socket"), ("pid-file", "munged.pid"),
                                                                 ("log-file", "munged.log"), ("seed-file", "munge.seed"))))
        self.wait(lambda: os.path.exists(self.path("munge.socket")), "munged does not start")
        self.daemon("slurmctld", "slurmctld", "-D", "-f", self.path("slurm.conf"))
        self.start_node()

    def start_node(self):
        self.daemon("slurmd", "slurmd", "-D", "-f", self.path("slurm.conf"))
        self.wait(lambda: self.node_state() in ("idle", "mixed", "allocated"), "the node does not come up")

    def node_state(self):
        return subprocess.run(["sinfo", "-h", "-o", "%T"], env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout.strip()

    def lose_node(self):
        """As when its machine loses power: what runs there ends, and nobody says so."""
        node = self.daemons.pop("slurmd")
        node.kill()
        node.wait()
        for line in subprocess.run(["pgrep", "-f", "slurmstepd"], stdout=subprocess.PIPE, text=True).stdout.split():
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(line), signal.SIGKILL)

    def wait(self, condition, complaint):
        for _ in range(240):
            if condition():
                return
            time.sleep(0.25)
        raise RuntimeError(f"{complaint}: see the logs in {self.folder}")

    def stop(self):
        for name in ("slurmd", "slurmctld", "munged"):
            daemon = self.daemons.pop(name, None)
            if daemon:
                daemon.terminate()
                try:
                    daemon.wait(20)
                except subprocess.TimeoutExpired:
                    daemon.kill()
                    daemon.wait()


def missing():
    """Programs of SLURM that are not installed."""
    return [name for name in NEEDED if not shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin:/sbin")]
