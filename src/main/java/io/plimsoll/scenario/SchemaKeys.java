package io.plimsoll.scenario;

import io.plimsoll.scenario.KeyShape.Open;
import io.plimsoll.scenario.KeyShape.Section;
import io.plimsoll.scenario.SchemaSpec.Decoding;
import io.plimsoll.scenario.SchemaSpec.Evolution;
import io.plimsoll.scenario.SchemaSpec.Field;
import io.plimsoll.scenario.SchemaSpec.Framing;
import io.plimsoll.scenario.YamlNode.Fields;
import io.plimsoll.scenario.YamlNode.Items;
import io.plimsoll.scenario.YamlNode.Scalar;
import io.plimsoll.text.Sentence;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The keys below {@code schema}. */
final class SchemaKeys {
    private static final String RULES =
            "{between: [1, 5000]} | {oneOf: {DE: 5, FR: 2}} | {sequence: true} | {now: ms} | {uuid: true}"
                    + " | {size: 10}";
    private static final List<String> PLACEHOLDERS = List.of(
            "${sequence}",
            "${timestamp}",
            "${uuid}",
            "${random:20}",
            "${padding}",
            "${between: [1, 5000]}",
            "${oneOf: {DE: 5, FR: 2}}",
            "${now: iso}",
            "${env:NAME}");
    private static final Set<String> PROVIDERS = Set.of("env", "file", "dir");
    private static final Pattern PLACEHOLDER = Pattern.compile("(?s)\\$\\{(\\w+)(?::\\s*(.+))?}");
    private static final Pattern CONDITION = Pattern.compile("(?s)\\s*(>=|<=|==|!=|>|<)?\\s*\\S.*");
    private static final int MOST_ELEMENTS = 10_000_000;
    private static final Key<String> FILE = text("file");
    private static final Key<String> MESSAGE = text("message");
    private static final Key<String> REGISTRY = Key.scalar("registry", "scenario.a.url", "", SchemaSpec::address);
    private static final Key<String> SUBJECT = text("subject");
    private static final Key<String> VERSION = Key.scalar("version", "scenario.a.version", "latest", text -> {
        InvalidValueException.unexpected(!SchemaSpec.isVersion(text), "scenario.a.version", text);
        return text;
    });
    private static final Key<Framing> FRAMING = Key.choice(
                    "framing", Framing.NONE, List.of(Framing.values()), framing -> framing.name()
                            .toLowerCase(Locale.ROOT))
            .noneByDefault();
    private static final Key<Boolean> REGISTER = Key.flag("register");
    private static final Key<Map<String, String>> CONFIG = Key.properties(
                    "config", "{basic.auth.user.info: \"${env:REGISTRY_LOGIN}\"}")
            .noneByDefault();
    private static final Key<Map<String, Field>> FIELDS = Key.of(
            "fields",
            new Open(Sentence.of("scenario.a.map", "{amount: {between: [1, 5000]}}")),
            Map.<String, Field>of(),
            SchemaKeys::fields);
    private static final Key<Double> DECODE = Key.scalar("decode", Quantities.RATIO, 1.0, Quantities::ratio);
    private static final Key<Map<String, String>> EXPECT = Key.labels("expect", "{amount: \"> 0\"}")
            .noneByDefault()
            .rule((entry, all) -> all.forEach((path, condition) -> {
                if (!CONDITION.matcher(condition).matches()) {
                    entry.problemInMap("expect", path, Sentence.of("scenario.notACondition", Texts.quoted(condition)));
                }
            }));
    private static final Section SOURCE =
            Section.of("{file: order.avsc}", FILE, MESSAGE, REGISTRY, SUBJECT, VERSION, FRAMING, CONFIG);
    private static final Key<Optional<Duration>> AT =
            Key.time("at", Quantities::duration).required();
    private static final Key<Settings> EVOLVE = Key.section(
                    "evolve",
                    Section.of("{at: 30s, file: v2.avsc}", AT, FILE, VERSION),
                    Settings.NONE,
                    SchemaKeys::next)
            .noneByDefault();
    private static final Section OF_KEYS = SOURCE.and(List.of(REGISTER, FIELDS));
    private static final Section OF_VALUES = OF_KEYS.and(List.of(EVOLVE));
    static final Section CHECKED = SOURCE.and(List.of(DECODE, EXPECT));
    static final Key<Optional<Decoding>> DECODING = Key.optional(
                    "schema", CHECKED, Decoding.class, (entry, key) -> entry.below(key)
                            .flatMap(own -> decoding(entry, own)))
            .noneByDefault()
            .shown(decoding -> decoding.map(d -> d.schema().label()).orElse(""));

