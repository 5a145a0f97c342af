package io.plimsoll.observe.host;

import java.util.regex.Pattern;

/**
 * Devices with bytes that are counted on other devices, or on none: bridges, bonds and tunnels use network cards, arrays
 * and volumes use disks.
 */
public final class CountedElsewhere {
    private static final Pattern DISKS = Pattern.compile("(dm-|md|loop|ram|zram)\\d.*");
    /** Interfaces of containers have the names of cards inside them and carry all their traffic. */
    private static final Pattern LINKS =
            Pattern.compile("lo|(bond|br|dummy|ifb|podman|sit|team|tun|tunl|vlan|vmbr|vnet|wg)\\d+"
                    + "|(br-|cali|cilium|cni|docker|flannel|kube-|lxc|lxd|veth|virbr|vxlan).*|.+[.]\\d+");

    private CountedElsewhere() {}

    /** @param device a disk or a network interface, as the kernel calls it */
    public static boolean is(String device) {
        return DISKS.matcher(device).matches() || LINKS.matcher(device).matches();
    }
}
