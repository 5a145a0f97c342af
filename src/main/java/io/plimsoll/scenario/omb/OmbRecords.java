package io.plimsoll.scenario.omb;

import io.plimsoll.scenario.Position;
import io.plimsoll.scenario.Suggestions;
import io.plimsoll.scenario.Texts;
import io.plimsoll.scenario.YamlNode;
import io.plimsoll.scenario.YamlNode.Field;
import io.plimsoll.scenario.YamlNode.Fields;
import io.plimsoll.scenario.YamlNode.Scalar;
import io.plimsoll.scenario.omb.OmbSetting.PayloadFile;
import io.plimsoll.text.Sentence;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What a message of a workload looks like, as a scenario's {@code record}. */
final class OmbRecords {
    /** So many keys OpenMessaging Benchmark has, each so long. */
    private static final int KEYS = 10_000;

    private static final int KEY_BYTES = 10;

    private static final int LARGEST = 1_000_000_000;
    private static final List<String> DISTRIBUTORS = List.of("NO_KEY", "KEY_ROUND_ROBIN", "RANDOM_NANO");
    private static final Pattern BUCKET =
            Pattern.compile("\\s*(\\d{1,10})\\s*([KMG]?)i?B?\\s*", Pattern.CASE_INSENSITIVE);
    /** The names of the files that OpenMessaging Benchmark ships. */
    private static final Pattern SHIPPED = Pattern.compile("(?:.*/)?payload/payload-\\w+\\.data");

    private final OmbFile workload;
    private final OmbSetting setting;

    OmbRecords(OmbFile workload, OmbSetting setting) {
        this.workload = workload;
        this.setting = setting;
    }

    Tree tree() {
        Tree record = new Tree(workload.at("messageSize"), false);
        long size = size(record);
        key(record);
        payload(record, size);
        return record;
    }

    /** @return bytes of each value; -1 for a mix */
    private long size(Tree record) {
        if (workload.has("messageSizeDistribution")) {
            Position at = workload.at("messageSizeDistribution");
            record.put("size", at, distribution());
            workload.count("messageSize", 0, LARGEST, 0);
            return -1;
        }
        if (!workload.has("messageSize")) {
            workload.problem("messageSize", "scenario.omb.missing", Sentence.of("scenario.omb.a.bytes"));
        }
        long size = workload.count("messageSize", 0, LARGEST, 0);
        record.number("size", workload.at("messageSize"), size);
        return size;
    }

    /** The middle of each bucket, with its weight. */
    private Fields distribution() {
        String key = "messageSizeDistribution";
        Position at = workload.at(key);
        Tree sizes = new Tree(at, true);
        if (!(workload.node(key).orElse(null) instanceof Fields buckets)
                || buckets.fields().isEmpty()) {
            workload.expected(
                    key,
                    at,
                    workload.node(key).map(YamlNode::found).orElse(Sentence.of("scenario.nothing")),
                    Sentence.NONE);
            return sizes.fields();
        }
        for (Map.Entry<String, Field> bucket : buckets.fields().entrySet()) {
            Position bucketAt = bucket.getValue().keyAt();
            String[] bounds = bucket.getKey().split("-", -1);
            Matcher from = BUCKET.matcher(bounds[0]);
            Matcher to = BUCKET.matcher(bounds.length == 2 ? bounds[1] : "");
            if (!from.matches() || !to.matches() || bytes(to) < bytes(from)) {
                workload.findings()
                        .problem(
                                bucketAt,
                                key,
                                "scenario.expected",
                                Sentence.of("scenario.omb.a.bucket"),
                                Texts.quoted(bucket.getKey()),
                                Sentence.NONE);
                continue;
            }
            YamlNode weight = bucket.getValue().value();
            if (weight instanceof Scalar scalar && scalar.text().matches("0+(\\.0+)?")) {
                continue; // A bucket that nothing falls into.
            }
            sizes.put(Long.toString((bytes(from) + bytes(to)) / 2), bucketAt, weight);
        }
        return sizes.fields();
    }

    /** K, M and G are powers of 1024, as everywhere in OpenMessaging Benchmark. */
    private static long bytes(Matcher bound) {
        int power = " KMG"
                .indexOf(bound.group(2).toUpperCase(Locale.ROOT).concat(" ").charAt(0));
        return Long.parseLong(bound.group(1)) << (10 * power);
    }

    private void key(Tree record) {
        String name = workload.text("keyDistributor").orElse("NO_KEY").strip().toUpperCase(Locale.ROOT);
        Position at = workload.at("keyDistributor");
        if (!DISTRIBUTORS.contains(name)) {
            workload.expected("keyDistributor", at, Texts.quoted(name), Suggestions.didYouMean(name, DISTRIBUTORS));
        } else if (!name.equals("NO_KEY")) {
            String kind = name.equals("RANDOM_NANO") ? "uniform" : "roundRobin";
            Tree key = new Tree(at, true).number(kind, at, KEYS).number("size", at, KEY_BYTES);
            record.put("key", at, key.fields());
        }
    }

    private void payload(Tree record, long size) {
        double ratio = workload.number("randomBytesRatio", 0, 1, 0);
        long pool = workload.count("randomizedPayloadPoolSize", 0, 1_000_000, 0);
        if (workload.flag("useRandomizedPayloads") || size < 0) {
            record.number("randomBytesRatio", workload.at("randomBytesRatio"), ratio);
            if (pool > 0) {
                record.number("pool", workload.at("randomizedPayloadPoolSize"), pool);
            }
        } else if (!workload.has("payloadFile")) {
            workload.findings().warn(workload.at("messageSize"), "", "scenario.omb.noPayload");
        } else {
            payloadFile(record, size);
        }
    }

    private void payloadFile(Tree record, long size) {
        String name = workload.text("payloadFile").orElse("");
        List<PayloadFile> files = setting.surroundings().payload().apply(name);
        if (files.isEmpty() && SHIPPED.matcher(name).matches()) {
            workload.warn("payloadFile", "scenario.omb.noShippedFile", Texts.quoted(name));
            return;
        }
        if (files.isEmpty()) {
            workload.problem("payloadFile", "scenario.omb.noFile", Texts.quoted(name));
            return;
        }
        if (files.size() == 1 && files.get(0).bytes() != size) {
            workload.problem(
                    "payloadFile", "scenario.omb.otherSize", files.get(0).bytes(), size);
        }
        Position at = workload.at("payloadFile");
        List<String> paths = files.stream().map(PayloadFile::path).collect(Collectors.toList());
        record.put("payload", at, new Tree(at, true).texts("files", at, paths).fields());
    }
}
