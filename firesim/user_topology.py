"""A node for each scheme, without a network between them. To be appended to FireSim's deploy/runtools/user_topology.py, which has no other way
in for topologies; what it imports is there by then."""

from runtools.firesim_topology_elements import FireSimServerNode
from runtools.user_topology import UserTopologies


def one_of_each(*hardware):
    def topology(self):
        assert self.no_net_num_nodes == len(hardware), f"set no_net_num_nodes to {len(hardware)}"
        self.roots = [FireSimServerNode(name) for name in hardware]

    return topology


UserTopologies.hauberk_sweep_u250 = one_of_each("hauberk_rocket_u250", "hauberk_aegis_otp_u250", "hauberk_yang_snc_lru_u250")
UserTopologies.hauberk_sweep_f2 = one_of_each("hauberk_rocket_f2", "hauberk_aegis_otp_f2", "hauberk_yang_snc_lru_f2")
