package io.plimsoll.scenario;

import io.plimsoll.scenario.YamlNode.Field;
import io.plimsoll.scenario.YamlNode.Fields;
import io.plimsoll.scenario.YamlNode.Items;
import io.plimsoll.scenario.YamlNode.Kind;
import io.plimsoll.scenario.YamlNode.Scalar;
import io.plimsoll.text.Sentence;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.api.lowlevel.Present;
import org.snakeyaml.engine.v2.api.lowlevel.Serialize;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.events.CollectionEndEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.ReaderException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlVersionException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.schema.CoreSchema;
import org.snakeyaml.engine.v2.schema.Schema;

/**
 * Reads YAML 1.2 text into {@link YamlNode}s or problems. Depth and size are limited, because the parser is recursive
 * and aliases multiply nodes.
 */
public final class YamlTree {
    private static final Schema SCHEMA = new CoreSchema();
    private static final int DEEPEST = 60;
    private static final int MOST_NODES = 200_000;

    /**
     * Parts of a parser message that are taken from the file: text in quotes or brackets, or a character with its code.
     */
    private static final Pattern YAML_ARGUMENT =
            Pattern.compile("'[^']*'|\\S+\\([0-9A-Z]+\\)|<[a-z ]+>$|(?<= got ).+|(?<=alias ).+");

    private static final Set<Tag> TAGS = Set.of(Tag.STR, Tag.INT, Tag.FLOAT, Tag.BOOL, Tag.NULL, Tag.SEQ, Tag.MAP);

    private static final Map<Tag, Kind> KINDS =
            Map.of(Tag.NULL, Kind.NULL, Tag.BOOL, Kind.BOOLEAN, Tag.INT, Kind.NUMBER, Tag.FLOAT, Kind.NUMBER);

    private final String where;
    private final boolean positioned;
    private final Problems problems;
    /** Receives each duplicate key; the last one applies. If null, duplicates are problems. */
    private final @Nullable BiConsumer<Position, String> repeated;

    private int nodes;

    private YamlTree(
            String where, boolean positioned, Problems problems, @Nullable BiConsumer<Position, String> repeated) {
        this.where = where;
        this.positioned = positioned;
        this.problems = problems;
        this.repeated = repeated;
    }

    /** The map of a file; empty if the file is not a map, which adds a problem. */
    public static Optional<Fields> mapOf(String text, String where, Sentence expected, Problems problems) {
        return mapOf(text, where, expected, problems, null);
    }

    /** @param repeated receives position and path of duplicate keys; the last applies; if null, they are problems */
    public static Optional<Fields> mapOf(
            String text,
            String where,
            Sentence expected,
            Problems problems,
            @Nullable BiConsumer<Position, String> repeated) {
        Problems unreadable = new Problems();
        YamlNode root =
                new YamlTree(where, true, unreadable, repeated).read(text).orElse(null);
        problems.addAll(unreadable);
        if (!(root instanceof Fields) && unreadable.isEmpty()) {
            Position at = root == null ? Position.of(where) : root.at();
            Sentence found = root == null ? Sentence.of("scenario.nothing") : root.found();
            problems.add(at, "", "scenario.expected", expected, found, Sentence.NONE);
        }
        return root instanceof Fields fields ? Optional.of(fields) : Optional.empty();
    }

    /** The tree of a single value from a source other than a file, without lines and columns. */
    public static Optional<YamlNode> ofValue(String text, String where, Problems problems) {
        return new YamlTree(where, false, problems, null).read(text);
    }

    private Optional<YamlNode> read(String text) {
        LoadSettings settings = LoadSettings.builder()
                .setSchema(SCHEMA)
                .setAllowNonScalarKeys(true)
                .setLabel(where)
                // The parser reads ahead to the end of a value, and copies the value with each buffer.
                .setBufferSize(Math.max(1024, text.length()))
                .setCodePointLimit(Integer.MAX_VALUE)
                .build();
        try {
            Optional<Mark> tooDeep = tooDeep(new Parse(settings).parseString(text));
            if (tooDeep.isPresent()) {
                problems.add(at(tooDeep), "", "scenario.tooDeep", DEEPEST);
                return Optional.empty();
            }
            return new Compose(settings).composeString(text).map(root -> convert(root, "", 0));
        } catch (MarkedYamlEngineException e) {
            String message = e.getProblem() == null ? e.getMessage() : e.getProblem();
            boolean half = message != null && message.startsWith("but ") && e.getContext() != null;
            unreadable(at(e.getProblemMark()), half ? e.getContext() + ", " + message : message);
        } catch (YamlVersionException e) {
            problems.add(Position.of(where), "", "scenario.yamlVersion");
        } catch (ReaderException e) {
            problems.add(
                    positionOf(text, e.getPosition()),
                    "",
                    "scenario.character",
                    String.format("U+%04X", e.getCodePoint()));
        } catch (YamlEngineException e) {
            unreadable(Position.of(where), e.getMessage());
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            // The parser fails in this way on a file that ends within an escape sequence.
            problems.add(Position.of(where), "", "scenario.endsInEscape");
        } catch (TooLarge e) {
            problems.add(Position.of(where), "", "scenario.aliases", MOST_NODES);
        }
        return Optional.empty();
    }

