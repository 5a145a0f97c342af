package io.plimsoll.cli;

import io.plimsoll.Exit;
import io.plimsoll.PlimsollException;
import io.plimsoll.cluster.ClusterConnection;
import io.plimsoll.cluster.Topics;
import io.plimsoll.cluster.Topics.TopicReport;
import io.plimsoll.report.ListText;
import io.plimsoll.result.Json;
import io.plimsoll.run.guards.ForeignCluster.ClusterGuard;
import io.plimsoll.text.Sentence;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code plimsoll topic}: creates, lists, describes and deletes topics. */
@Command(
        name = "topic",
        synopsisSubcommandLabel = "create|list|describe|delete",
        subcommands = {
            TopicCommand.Create.class,
            TopicCommand.ListTopics.class,
            TopicCommand.Describe.class,
            TopicCommand.Delete.class
        })
final class TopicCommand extends PlimsollCommand.Group {
    private static final Duration WAIT = Duration.ofSeconds(30);

    abstract static class OnTopics extends PlimsollCommand {
        @Mixin
        ClusterOptions cluster;

        /** Print in the format of kafka-topics. */
        @Option(names = "--as-kafka", hidden = true)
        boolean asKafka;

        /** Overrides {@code --internal}, as in kafka-topics. */
        @Option(names = "--exclude-internal", hidden = true)
        boolean excludeInternal;

        /** @param guard asks for consent before other clients' data is deleted */
        abstract void run(Topics topics, ClusterGuard guard, PrintWriter out);

        static boolean isPattern(String given) {
            return !given.matches("[a-zA-Z0-9._-]+");
        }

        /** The regular expression of a pattern; as in kafka-topics, a comma separates alternatives. */
        Pattern expression(String given) {
            return pattern("NAME", given.replace(" ", "").replace(',', '|').replaceAll("^[\"']+|[\"']+$", ""));
        }

        /**
         * The given topic names, and the topics that match the given patterns.
         * @param internal whether patterns match internal topics
         */
        Set<String> named(Topics topics, List<String> given, boolean internal) {
            Set<String> all = given.stream().anyMatch(OnTopics::isPattern)
                    ? topics.names(internal && !excludeInternal)
                    : Set.of();
            return given.stream()
                    .flatMap(each -> isPattern(each)
                            ? all.stream().filter(expression(each).asMatchPredicate())
                            : Stream.of(each))
                    .collect(Collectors.toCollection(LinkedHashSet::new));
        }

        /** @throws PlimsollException ({@link Exit#USAGE}) if {@code named} is empty */
        static Set<String> some(Set<String> named, List<String> given) {
            Exit.USAGE.when(named.isEmpty(), "cluster.noTopicMatches", String.join(", ", given));
            return named;
        }

        void validate() {}

        @Override
        Exit perform() {
            validate();
            ClusterConnection connection = cluster.checkedConnection();
            try (Admin admin = connection.admin()) {
                run(new Topics(admin), ClusterGuard.of(admin), out());
            }
            return Exit.PASSED;
        }
    }

    @Command(name = "create")
    static final class Create extends OnTopics {
        @Parameters(paramLabel = "NAME", descriptionKey = "argument.topic-create.name")
        String name;

        @Option(names = "--partitions", paramLabel = "N")
        Integer partitions;

        @Option(
                names = {"--replication", "--replication-factor"},
                paramLabel = "N")
        Short replication;

        @Option(names = "--config", paramLabel = "NAME=VALUE")
        Map<String, String> config = new LinkedHashMap<>();

        @Option(names = "--if-not-exists")
        boolean ifNotExists;

        @Override
        void validate() {
            expect(partitions == null || partitions > 0, "--partitions", partitions, "cli.a.positive");
            expect(replication == null || replication > 0, "--replication", replication, "cli.a.positive");
        }

        @Override
        void run(Topics topics, ClusterGuard guard, PrintWriter out) {
            if (ifNotExists && topics.lookup(Set.of(name)).values().stream().anyMatch(Optional::isPresent)) {
                if (!asKafka) {
                    print("cli.topicThere", shape(topics));
                }
                return;
            }
            Topics.unknownConfigs(config, "--config").forEach(text -> say("cli.warning", text));
            NewTopic topic = new NewTopic(name, Optional.ofNullable(partitions), Optional.ofNullable(replication));
            topics.create(List.of(topic.configs(config)), WAIT);
            if (asKafka) {
                out.println("Created topic " + name + ".");
            } else {
                print("cli.topicCreated", shape(topics));
            }
        }

        private String shape(Topics topics) {
            TopicDescription topic = topics.describe(name);
            return name + " (partitions=" + topic.partitions().size() + ", replication="
                    + topic.partitions().get(0).replicas().size() + ")";
        }
    }

    @Command(name = "list")
    static final class ListTopics extends OnTopics {
        @Parameters(paramLabel = "REGEX", arity = "0..*", descriptionKey = "argument.topic-list.names")
        List<String> names = new ArrayList<>();

        @Option(names = "--internal")
        boolean internal;

        @Override
        void validate() {
            names.forEach(this::expression);
        }

        @Override
        void run(Topics topics, ClusterGuard guard, PrintWriter out) {
            Set<String> wanted = named(topics, names, internal);
            topics.names(internal && !excludeInternal).stream()
                    .filter(name -> names.isEmpty() || wanted.contains(name))
                    .forEach(out::println);
        }
    }

