package io.plimsoll.omb.files;

import io.plimsoll.omb.files.OmbSetting.PayloadFile;
import io.plimsoll.scenario.EntryReading;
import io.plimsoll.scenario.InvalidValueException;
import io.plimsoll.scenario.Position;
import io.plimsoll.scenario.Texts;
import io.plimsoll.scenario.YamlNode.Fields;
import io.plimsoll.scenario.YamlNode.Scalar;
import io.plimsoll.text.Sentence;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Translates the messages of a workload into a scenario's {@code record}. */
record OmbRecords(OmbFile workload, OmbSetting setting) {
    /** Number of distinct keys in OpenMessaging Benchmark. */
    private static final int KEYS = 10_000;

    private static final int KEY_BYTES = 10;
    private static final Pattern BUCKET =
            Pattern.compile("\\s*(\\d{1,10})\\s*([KMG]?)i?B?\\s*", Pattern.CASE_INSENSITIVE);

    /** Matches the payload files that OpenMessaging Benchmark contains. */
    private static final Pattern SHIPPED = Pattern.compile("(?:.*/)?payload/payload-\\w+\\.data");

    Tree tree() {
        Position at = workload.at(OmbKeys.MESSAGE_SIZE);
        Tree record = new Tree(at, false);
        if (workload.has(OmbKeys.SIZE_DISTRIBUTION)) {
            workload.get(OmbKeys.SIZE_DISTRIBUTION)
                    .ifPresent(sizes -> record.put("size", workload.at(OmbKeys.SIZE_DISTRIBUTION), sizes));
        } else {
            workload.require(OmbKeys.MESSAGE_SIZE);
            record.number("size", at, workload.get(OmbKeys.MESSAGE_SIZE));
        }
        key(record);
        payload(record);
        return record;
    }

    /** Reads a distribution of sizes: the midpoint of each bucket, with its weight. */
    static Optional<Optional<Fields>> distribution(EntryReading workload, String key) {
        Fields buckets = workload.map(key).orElse(null);
        if (buckets == null) {
            return Optional.empty();
        }
        Tree sizes = new Tree(buckets.at(), true);
        buckets.fields().forEach((name, bucket) -> {
            String[] bounds = name.split("-", -1);
            Matcher from = BUCKET.matcher(bounds[0]);
            Matcher to = BUCKET.matcher(bounds.length == 2 ? bounds[1] : "");
            if (!from.matches() || !to.matches() || bytes(to) < bytes(from)) {
                Sentence expected = Sentence.of("scenario.omb.a.bucket");
                workload.problemIn(
                        bucket.keyAt(),
                        key,
                        InvalidValueException.expected(expected, name).sentence());
            } else if (!(bucket.value() instanceof Scalar weight)
                    || !weight.text().matches("0+(\\.0+)?")) {
                sizes.put(Long.toString((bytes(from) + bytes(to)) / 2), bucket.keyAt(), bucket.value());
            } // A weight of 0 omits the bucket.
        });
        return Optional.of(Optional.of(sizes.fields()));
    }

    /** A size in bytes. K, M and G are powers of 1024, as everywhere in OpenMessaging Benchmark. */
    private static long bytes(Matcher bound) {
        int power = " KMG"
                .indexOf(bound.group(2).toUpperCase(Locale.ROOT).concat(" ").charAt(0));
        return Long.parseLong(bound.group(1)) << (10 * power);
    }

    private void key(Tree record) {
        String name = workload.get(OmbKeys.KEY_DISTRIBUTOR);
        if (!name.equals("NO_KEY")) {
            Position at = workload.at(OmbKeys.KEY_DISTRIBUTOR);
            String kind = name.equals("RANDOM_NANO") ? "uniform" : "roundRobin";
            record.put("key", at, new Tree(at, true).number(kind, at, KEYS).number("size", at, KEY_BYTES));
        }
    }

    private void payload(Tree record) {
        if (workload.get(OmbKeys.RANDOM_PAYLOADS) || workload.has(OmbKeys.SIZE_DISTRIBUTION)) {
            record.number("randomBytesRatio", workload.at(OmbKeys.RANDOM_RATIO), workload.get(OmbKeys.RANDOM_RATIO));
            if (workload.get(OmbKeys.POOL) > 0) {
                record.number("pool", workload.at(OmbKeys.POOL), workload.get(OmbKeys.POOL));
            }
        } else if (!workload.has(OmbKeys.PAYLOAD_FILE)) {
            workload.findings().warn(workload.at(OmbKeys.MESSAGE_SIZE), "", "scenario.omb.noPayload");
        } else {
            payloadFile(record, workload.get(OmbKeys.MESSAGE_SIZE));
        }
    }

    private void payloadFile(Tree record, long size) {
        String name = workload.get(OmbKeys.PAYLOAD_FILE);
        List<PayloadFile> files = setting.surroundings().payload().apply(name);
        if (files.isEmpty() && SHIPPED.matcher(name).matches()) {
            workload.warn(OmbKeys.PAYLOAD_FILE, "scenario.omb.noShippedFile", Texts.quoted(name));
            return;
        }
        if (files.isEmpty()) {
            workload.problem(OmbKeys.PAYLOAD_FILE, "scenario.omb.noFile", Texts.quoted(name));
            return;
        }
        if (files.size() == 1 && files.get(0).bytes() != size) {
            workload.problem(
                    OmbKeys.PAYLOAD_FILE, "scenario.omb.otherSize", files.get(0).bytes(), size);
        }
        Position at = workload.at(OmbKeys.PAYLOAD_FILE);
        List<String> paths = files.stream().map(PayloadFile::path).toList();
        record.put("payload", at, new Tree(at, true).texts("files", at, paths));
    }
}