    private void unreadable(Position at, @Nullable String cause) {
        String sentence = String.valueOf(cause).replaceAll("\\s+", " ").strip();
        String key = sentence.contains("but got [") ? "scenario.unreadableBraces" : "scenario.unreadable";
        problems.add(at, "", key, Sentence.translated("scenario.yaml.", YAML_ARGUMENT, Texts.shown(sentence, 200)));
    }

    private static Optional<Mark> tooDeep(Iterable<Event> events) {
        int depth = 0;
        for (Event event : events) {
            if (event instanceof CollectionStartEvent && ++depth > DEEPEST) {
                return event.getStartMark();
            }
            if (event instanceof CollectionEndEvent) {
                depth--;
            }
        }
        return Optional.empty();
    }

    private YamlNode convert(org.snakeyaml.engine.v2.nodes.Node node, String path, int depth) {
        if (++nodes > MOST_NODES || depth > DEEPEST) {
            throw new TooLarge();
        }
        Position at = at(node.getStartMark());
        if (!TAGS.contains(node.getTag())) {
            problems.add(at, path, "scenario.tag", Texts.quoted(node.getTag().getValue()));
        }
        if (node instanceof MappingNode map) {
            return fields(map, at, path, depth);
        }
        if (node instanceof SequenceNode list) {
            List<YamlNode> values = new ArrayList<>();
            for (org.snakeyaml.engine.v2.nodes.Node value : list.getValue()) {
                values.add(convert(value, path + "[" + values.size() + "]", depth + 1));
            }
            return new Items(at, values, list.getFlowStyle() == FlowStyle.FLOW);
        }
        ScalarNode scalar = (ScalarNode) node;
        boolean block = scalar.getScalarStyle() == ScalarStyle.LITERAL || scalar.getScalarStyle() == ScalarStyle.FOLDED;
        return new Scalar(at, scalar.getValue(), block ? Kind.LINES : KINDS.getOrDefault(scalar.getTag(), Kind.TEXT));
    }

    private Fields fields(MappingNode map, Position at, String path, int depth) {
        Map<String, Field> fields = new LinkedHashMap<>();
        for (NodeTuple tuple : map.getValue()) {
            Position keyAt = at(tuple.getKeyNode().getStartMark());
            if (!(tuple.getKeyNode() instanceof ScalarNode key) || Tag.NULL.equals(key.getTag())) {
                problems.add(keyAt, path, "scenario.noName");
                continue;
            }
            String name = key.getValue();
            Field field = new Field(keyAt, convert(tuple.getValueNode(), Texts.path(path, name), depth + 1));
            Field first = fields.putIfAbsent(name, field);
            if (first != null && repeated != null) {
                fields.put(name, field);
                repeated.accept(keyAt, Texts.path(path, name));
            } else if (first != null) {
                Sentence line = positioned
                        ? Sentence.of("scenario.firstInLine", first.keyAt().line())
                        : Sentence.NONE;
                problems.add(keyAt, Texts.path(path, name), "scenario.givenTwice", line);
            }
        }
        return new Fields(at, fields, map.getFlowStyle() == FlowStyle.FLOW);
    }

    private Position at(Optional<Mark> mark) {
        return positioned && mark.isPresent()
                ? new Position(where, mark.get().getLine() + 1, mark.get().getColumn() + 1)
                : Position.of(where);
    }

    private Position positionOf(String text, int codePoints) {
        if (!positioned) {
            return Position.of(where);
        }
        int end = text.offsetByCodePoints(0, Math.min(codePoints, text.codePointCount(0, text.length())));
        String before = text.substring(0, end);
        int line = (int) before.chars().filter(c -> c == '\n').count() + 1;
        int lineStart = before.lastIndexOf('\n') + 1;
        return new Position(where, line, before.codePointCount(lineStart, end) + 1);
    }

    /** The tree as YAML text that parses to the same tree. */
    static String text(YamlNode root) {
        DumpSettings settings = DumpSettings.builder()
                .setSchema(SCHEMA)
                .setDefaultFlowStyle(FlowStyle.BLOCK)
                .setDefaultScalarStyle(ScalarStyle.PLAIN)
                .setDereferenceAliases(true)
                .setIndent(2)
                .setWidth(120)
                .setSplitLines(false)
                .build();
        return new Present(settings)
                .emitToString(new Serialize(settings).serializeOne(node(root)).iterator());
    }

    private static org.snakeyaml.engine.v2.nodes.Node node(YamlNode node) {
        if (node instanceof Fields map) {
            List<NodeTuple> tuples = new ArrayList<>();
            map.fields().forEach((key, field) -> tuples.add(new NodeTuple(string(key), node(field.value()))));
            return new MappingNode(Tag.MAP, tuples, style(map.flow()));
        }
        if (node instanceof Items list) {
            return new SequenceNode(
                    Tag.SEQ, list.values().stream().map(YamlTree::node).toList(), style(list.flow()));
        }
        Scalar scalar = (Scalar) node;
        return scalar.kind() == Kind.TEXT || scalar.kind() == Kind.LINES
                ? string(scalar.text())
                : plain(scalar.inline());
    }

    private static ScalarNode string(String text) {
        return new ScalarNode(Tag.STR, text, ScalarStyle.PLAIN);
    }

    private static ScalarNode plain(String text) {
        return new ScalarNode(SCHEMA.getScalarResolver().resolve(text, true), text, ScalarStyle.PLAIN);
    }

    private static FlowStyle style(boolean flow) {
        return flow ? FlowStyle.FLOW : FlowStyle.BLOCK;
    }

    private static final class TooLarge extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }
}