    @Command(name = "describe")
    static final class Describe extends OnTopics {
        @Parameters(paramLabel = "NAME", arity = "0..*", descriptionKey = "argument.topic-describe.names")
        List<String> names = new ArrayList<>();

        @Option(names = "--internal", descriptionKey = "internal")
        boolean internal;

        @Option(names = "--json")
        boolean json;

        @Override
        void run(Topics topics, ClusterGuard guard, PrintWriter out) {
            if (asKafka) {
                printAsKafka(topics, out);
                return;
            }
            List<TopicReport> reports = TopicReport.of(topics, some(named(topics, names, internal), names));
            if (json) {
                out.print(Json.pretty(reports));
            } else {
                reports.forEach(report -> print(report, out));
            }
        }

        @Override
        void validate() {
            require(asKafka || !names.isEmpty(), "cli.missing", "NAME");
            names.forEach(this::expression);
        }

        private void printAsKafka(Topics topics, PrintWriter out) {
            Set<String> asked =
                    names.isEmpty() ? topics.names(!excludeInternal) : some(named(topics, names, true), names);
            Map<String, String> configs = topics.configsAsKafka(asked);
            topics.describe(asked).forEach((name, topic) -> {
                List<TopicPartitionInfo> partitions = topic.partitions();
                out.println("Topic: " + name + "\tTopicId: " + topic.topicId() + "\tPartitionCount: "
                        + partitions.size()
                        + "\tReplicationFactor: " + partitions.get(0).replicas().size() + "\tConfigs: "
                        + configs.get(name));
                for (TopicPartitionInfo p : partitions) {
                    out.println("\tTopic: " + name + "\tPartition: " + p.partition() + "\tLeader: "
                            + (p.leader() == null ? "none" : p.leader().idString()) + "\tReplicas: "
                            + nodes(p.replicas()) + "\tIsr: " + nodes(p.isr()) + "\tElr: " + nodes(p.elr())
                            + "\tLastKnownElr: " + nodes(p.lastKnownElr()));
                }
            });
        }

        private static String nodes(List<Node> nodes) {
            return nodes == null ? "N/A" : nodes.stream().map(Node::idString).collect(Collectors.joining(","));
        }

        private void print(TopicReport report, PrintWriter out) {
            print(
                    "cli.topicDescribed",
                    report.name(),
                    report.partitions().size(),
                    report.replication(),
                    report.records() == null ? known(null) : Sentence.of("cli.topicRecords", report.records()),
                    known(report.bytes()),
                    report.internal() ? Sentence.of("cli.topicInternal") : Sentence.NONE);
            report.config().forEach((name, value) -> out.println("  " + name + "=" + value));
            List<List<Object>> rows = new ArrayList<>();
            for (TopicReport.Partition p : report.partitions()) {
                rows.add(List.of(
                        p.partition(),
                        p.leader() < 0 ? Sentence.of("cli.topicNoLeader") : p.leader(),
                        ids(p.replicas()),
                        ids(p.inSync()),
                        known(p.earliestOffset()),
                        known(p.endOffset()),
                        known(p.bytes())));
            }
            out.print(ListText.of("cli.topicColumns", rows, look()));
        }

        private static Object known(@Nullable Long value) {
            return value == null ? Sentence.of("cli.topicUnknown") : value;
        }

        private static String ids(List<Integer> ids) {
            return ids.stream().map(String::valueOf).collect(Collectors.joining(","));
        }
    }

    @Command(name = "delete")
    static final class Delete extends OnTopics {
        @Parameters(paramLabel = "NAME", arity = "1..*", descriptionKey = "argument.topic-delete.names")
        List<String> names = new ArrayList<>();

        @Option(names = "--if-exists")
        boolean ifExists;

        @Option(names = "--yes")
        boolean yes;

        @Override
        void validate() {
            names.forEach(this::expression);
        }

        @Override
        void run(Topics topics, ClusterGuard guard, PrintWriter out) {
            Set<String> matching = named(topics, names, false);
            // Kafka does not report every topic with this prefix as internal.
            matching.removeIf(name -> name.startsWith("__") && !names.contains(name));
            if (names.stream().anyMatch(OnTopics::isPattern)) {
                List<String> all = List.copyOf(ifExists ? matching : some(matching, names));
                if (!all.isEmpty()) {
                    say("cli.topicsToDelete", all.size(), Sentence.list(all, 20));
                }
            }
            Map<String, Optional<TopicDescription>> found = topics.lookup(matching);
            // Check everything before the first deletion.
            found.forEach(this::requireDeletable);
            Map<String, Uuid> there = new TreeMap<>();
            found.forEach((name, topic) -> topic.ifPresent(t -> there.put(name, t.topicId())));
            guard.deleting(there.keySet()).enforce(Asking.consent(this, yes));
            Set<String> recreated = topics.delete(there.keySet(), there, WAIT);
            recreated.forEach(name -> say("cluster.recreated", name));
            if (!asKafka) {
                found.keySet().removeAll(recreated);
                found.forEach((name, topic) -> print(topic.isPresent() ? "cli.topicDeleted" : "cli.noTopic", name));
            }
        }

        private void requireDeletable(String name, Optional<TopicDescription> topic) {
            Exit.USAGE.when(topic.isEmpty() && !ifExists, "cli.noTopicToDelete", name);
            boolean internal = name.startsWith("__")
                    || topic.filter(TopicDescription::isInternal).isPresent();
            Exit.USAGE.when(internal, "cli.internalTopic", name);
        }
    }
}
