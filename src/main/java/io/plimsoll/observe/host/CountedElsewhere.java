package io.plimsoll.observe.host;

import java.util.regex.Pattern;

/**
 * Devices whose bytes are those of other devices, or of no device: what goes through bridges, bonds and tunnels goes through
 * network cards as well, and what arrays and volumes do their disks do.
 */
public final class CountedElsewhere {
    private static final Pattern DISKS = Pattern.compile("(dm-|md|loop|ram|zram)\\d.*");
    /** Interfaces of containers are called like cards within these, as they carry all that goes in and out there. */
    private static final Pattern LINKS =
            Pattern.compile("lo|(bond|br|dummy|ifb|podman|sit|team|tun|tunl|vlan|vmbr|vnet|wg)\\d+"
                    + "|(br-|cali|cilium|cni|docker|flannel|kube-|lxc|lxd|veth|virbr|vxlan).*|.+[.]\\d+");

    private CountedElsewhere() {}

    /** @param device a disk or a network interface, as the kernel calls it */
    public static boolean is(String device) {
        return DISKS.matcher(device).matches() || LINKS.matcher(device).matches();
    }
}
