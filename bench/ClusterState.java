import java.util.Map;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.GroupListing;

/** Prints the topics and groups of a cluster, one per line, for bench/ends-of-runs. */
public final class ClusterState {
    public static void main(String[] args) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", args[0]))) {
            TreeSet<String> lines = new TreeSet<>();
            for (String topic : admin.listTopics().names().get()) {
                lines.add("topic " + topic);
            }
            for (GroupListing group : admin.listGroups().all().get()) {
                lines.add("group " + group.groupId());
            }
            lines.forEach(System.out::println);
        }
    }
}