    static Key<Optional<SchemaSpec>> schema(boolean ofKeys) {
        return Key.optional("schema", ofKeys ? OF_KEYS : OF_VALUES, SchemaSpec.class, (entry, key) -> entry.below(key)
                        .map(SchemaKeys::made))
                .noneByDefault()
                .shown(schema -> schema.map(SchemaSpec::label).orElse(""));
    }

    private static Key<String> text(String name) {
        return Key.scalar(name, "scenario.a.text", "", text -> {
            InvalidValueException.unexpected(text.isEmpty(), "scenario.a.someText", text);
            return text;
        });
    }

    static SchemaSpec made(EntryReading entry) {
        boolean named = !entry.get(REGISTRY).isEmpty();
        if (!entry.has("file") && !entry.has("registry")) {
            entry.problem("scenario.oneOfKeys", Sentence.or(List.of("file", "registry")));
        }
        if (named) {
            entry.require(SUBJECT);
        }
        if (entry.has("file") && entry.has("version")) {
            entry.problem("scenario.hasBoth", List.of("file", "version"));
        }
        Framing framing = entry.has("framing") || !named ? entry.get(FRAMING) : Framing.CONFLUENT;
        for (String key : List.of("subject", "config", "register")) {
            if (entry.has(key) && !entry.has("registry")) {
                entry.problemAt(key, "scenario.needsRegistry", key);
            }
        }
        if (framing != Framing.NONE && !named) {
            entry.problemAt("framing", "scenario.needsRegistry", "framing");
        }
        Settings next = entry.has("evolve") ? entry.get(EVOLVE) : Settings.NONE;
        if (entry.get(REGISTER) && !entry.has("file") && next.get(FILE).isEmpty()) {
            entry.problemAt("register", "scenario.registersFile");
        }
        Optional<Evolution> evolve = next.get(AT)
                .map(at ->
                        new Evolution(at, source(entry, framing, next.get(FILE), next.get(VERSION), Optional.empty())));
        return source(entry, framing, entry.get(FILE), entry.get(VERSION), evolve);
    }

    private static SchemaSpec source(
            EntryReading entry, Framing framing, String file, String version, Optional<Evolution> evolve) {
        return new SchemaSpec(
                file,
                entry.get(MESSAGE),
                entry.get(REGISTRY),
                entry.get(SUBJECT),
                version,
                framing,
                entry.get(REGISTER) && !file.isEmpty(),
                entry.get(CONFIG),
                entry.get(FIELDS),
                Optional.empty(),
                List.of(),
                evolve);
    }

    private static Settings next(EntryReading entry) {
        if (entry.has("file") == entry.has("version")) {
            entry.problem("scenario.oneOfKeys", Sentence.or(List.of("file", "version")));
        }
        return entry.settings();
    }

    /**
     * The check of received values. Without its own source, it uses the schema of the producers that write to the
     * topic.
     */
    private static Optional<Decoding> decoding(EntryReading consumer, EntryReading own) {
        Optional<SchemaSpec> schema = own.has("file") || own.has("registry")
                ? Optional.of(made(own))
                : consumer.whole().get(Scenario.PRODUCERS).stream()
                        .filter(p -> p.topics().stream().anyMatch(consumer.get(ConsumerSpec.TOPIC)::contains))
                        .flatMap(p -> p.record().schema().stream())
                        .findFirst();
        if (schema.isEmpty()) {
            own.problem("scenario.noSchemaToDecode");
        }
        return schema.map(s -> new Decoding(s, own.get(DECODE), own.get(EXPECT)));
    }

    private static Optional<Map<String, Field>> fields(EntryReading entry, String key) {
        Map<String, Field> fields = new LinkedHashMap<>();
        entry.map(key).ifPresent(all -> all.fields().forEach((path, at) -> {
            try {
                fields.put(path, field(at.value()));
            } catch (InvalidValueException e) {
                entry.problemInMap(key, path, e.sentence());
            }
        }));
        return Optional.of(fields);
    }

    /**
     * The parts of a template: literal texts and, in <code>${…}</code>, rules.
     * @throws InvalidValueException with the position of the error, in characters from 1
     */
    static List<Field> template(String text) {
        List<Field> parts = new ArrayList<>();
        int at = 0;
        while (at < text.length()) {
            int open = text.indexOf("${", at);
            int end = open < 0 ? text.length() : open;
            if (end > at) {
                parts.add(new Field.OneOf(List.of(text.substring(at, end)), List.of(1.0)));
            }
            if (open < 0) {
                break;
            }
            int close = closing(text, open + 2);
            InvalidValueException.when(close < 0, "scenario.template.unclosed", Texts.quoted("${"), open + 1);
            parts.add(placeholder(text.substring(open, close + 1), open + 1));
            at = close + 1;
        }
        InvalidValueException.when(
                Collections.frequency(parts, new Field.Padding()) > 1, "scenario.template.padding", "${padding}");
        return parts;
    }

