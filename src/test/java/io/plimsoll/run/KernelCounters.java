package io.plimsoll.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** Kernel counters of this host, read independently of the program: ground truth for an agent's figures. */
final class KernelCounters {
    private KernelCounters() {}

    /** By figure name; empty except on Linux. */
    static Map<String, Double> now() throws IOException {
        Map<String, Double> now = new TreeMap<>();
        if (!Files.exists(Path.of("/proc/diskstats"))) {
            return now;
        }
        double written = 0;
        for (String line : Files.readAllLines(Path.of("/proc/diskstats"))) {
            String[] words = line.strip().split("\\s+");
            if (words[2].matches("[svh]d[a-z]+|nvme\\d+n\\d+|xvd[a-z]+")) {
                written += 512 * Double.parseDouble(words[9]);
            }
        }
        double sent = 0;
        for (String line : Files.readAllLines(Path.of("/proc/net/dev"))) {
            String[] words = line.strip().split("[:\\s]+");
            if (words[0].matches("(eth|en).*")) {
                sent += Double.parseDouble(words[9]);
            }
        }
        String[] cpu = Files.readAllLines(Path.of("/proc/stat")).get(0).split("\\s+");
        double busy = 0;
        for (int i : new int[] {1, 2, 3, 6, 7, 8}) {
            busy += Double.parseDouble(cpu[i]) / 100;
        }
        now.put("host.diskWriteBytes", written);
        now.put("host.networkOutBytes", sent);
        now.put("host.cpuSeconds", busy);
        return now;
    }
}