    /** The position of the brace that ends a placeholder; −1 if none. */
    private static int closing(String text, int from) {
        int depth = 1;
        for (int i = from; i < text.length(); i++) {
            depth += text.charAt(i) == '{' ? 1 : text.charAt(i) == '}' ? -1 : 0;
            if (depth == 0) {
                return i;
            }
        }
        return -1;
    }

    private static Field placeholder(String text, int position) {
        if (text.equals("${padding}")) {
            return new Field.Padding();
        }
        Matcher form = PLACEHOLDER.matcher(text);
        if (form.matches()) {
            String name = form.group(1);
            if (PROVIDERS.contains(name)) { // Kafka's providers replace these before records are generated.
                return new Field.OneOf(List.of(text), List.of(1.0));
            }
            String rule = name.equals("timestamp") ? "now: ms" : name.equals("random") ? "size" : name;
            String argument = form.group(2) != null ? ": " + form.group(2) : rule.contains(":") ? "" : ": true";
            Optional<YamlNode> node = YamlTree.ofValue("{" + rule + argument + "}", "", new Problems());
            try {
                if (node.isPresent()) {
                    return field(node.get());
                }
            } catch (InvalidValueException e) {
                // Report the placeholder as written, not the rule that it was converted to.
            }
        }
        throw new InvalidValueException("scenario.template.unknown", text, position, PLACEHOLDERS);
    }

    private static Field field(YamlNode node) {
        if (node instanceof Scalar fixed && !fixed.isNull()) {
            return new Field.OneOf(List.of(fixed.text()), List.of(1.0));
        }
        if (!(node instanceof Fields rule) || rule.fields().size() != 1) {
            throw InvalidValueException.expected(Texts.either(RULES), node.inline());
        }
        Map.Entry<String, YamlNode.Field> only =
                rule.fields().entrySet().iterator().next();
        String name = only.getKey();
        YamlNode value = only.getValue().value();
        return switch (name) {
            case "between" -> {
                List<Double> bounds = scalars(value, Quantities::number);
                refuse(bounds.size() != 2 || bounds.get(0) > bounds.get(1), node);
                yield new Field.Between(bounds.get(0), bounds.get(1));
            }
            case "oneOf" -> oneOf(node, value);
            case "sequence" ->
                new Field.Sequence(
                        value.inline().equals("true") ? 0 : Quantities.count(value.inline(), 0, Long.MAX_VALUE / 2));
            case "now" -> {
                refuse(!value.inline().matches("s|ms|us|ns|iso"), node);
                yield new Field.Now(value.inline());
            }
            case "uuid" -> {
                refuse(!value.inline().equals("true"), node);
                yield new Field.Uuid();
            }
            case "size" -> {
                List<Integer> bounds = value instanceof Scalar one
                        ? List.of(elements(one.text()), elements(one.text()))
                        : scalars(value, SchemaKeys::elements);
                refuse(bounds.size() != 2 || bounds.get(0) > bounds.get(1), node);
                yield new Field.Size(bounds.get(0), bounds.get(1));
            }
            default -> throw InvalidValueException.expected(Texts.either(RULES), node.inline());
        };
    }

    private static int elements(String text) {
        return (int) Quantities.count(text, 0, MOST_ELEMENTS);
    }

    private static Field oneOf(YamlNode node, YamlNode value) {
        List<String> values = new ArrayList<>();
        List<Double> weights = new ArrayList<>();
        if (value instanceof Fields weighted) {
            weighted.fields().forEach((name, weight) -> {
                values.add(name);
                weights.add(RecordSpec.weight(weight.value().inline()));
            });
        } else {
            values.addAll(scalars(value, text -> text));
            values.forEach(each -> weights.add(1.0));
        }
        refuse(values.isEmpty(), node);
        return new Field.OneOf(values, weights);
    }

    private static <T> List<T> scalars(YamlNode node, Function<String, T> parser) {
        Stream<YamlNode> all = node instanceof Items items ? items.values().stream() : Stream.of(node);
        return all.map(YamlNode::inline).map(parser).toList();
    }

    private static void refuse(boolean wrong, YamlNode rule) {
        if (wrong) {
            throw InvalidValueException.expected(Texts.either(RULES), rule.inline());
        }
    }
}
